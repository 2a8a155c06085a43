import { uploadRefusals } from '../sentences.ts';
import { type Bytes, type Encoding, SEPARATORS, type Separator } from './sheet.ts';

const NAMES: Partial<Record<Encoding, string>> = {
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  shift_jis: 'Shift JIS',
  macintosh: 'Macintosh',
  big5: 'Big5',
};

/** "Windows-1250" */
const nameOf = (encoding: Encoding) =>
  NAMES[encoding] ??
  encoding.replace('windows', 'Windows').replace(/^(utf|iso|gb|euc)/, (name) => name.toUpperCase());

/**
 * Returns the encoding of a text: its byte order mark decides, then whether all of it is valid UTF-8. A text in Windows-1252 has no
 * characters that are valid in UTF-8 and not in ASCII. With some of them, it is UTF-8 with a fault, which reading it reports.
 */
export async function detectEncoding(bytes: Bytes): Promise<Encoding> {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  for await (const chunk of bytes) {
    if (isFirst) {
      const wide = wideEncodingOf(chunk);
      if (wide !== undefined) return wide;
      isFirst = false;
    }
    try {
      if (/[^\0-\x7f]/.test(utf8.decode(chunk, { stream: true }))) return 'utf-8';
    } catch {
      return /[^\0-\x7f\uFFFD]/.test(new TextDecoder().decode(chunk)) ? 'utf-8' : 'windows-1252';
    }
  }
  try {
    utf8.decode();
  } catch {
    return 'windows-1252';
  }
  return 'utf-8';
}

/** Recognizes UTF-16 by its mark, or by the zero bytes of Latin letters. */
function wideEncodingOf(chunk: Uint8Array): Encoding | undefined {
  const [first = 1, second = 1] = chunk;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first !== 0 && second === 0) return 'utf-16le';
  return first === 0 && second !== 0 ? 'utf-16be' : undefined;
}

/** Decodes a text piece by piece, without its byte order mark. Throws 400 for bytes that the encoding does not have. */
export async function* decode(bytes: Bytes, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let line = 1;
  const part = (chunk?: Uint8Array) => {
    try {
      const text = chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
      line += breaksIn(text);
      return text;
    } catch {
      const at = line + breaksIn(validStart(chunk, encoding));
      throw uploadRefusals.encoding_wrong({ encoding: nameOf(encoding), at });
    }
  };
  for await (const chunk of bytes) yield part(chunk);
  yield part();
}

const breaksIn = (text: string) => text.split('\n').length - 1;

/** Returns the text of a chunk before its first fault. The bytes with which a chunk continues a character are not one. */
function validStart(chunk: Uint8Array = new Uint8Array(), encoding: Encoding): string {
  const start = encoding === 'utf-8' ? chunk.findIndex((byte) => (byte & 0xc0) !== 0x80) : 0;
  const text = new TextDecoder(encoding).decode(chunk.subarray(Math.max(0, start)), { stream: true });
  const fault = text.indexOf('\uFFFD');
  return fault === -1 ? text : text.slice(0, fault);
}

/** Returns the separator that a first line such as `sep=;` names, or that the first line has most of, outside quotes. */
export function detectSeparator(text: string): Separator {
  const named = /^sep=(.)\r?\n/i.exec(text)?.[1];
  const separator = SEPARATORS.find((known) => known === named);
  if (separator !== undefined) return separator;
  const counts = new Map<string, number>();
  let quoted = false;
  for (const character of text) {
    if (character === '"') quoted = !quoted;
    else if (!quoted && (character === '\n' || character === '\r')) break;
    else if (!quoted) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  const countOf = (separator: Separator) => counts.get(separator) ?? 0;
  return SEPARATORS.reduce((best, next) => (countOf(next) > countOf(best) ? next : best));
}
