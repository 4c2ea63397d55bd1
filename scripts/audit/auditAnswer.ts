/** What came of asking the registry for known vulnerabilities. */
export type AuditAnswer =
  | { readonly status: "clean"; readonly packages: number }
  | { readonly status: "vulnerable"; readonly findings: readonly string[] }
  | { readonly status: "refused"; readonly reason: string };

interface AuditReport {
  readonly message?: string;
  readonly error?: { readonly summary?: string };
  readonly metadata?: {
    readonly vulnerabilities: { readonly total: number };
    readonly dependencies: { readonly total?: number; readonly prod?: number };
  };
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range: string }>>;
}

/** Reads what `npm audit --json` printed. What is no report of vulnerabilities says that there was no audit. */
export function readAudit(stdout: string): AuditAnswer {
  const report = reportIn(stdout);
  if (report?.metadata === undefined) {
    const reason = report?.message ?? report?.error?.summary ?? "npm printed no report";
    return { status: "refused", reason: reason.split("\n")[0] ?? reason };
  }
  const { vulnerabilities, dependencies } = report.metadata;
  if (vulnerabilities.total === 0) return { status: "clean", packages: dependencies.prod ?? dependencies.total ?? 0 };
  const findings = Object.entries(report.vulnerabilities ?? {}).map(
    ([name, { severity, range }]) => `${name} ${range}: ${severity}`,
  );
  return { status: "vulnerable", findings };
}

function reportIn(stdout: string): AuditReport | undefined {
  try {
    return JSON.parse(stdout) as AuditReport;
  } catch {
    return undefined;
  }
}
