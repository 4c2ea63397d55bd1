/** Ids for the entries of one session. */
export function entryIds(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `entry-${count}`;
  };
}
