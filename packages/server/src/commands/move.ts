import { join } from 'node:path';
import { readConfig } from '#config.ts';
import { counted } from '#kit/counted.ts';
import { EMBEDDED } from '#kit/database/private-folder.ts';
import { StartError } from '#kit/errors.ts';
import type { SecretKey } from '#kit/secrets/secret-key.ts';
import { moveToPostgres } from '#operate/move/move.ts';
import { SETTINGS } from '#settings.ts';
import { type Area, type Terminal, UsageError } from './command.ts';

export const move: Area = {
  usage: `  move                          move the embedded database of GATEHOUSE_DATA_DIR to the empty PostgreSQL of DATABASE_URL`,
  alone: {
    move: (terminal, words) => {
      if (words.length > 0) throw new UsageError();
      return moveCommand(terminal);
    },
  },
};

/** The settings are those with which the servers will start on PostgreSQL. */
async function moveCommand({ env, stderr }: Terminal): Promise<string> {
  const dataDir = env.GATEHOUSE_DATA_DIR || SETTINGS.GATEHOUSE_DATA_DIR.default;
  if (!env.DATABASE_URL)
    throw new StartError('Set DATABASE_URL to the empty database of PostgreSQL that will have the data.');
  if (!env.GATEHOUSE_SECRET_KEY) {
    throw new StartError(
      `Set GATEHOUSE_SECRET_KEY to the key of the embedded database, as for the servers on PostgreSQL: GATEHOUSE_SECRET_KEY="$(head -n 1 ${join(dataDir, 'secret.key')})".`,
    );
  }
  const config = readConfig(env);
  const started = performance.now();
  const moved = await moveToPostgres({
    dataDir: config.dataDir,
    url: config.databaseUrl as string,
    keys: { current: config.secretKey as SecretKey, old: config.oldSecretKeys },
    note: (step) => stderr.write(`${step} …\n`),
  });
  const seconds = Math.ceil((performance.now() - started) / 1000);
  return [
    `${counted(moved.rows, 'row')} of ${counted(moved.tables, 'table')} (${(moved.bytes / 1e6).toFixed(1)} MB) moved to the database ${moved.name} in ${counted(seconds, 'second')}. Each byte was compared before the commit.`,
    '',
    'Next:',
    '  1. Start Gatehouse with the same DATABASE_URL and GATEHOUSE_SECRET_KEY, and sign in.',
    '  2. Set up backups of the new database. Those of the embedded database end here.',
    `  3. Keep the secret key. Delete ${join(dataDir, EMBEDDED)} when you no longer need the old state. It no longer starts.`,
  ].join('\n');
}
