/** How long a refusal waits, and how many may wait at the same time. */
const HELD_MS = 2000;
const MOST_HELD = 500;

/**
 * Delays the refusals of requests that would only have waited. A client that sends the next request immediately, whatever Retry-After says,
 * would otherwise keep the process busy with refusing it.
 */
export class HeldRefusals {
  readonly #after: (ms: number, work: () => void) => void;
  #count = 0;

  constructor(after = (ms: number, work: () => void) => void setTimeout(work, ms)) {
    this.#after = after;
  }

  /** Calls `refuse` after the delay, or immediately if too many wait already. */
  end(refuse: () => void) {
    if (this.#count >= MOST_HELD) return refuse();
    this.#count++;
    this.#after(HELD_MS, () => {
      this.#count--;
      refuse();
    });
  }
}
