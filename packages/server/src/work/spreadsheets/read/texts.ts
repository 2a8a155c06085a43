const MB = 1024 * 1024;

/**
 * The texts of a workbook, outside the heap of the thread: a string there takes several times the memory of its characters, and a
 * workbook of 10 MB can hold 128 MB of texts.
 */
export class Texts {
  #pieces: Buffer[] = [];
  /** For each text the number of its piece, where it begins there, and its bytes. */
  readonly #places: number[] = [];
  #end = MB;

  /** Returns the number of texts. */
  push(text: string): number {
    const bytes = Buffer.byteLength(text);
    if (this.#end + bytes > MB) {
      this.#pieces.push(Buffer.allocUnsafeSlow(Math.max(MB, bytes)));
      this.#end = 0;
    }
    const piece = this.#pieces.length - 1;
    (this.#pieces[piece] as Buffer).write(text, this.#end);
    this.#places.push(piece, this.#end, bytes);
    this.#end += bytes;
    return this.#places.length / 3;
  }

  at(number: number): string | undefined {
    const [piece = -1, start = 0, bytes = 0] = Number.isInteger(number)
      ? this.#places.slice(3 * number, 3 * number + 3)
      : [];
    return this.#pieces[piece]?.toString('utf8', start, start + bytes);
  }
}
