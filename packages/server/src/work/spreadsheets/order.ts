import { hash } from 'node:crypto';

/** Fewer missing accounts at the end may be a coincidence, as in the SDK for connectors. */
const FEWEST = 3;

/** The ids of a file in its order, as eight bytes of a hash each: a file of 500,000 accounts takes 4 MB. */
export class Order {
  #ids = new BigUint64Array(1024);
  #count = 0;

  add(id: string) {
    if (this.#count === this.#ids.length) {
      const larger = new BigUint64Array(2 * this.#count);
      larger.set(this.#ids);
      this.#ids = larger;
    }
    this.#ids[this.#count++] = hash('sha256', id, 'buffer').readBigUInt64LE();
  }

  bytes(): Uint8Array {
    return new Uint8Array(this.#ids.slice(0, this.#count).buffer);
  }

  /**
   * Returns how many accounts of an earlier order are missing, if this one looks cut off: it ends with one of the earlier accounts, and has all
   * up to that one, and none of those that followed. A last account that is new may be the rest of a line that was cut within its id.
   * Otherwise 0.
   */
  missingTail(earlier: Uint8Array): number {
    const last = new BigUint64Array(earlier.slice().buffer);
    const ids = this.#ids.subarray(0, this.#count);
    const [beforeEnd, end] = [ids.at(-2), ids.at(-1)].map((id) =>
      id === undefined ? -1 : last.lastIndexOf(id),
    );
    const place = end === -1 ? beforeEnd : end;
    if (place === undefined || place === -1) return 0;
    const sorted = ids.toSorted();
    const gone = (some: BigUint64Array) =>
      some.reduce((count, id) => count + (includes(sorted, id) ? 0 : 1), 0);
    const behind = last.subarray(place + 1);
    const isCutOff = gone(behind) === behind.length && gone(last) === behind.length;
    return isCutOff && behind.length >= FEWEST ? behind.length : 0;
  }
}

function includes(sorted: BigUint64Array, id: bigint): boolean {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as bigint) < id) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === id;
}
