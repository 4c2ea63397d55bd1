/** Variables that a child may inherit: where programs are, how text is written, what the terminal can do. */
const INHERITED = ["PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "SHELL", "USER", "LOGNAME", "SystemRoot", "ComSpec"];

/** Names that announce a credential, or that steer Pi itself. */
const NOT_FOR_PI = /key|token|secret|passw|credential|auth|^PI_|^AI_AGENT$/i;

/** What is left of the caller's environment for a child process: no keys, no settings of the caller's own Pi. */
export function inheritedEnvironment(callers: NodeJS.ProcessEnv): Record<string, string> {
  const inherited: Record<string, string> = {};
  for (const name of INHERITED) {
    const value = callers[name];
    if (value !== undefined) inherited[name] = value;
  }
  return inherited;
}

/**
 * Puts this process into `environment` for code that runs Pi in process: the caller's credentials and Pi settings are
 * hidden, the given variables are set. Returns the way back.
 */
export function enterEnvironment(environment: Readonly<Record<string, string>>): () => void {
  const before = { ...process.env };
  for (const name of Object.keys(before)) {
    if (NOT_FOR_PI.test(name)) delete process.env[name];
  }
  Object.assign(process.env, environment);
  return () => {
    for (const name of Object.keys(process.env)) {
      if (!(name in before)) delete process.env[name];
    }
    Object.assign(process.env, before);
  };
}
