import { createHash } from 'node:crypto';
import { type FileHandle, open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '#kit/errors.ts';
import { signInRefusals } from '../sentences.ts';

/**
 * A list of passwords from known breaches, which the operator downloads: the format of Have I Been Pwned's "Pwned Passwords", with
 * SHA-1 hashes in order. Either one file with a line `HASH:COUNT` for each, or a folder with a file for each prefix of 5 digits
 * (`21BD1.txt`, lines `REST:COUNT`), as its range API returns them. Gatehouse never sends a password or a hash anywhere.
 */

const PREFIX_LENGTH = 5;
const FIRST_LINE = /^[0-9A-F]{40}:\d+\r?\n/i;
/** Longer than any line: 40 digits, a count and the end of the line. */
const LINE_BYTES = 64;

let list: { path: string; isFolder: boolean } | undefined;

/** Refuses passwords of this list from now on, in this process. Throws a StartError if it is not such a list. */
export async function useBreachedPasswords(path: string | undefined): Promise<void> {
  list = undefined;
  if (path === undefined) return;
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
  list = { path, isFolder };
  try {
    if (isFolder) await readRange('00000');
    else if (!FIRST_LINE.test(await firstBytes(path))) throw new Error('It begins with something else.');
  } catch (cause) {
    throw new StartError(
      `GATEHOUSE_BREACHED_PASSWORDS must be a file of SHA-1 hashes in order with lines such as "000000005AD76BD555C1D6D771DE417A4B87E4B4:4", or a folder with a file for each prefix such as 00000.txt. ${path} is neither.`,
      { cause },
    );
  }
}

/** Throws 400 if the password is in the list, and 503 if the list cannot be read any more. */
export async function requireUnbreached(password: string): Promise<void> {
  if (list === undefined) return;
  const hash = createHash('sha1').update(password, 'utf8').digest('hex').toUpperCase();
  let found: boolean;
  try {
    found = list.isFolder ? await isInRange(hash) : await isInFile(list.path, hash);
  } catch {
    throw signInRefusals.breached_passwords_unreadable();
  }
  if (found) throw signInRefusals.password_breached();
}

const readRange = (prefix: string) =>
  readFile(join((list as { path: string }).path, `${prefix}.txt`), 'latin1');

async function isInRange(hash: string): Promise<boolean> {
  const rest = hash.slice(PREFIX_LENGTH);
  const lines = (await readRange(hash.slice(0, PREFIX_LENGTH))).toUpperCase().split('\n');
  return lines.some((line) => line.startsWith(`${rest}:`));
}

async function firstBytes(path: string): Promise<string> {
  const file = await open(path);
  try {
    return await textAt(file, 0);
  } finally {
    await file.close();
  }
}

async function textAt(file: FileHandle, position: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(2 * LINE_BYTES), 0, 2 * LINE_BYTES, position);
  return buffer.toString('latin1', 0, bytesRead);
}

/** Halves the file until the line is found: about 30 reads in a file of 40 GB. */
async function isInFile(path: string, hash: string): Promise<boolean> {
  const file = await open(path);
  try {
    let low = 0;
    let high = (await file.stat()).size;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const text = await textAt(file, Math.max(0, middle - 1));
      // The first line that begins at `middle` or later. A line begins after the end of another, or at 0.
      const start = middle === 0 ? 0 : text.indexOf('\n') + 1;
      const line = text.slice(start, start + hash.length).toUpperCase();
      if (line === hash) return true;
      if (line.length === hash.length && (middle === 0 || start > 0) && line < hash) low = middle + 1;
      else high = middle;
    }
    return false;
  } finally {
    await file.close();
  }
}
