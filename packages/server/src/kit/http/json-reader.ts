import { httpRefusals } from './sentences.ts';

/** The form in which a value is read. Everything else in it is checked, but takes no memory. */
export type Shape =
  /** Texts, numbers, true, false and null. A list or an object becomes an empty one. */
  | 'scalar'
  /** A list. Its elements after the first `most` are missing, but count in its length. */
  | { list: Shape; most: number }
  /** An object with any fields, of which there may be `most`. */
  | { map: Shape; most: number }
  /** An object. Other fields are left out. */
  | { fields: Readonly<Record<string, Shape>> };

const [QUOTE, BACKSLASH, COLON, COMMA, LOWER_U] = [0x22, 0x5c, 0x3a, 0x2c, 0x75];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const [SPACE, FIRST_PRINTABLE] = [0x20, 0x20];
const ESCAPED = new Set(Buffer.from('"\\/bfnrt'));
const SCALAR = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

const notJson = () => httpRefusals.body_not_json();

/**
 * Reads JSON from bytes piece by piece. JSON.parse needs up to 30 times as much memory as a text has bytes, and ends the whole process if
 * the heap of its thread does not have it. This takes memory for what the caller asks for only (ADR 27). The bytes are valid UTF-8.
 */
export class JsonReader {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  get at(): number {
    return this.#at;
  }

  isList = (): boolean => this.#peek() === OPEN_LIST;
  isObject = (): boolean => this.#peek() === OPEN_OBJECT;

  /** Throws unless everything has been read. */
  end() {
    if (this.#peek() !== undefined) throw notJson();
  }

  /** Calls `each` with the name of each field. It must read or skip the value. */
  object(each: (name: string) => void) {
    this.#sequence(OPEN_OBJECT, CLOSE_OBJECT, () => {
      if (this.#peek() !== QUOTE) throw notJson();
      const name = this.#text();
      this.#expect(COLON);
      each(name);
    });
  }

  /** Calls `each` with the index of each element. It must read or skip the value. Returns the number of elements. */
  list(each: (index: number) => void): number {
    let length = 0;
    this.#sequence(OPEN_LIST, CLOSE_LIST, () => each(length++));
    return length;
  }

  /** Checks a value without keeping anything of it. */
  skip() {
    const first = this.#peek();
    if (first === QUOTE) this.#endOfText();
    else if (first === OPEN_LIST) this.list(() => this.skip());
    else if (first === OPEN_OBJECT)
      this.#sequence(OPEN_OBJECT, CLOSE_OBJECT, () => {
        if (this.#peek() !== QUOTE) throw notJson();
        this.#endOfText();
        this.#expect(COLON);
        this.skip();
      });
    else this.#scalar();
  }

  read(shape: Shape): unknown {
    const first = this.#peek();
    if (first === OPEN_LIST) return this.#readList(shape);
    if (first === OPEN_OBJECT) return this.#readObject(shape);
    return first === QUOTE ? this.#text() : JSON.parse(this.#scalar());
  }

  #readList(shape: Shape): unknown[] {
    const items: unknown[] = [];
    if (typeof shape !== 'object' || !('list' in shape)) this.skip();
    else
      items.length = this.list((index) => {
        if (index < shape.most) items.push(this.read(shape.list));
        else this.skip();
      });
    return items;
  }

  #readObject(shape: Shape): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    if (shape === 'scalar' || 'list' in shape) {
      this.skip();
      return object;
    }
    let left = 'map' in shape ? shape.most : Number.POSITIVE_INFINITY;
    this.object((name) => {
      const of = 'map' in shape ? shape.map : Object.hasOwn(shape.fields, name) && shape.fields[name];
      if (!of) return this.skip();
      if (left-- === 0) throw httpRefusals.object_too_large();
      // Assigning __proto__ would not make a field.
      Object.defineProperty(object, name, {
        value: this.read(of),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    });
    return object;
  }

  #peek(): number | undefined {
    let byte = this.#bytes[this.#at];
    while (byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = this.#bytes[++this.#at];
    return byte;
  }

  #expect(byte: number) {
    if (this.#peek() !== byte) throw notJson();
    this.#at++;
  }

  #sequence(open: number, close: number, each: () => void) {
    this.#expect(open);
    if (this.#peek() === close) {
      this.#at++;
      return;
    }
    for (;;) {
      each();
      const next = this.#peek();
      this.#at++;
      if (next === close) return;
      if (next !== COMMA) throw notJson();
    }
  }

  #text(): string {
    const start = this.#at;
    const hasEscapes = this.#endOfText();
    return hasEscapes
      ? (JSON.parse(this.#bytes.toString('utf8', start, this.#at)) as string)
      : this.#bytes.toString('utf8', start + 1, this.#at - 1);
  }

  /** Checks a text and goes behind it. Returns whether it has escaped characters. */
  #endOfText(): boolean {
    const bytes = this.#bytes;
    let at = this.#at + 1;
    let hasEscapes = false;
    for (;;) {
      const byte = bytes[at];
      if (byte === QUOTE) break;
      if (byte === undefined || byte < FIRST_PRINTABLE) throw notJson();
      at++;
      if (byte !== BACKSLASH) continue;
      hasEscapes = true;
      if (bytes[at] === LOWER_U) at = this.#endOfUnit(at);
      else if (!ESCAPED.has(bytes[at++] ?? 0)) throw notJson();
    }
    this.#at = at + 1;
    return hasEscapes;
  }

  /** Checks the escaped UTF-16 unit whose `u` is at this place, and the second half of a pair with it. */
  #endOfUnit(at: number): number {
    const unit = this.#unit(at);
    const isPair =
      unit >= 0xd800 && unit < 0xdc00 && this.#bytes[at + 5] === BACKSLASH && this.#bytes[at + 6] === LOWER_U;
    const second = isPair ? this.#unit(at + 6) : 0;
    if (second >= 0xdc00 && second < 0xe000) return at + 11;
    if (unit >= 0xd800 && unit < 0xe000) throw loneSurrogate();
    return at + 5;
  }

  #unit(at: number): number {
    const digits = this.#bytes.toString('latin1', at + 1, at + 5);
    if (!/^[\da-f]{4}$/i.test(digits)) throw notJson();
    return Number.parseInt(digits, 16);
  }

  #scalar(): string {
    const start = this.#at;
    let byte = this.#bytes[this.#at];
    while (
      byte !== undefined &&
      byte > SPACE &&
      byte !== COMMA &&
      byte !== CLOSE_LIST &&
      byte !== CLOSE_OBJECT
    )
      byte = this.#bytes[++this.#at];
    const text = this.#bytes.toString('latin1', start, this.#at);
    if (!SCALAR.test(text)) throw notJson();
    return text;
  }
}

export const loneSurrogate = () => httpRefusals.lone_surrogate();
