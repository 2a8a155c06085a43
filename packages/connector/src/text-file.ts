import { isAscii, isUtf8 } from 'node:buffer';
import type { BigIntStats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { Exit, Failure } from './errors.ts';

/** A line of more bytes would fill the memory. */
const LONGEST_LINE = 4 * 1024 * 1024;

/**
 * Yields a text file in pieces that end with a line. Throws if the file may not be whole: if it changes while it is read, if its
 * last line has no end, or if it has bytes that the encoding does not have. A byte order mark takes precedence over `encoding`.
 */
export async function* readText(file: string, encoding = 'utf-8'): AsyncGenerator<string> {
  const wanted = nameOf(encoding);
  const handle = await open(file);
  try {
    const before = await handle.stat({ bigint: true });
    if (!before.isFile()) throw new Failure(`${file} is not a file`, Exit.usage);
    yield* decoded(file, handle, wanted);
    const after = [await handle.stat({ bigint: true }), await stat(file, { bigint: true }).catch(() => null)];
    if (after.some((each) => !isSame(before, each)))
      throw new Error(`${file} changed while it was read; run again when it is complete`);
  } finally {
    await handle.close();
  }
}

const isSame = (one: BigIntStats, other: BigIntStats | null) =>
  other !== null &&
  one.ino === other.ino &&
  one.dev === other.dev &&
  one.size === other.size &&
  one.mtimeNs === other.mtimeNs;

/** Returns the usual name of an encoding. */
function nameOf(encoding: string): string {
  try {
    return new TextDecoder(encoding).encoding;
  } catch {
    throw new Failure(
      `the encoding "${encoding}" is not known; use utf-8, windows-1252, iso-8859-1 or utf-16le, for example`,
      Exit.usage,
    );
  }
}

async function* decoded(file: string, handle: FileHandle, wanted: string): AsyncGenerator<string> {
  let encoding: string | undefined;
  let rest: Buffer = Buffer.alloc(0);
  let line = 1;
  const decode = (bytes: Buffer): string => {
    const text = textOf(bytes, encoding ?? wanted, (offset) => {
      const why = `is not valid ${encoding ?? wanted}; set the encoding of the file, such as windows-1252`;
      return new Error(`${file}, line ${line + offset}: it ${why}`);
    });
    const nul = text.indexOf('\0');
    if (nul !== -1)
      throw new Error(
        `${file}, line ${line + breaksIn(text.slice(0, nul))}: it has a NUL character; set the encoding of the file, such as utf-16le`,
      );
    // A letter of another alphabet than ASCII is one byte in these encodings, and such text is not valid UTF-8.
    if (/^(?:windows|iso-8859)-/.test(encoding ?? '') && !isAscii(bytes) && isUtf8(bytes))
      throw new Error(`${file} is UTF-8, not ${encoding}; set the encoding to utf-8`);
    const isStart = line === 1 && text.startsWith('\uFEFF');
    line += breaksIn(text);
    return isStart ? text.slice(1) : text;
  };
  for await (const chunk of handle.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) {
    encoding ??= markedEncoding(chunk) ?? wanted;
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = endOfLastLine(bytes, encoding);
    rest = bytes.subarray(end);
    if (rest.length > LONGEST_LINE)
      throw new Error(`${file}, line ${line}: the line has more than ${LONGEST_LINE / 1024 / 1024} MB`);
    if (end > 0) yield decode(bytes.subarray(0, end));
  }
  if (rest.length === 0) return;
  const last = decode(rest);
  if (!last.endsWith('\r'))
    throw new Error(
      `${file} does not end with a line break, so it may be cut off; if it is complete, add one at the end`,
    );
  yield last;
}

/** Throws what `invalid` returns for the first line, counted from 0, that the encoding does not have. */
function textOf(bytes: Buffer, encoding: string, invalid: (line: number) => Error): string {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  const decoded = (part: Buffer) => {
    try {
      return decoder.decode(part);
    } catch {
      return undefined;
    }
  };
  const text = decoded(bytes);
  if (text !== undefined) return text;
  let line = 0;
  for (let start = 0; start < bytes.length; line++) {
    const end = start + endOfFirstLine(bytes.subarray(start), encoding);
    if (decoded(bytes.subarray(start, end)) === undefined) break;
    start = end;
  }
  throw invalid(line);
}

function markedEncoding([first, second, third]: Buffer): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

const breaksIn = (text: string) => text.split('\n').length - 1;

/** Returns the index behind the line break at an index, or undefined if that byte is part of another character. */
function behindBreak(bytes: Buffer, at: number, encoding: string): number | undefined {
  if (encoding === 'utf-16le') return at % 2 === 0 && bytes[at + 1] === 0 ? at + 2 : undefined;
  if (encoding === 'utf-16be') return at % 2 === 1 && bytes[at - 1] === 0 ? at + 1 : undefined;
  return at + 1;
}

function endOfLastLine(bytes: Buffer, encoding: string): number {
  for (let at = bytes.lastIndexOf(10); at !== -1; at = at === 0 ? -1 : bytes.lastIndexOf(10, at - 1)) {
    const end = behindBreak(bytes, at, encoding);
    if (end !== undefined) return end;
  }
  return 0;
}

function endOfFirstLine(bytes: Buffer, encoding: string): number {
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) {
    const end = behindBreak(bytes, at, encoding);
    if (end !== undefined) return end;
  }
  return bytes.length;
}
