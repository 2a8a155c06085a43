type SideBySide = {
  /** Aborts with the first error of a page, so that the other pages and the listing stop as well. */
  signal: AbortSignal;
  /**
   * Starts to send a page, and returns as soon as another one may be read. Calls `confirm` when this page and all earlier ones have
   * been sent.
   */
  add(send: () => Promise<unknown>, confirm: () => void): Promise<void>;
  /** Calls `work` when all pages so far are confirmed. */
  whenConfirmed(work: () => void): void;
};

/**
 * Runs `work`, which adds pages, and sends up to `most` of them at the same time. Returns when all of them are confirmed. Throws the
 * first error, after the requests of all pages have ended.
 */
export async function sendSideBySide(
  most: number,
  work: (pages: SideBySide) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const unconfirmed: Promise<void>[] = [];
  const deliver = async (
    send: () => Promise<unknown>,
    confirm: () => void,
    earlier: Promise<void> | undefined,
  ) => {
    try {
      await send();
      await earlier;
      confirm();
    } catch (error) {
      stop.abort(error);
      throw error;
    }
  };
  const follow = (page: Promise<void>) => {
    // Its error is the reason of the signal.
    page.catch(() => {});
    unconfirmed.push(page);
  };
  const pages: SideBySide = {
    signal: stop.signal,
    async add(send, confirm) {
      stop.signal.throwIfAborted();
      follow(deliver(send, confirm, unconfirmed.at(-1)));
      if (unconfirmed.length === most) await unconfirmed.shift();
    },
    whenConfirmed(confirm) {
      const last = unconfirmed.pop();
      if (last) follow(deliver(async () => {}, confirm, last));
      else confirm();
    },
  };
  try {
    await work(pages);
  } catch (error) {
    const first: unknown = stop.signal.aborted ? stop.signal.reason : error;
    await Promise.allSettled(unconfirmed);
    throw first;
  }
  await Promise.allSettled(unconfirmed);
  stop.signal.throwIfAborted();
}
