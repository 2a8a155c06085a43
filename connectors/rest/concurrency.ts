/** Applies a function to each value, at most `most` at the same time, and yields the results in order. */
export async function* mapOrdered<T, R>(
  values: AsyncIterable<T> | Iterable<T>,
  most: number,
  work: (value: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  for await (const value of values) {
    const result = work(value);
    // If an earlier one fails, nobody waits for this one any more.
    result.catch(() => {});
    running.push(result);
    if (running.length >= most) yield (await running.shift()) as R;
  }
  for (const result of running) yield await result;
}
