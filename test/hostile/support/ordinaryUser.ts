/** The user that owns nothing, on every Unix. */
const NOBODY = 65534;

/** Does synchronous work as somebody for whom the permissions of files hold: root is bound by none. */
export function asOrdinaryUser<Result>(work: () => Result): Result {
  if (process.getuid?.() !== 0) return work();
  process.setegid?.(NOBODY);
  process.seteuid?.(NOBODY);
  try {
    return work();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
  }
}
