/** The longest lease, milliseconds. */
export const LEASE_MAX_MS = 600_000;

/** The columns of a claim, as a record holds them. */
export interface ClaimColumns {
  readonly token: string | null;
  readonly expiresAt: number | null;
}

/**
 * Whether a claim holds now. One that would outlive the longest lease was made before the clock was set back; waiting
 * for it could take years, so it counts as expired.
 */
export function isLiveClaim({ token, expiresAt }: ClaimColumns, now: number): boolean {
  return token !== null && expiresAt !== null && now < expiresAt && expiresAt <= now + LEASE_MAX_MS;
}

/** The same rule in SQL, with the parameter `:now`. */
export function liveClaimSql(token: string, expiresAt: string): string {
  return `(${token} IS NOT NULL AND ${expiresAt} > +:now AND ${expiresAt} <= +:now + ${LEASE_MAX_MS})`;
}

/** Whether the claimant of `:claimToken` may take a row at `:now`: no other claim holds it. */
export function claimableSql(token: string, expiresAt: string): string {
  return `(${token} IS NULL OR ${token} = +:claimToken OR ${liveClaimSql(token, expiresAt)} IS NOT TRUE)`;
}
