import type { DomainError } from '../errors.ts';

export interface PlaceLimits {
  /** All places. */
  all: number;
  /** Places of one caller. */
  ofOne?: number;
  /** Further places, for callers that hold fewer than `few`. The others cannot take them. */
  reserved?: number;
  few?: number;
}

/** Places that callers hold: organizations, or the addresses of callers that nobody knows yet. */
export class Places {
  readonly #limits: Required<PlaceLimits>;
  readonly #refuse: () => DomainError;
  readonly #held = new Map<string, number>();
  #count = 0;

  constructor(
    { all, ofOne = Number.POSITIVE_INFINITY, reserved = 0, few = 0 }: PlaceLimits,
    refuse: () => DomainError,
  ) {
    this.#limits = { all, ofOne, reserved, few };
    this.#refuse = refuse;
  }

  get count(): number {
    return this.#count;
  }

  /** Throws 503 if the caller gets no place now. */
  require(caller: string) {
    const { all, ofOne, reserved, few } = this.#limits;
    const held = this.#held.get(caller) ?? 0;
    if (held >= ofOne || this.#count >= all + (held < few ? reserved : 0)) throw this.#refuse();
  }

  /** Takes a place. Returns a function that gives it back, once. */
  take(caller: string): () => void {
    this.require(caller);
    this.#count++;
    this.#held.set(caller, (this.#held.get(caller) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#count--;
      const left = (this.#held.get(caller) ?? 1) - 1;
      if (left === 0) this.#held.delete(caller);
      else this.#held.set(caller, left);
    };
  }
}
