/** The user and group that own nothing, on every Unix. */
const NOBODY = 65534;

/** Does synchronous work as somebody for whom the permissions of files hold: root is bound by none. */
export function asOrdinaryUser<Result>(work: () => Result): Result {
  return actingAs(NOBODY, work);
}

/** Inside the work of an ordinary user, does something as the user that the tests run as. */
export function asOwner(work: () => void): void {
  actingAs(0, work);
}

/** Whoever is not root is an ordinary user, and stays the one that they are. */
function actingAs<Result>(id: number, work: () => Result): Result {
  if (process.getuid?.() !== 0) return work();
  const before = process.geteuid?.() ?? 0;
  become(id);
  try {
    return work();
  } finally {
    become(before);
  }
}

/** Only root may change the group, so root it is meanwhile. */
function become(id: number): void {
  process.seteuid?.(0);
  process.setegid?.(id);
  process.seteuid?.(id);
}
