/** Waits for the work, unless the signal aborts first, on which it throws the reason. The work itself may go on. */
export async function unlessAborted<T>(work: T | PromiseLike<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', stop));
}

/** Yields the items until the signal aborts, even while the next one waits for a system that never replies. */
export async function* itemsUnlessAborted<T>(
  items: AsyncIterable<T> | Iterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  try {
    for (;;) {
      const { done, value } = await unlessAborted(iterator.next(), signal);
      if (done) return;
      yield value;
    }
  } finally {
    const returned = Promise.resolve(iterator.return?.());
    // A listing that waits for its system does not return before.
    if (signal.aborted) returned.catch(() => {});
    else await returned;
  }
}
