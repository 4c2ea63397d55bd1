/** Works through items in a number of lanes at once, and returns the results in the items' order. */
export async function inLanes<Item, Result>(
  { items, lanes }: { readonly items: readonly Item[]; readonly lanes: number },
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const rest = items.entries();
  const lane = async (): Promise<void> => {
    for (const [index, item] of rest) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}
