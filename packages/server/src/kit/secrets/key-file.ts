import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db } from '../database/open.ts';
import { StartError } from '../errors.ts';
import { secretKeysInUse } from './queries/data-keys.ts';
import { parseSecretKey, SECRET_KEY_BYTES, type SecretKeys, secretKeyOf } from './secret-key.ts';

const NAME = 'secret.key';

const RESTORE =
  'Restore the file from your backup, or set GATEHOUSE_SECRET_KEY: without the key, the secrets in the database cannot be read.';

/** The file with the secret key of an embedded database. */
const secretKeyFile = (folder: string) => join(folder, NAME);

/**
 * Reads the secret key of an embedded database: one key in a line, the current one first. Creates the file on the first
 * start. Only the process that holds the folder's lock may call it.
 */
export async function loadKeyFile(folder: string, db: Db): Promise<SecretKeys> {
  if (folder.startsWith('memory://')) return temporaryKeys();
  const file = secretKeyFile(folder);
  if (!existsSync(file)) {
    if ((await secretKeysInUse(db)).length > 0) throw new StartError(`${file} is missing. ${RESTORE}`);
    return writeKeyFile(folder, [newLine()]);
  }
  await chmod(file, 0o600);
  return keysOf(file, await linesOf(file));
}

/** Puts a new key before the existing ones. Data stays readable until `dropOldKeys`. */
export async function addKeyToFile(folder: string): Promise<SecretKeys> {
  return writeKeyFile(folder, [newLine(), ...(await linesOf(secretKeyFile(folder)))]);
}

/** Removes all keys but the current one. */
export async function dropOldKeys(folder: string): Promise<void> {
  await writeKeyFile(folder, (await linesOf(secretKeyFile(folder))).slice(0, 1));
}

const newLine = () => randomBytes(SECRET_KEY_BYTES).toString('base64');

const linesOf = async (file: string) =>
  (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== '');

/** Replaces the file as a whole, so that a crash leaves either the old keys or the new ones. */
async function writeKeyFile(folder: string, lines: string[]): Promise<SecretKeys> {
  const file = secretKeyFile(folder);
  const next = await open(`${file}.new`, 'w', 0o600);
  await next.chmod(0o600);
  await next.writeFile(`${lines.join('\n')}\n`);
  await next.sync();
  await next.close();
  await rename(`${file}.new`, file);
  const directory = await open(folder, 'r');
  await directory.sync();
  await directory.close();
  return keysOf(file, lines);
}

function keysOf(file: string, lines: string[]): SecretKeys {
  const [current, ...old] = lines.map((line) => parseSecretKey(line));
  if (current === undefined || old.includes(undefined)) {
    throw new StartError(`${file} does not contain a secret key. ${RESTORE}`);
  }
  return { current, old: old.filter((key) => key !== undefined) };
}

/** Makes a key for a database that ends with this process. */
export const temporaryKeys = (): SecretKeys => ({
  current: secretKeyOf(randomBytes(SECRET_KEY_BYTES)),
  old: [],
});
