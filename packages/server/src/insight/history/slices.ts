/** The number of items that an export reads at a time. */
const SLICE = 200;

/** Yields all items of a list, slice by slice. `read` takes the place to go on from, and returns the next one or null. */
export async function* slicesOf<Item, Place>(
  read: (after: Place | null, limit: number) => Promise<{ results: Item[]; next: Place | null }>,
): AsyncGenerator<Item[]> {
  for (let after: Place | null = null; ; ) {
    const { results, next }: { results: Item[]; next: Place | null } = await read(after, SLICE);
    yield results;
    if (next === null) return;
    after = next;
  }
}
