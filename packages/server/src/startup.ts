import type { Config } from '#config.ts';
import { sealSignInSecrets } from '#directory/access/organization-state.ts';
import { migrate } from '#kit/database/migrate.ts';
import { type DatabaseOptions, openDatabase } from '#kit/database/open.ts';
import type { Database } from '#kit/database.ts';
import { hasDataKeys } from '#kit/secrets/facts.ts';
import { loadKeyFile } from '#kit/secrets/key-file.ts';
import type { SecretKeys } from '#kit/secrets/secret-key.ts';
import { openSecrets, requireSecretKeys, type Secrets } from '#kit/secrets/secrets.ts';
import { sealCursorKeys } from '#log/events/cursor-keys.ts';

export interface Opened {
  database: Database;
  secrets: Secrets;
  /** Throws StartError if the database has secrets that this process cannot read. */
  requireKeys: () => Promise<void>;
}

/**
 * Opens the database and brings it up to date: applies the migrations, and encrypts the secrets that an earlier version
 * stored in plain text. Throws StartError if the secret key is not the one that encrypted the database.
 */
export async function openData(
  config: Config,
  handlers: Pick<DatabaseOptions, 'onError' | 'onDeath'> = {},
): Promise<Opened> {
  const { databaseUrl: url, dataDir } = config;
  return prepareData(config, await openDatabase({ url, dataDir, ...handlers }));
}

/** Brings an open database up to date, as `openData` does. Closes it after an error. */
export async function prepareData(config: Config, database: Database): Promise<Opened> {
  try {
    // A process with the wrong key must not migrate: the previous version would no longer start.
    if (await hasDataKeys(database.db))
      await requireSecretKeys(database.db, await secretKeysOf(config, database));
    await migrate(database);
    const keys = await secretKeysOf(config, database);
    const requireKeys = () => requireSecretKeys(database.db, keys);
    await requireKeys();
    const secrets = openSecrets(keys);
    await sealSignInSecrets(database.db, secrets);
    await sealCursorKeys(database.db, secrets);
    // Another node may have encrypted some of them at the same time, with a key that only it has.
    await requireKeys();
    return { database, secrets, requireKeys };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The keys of the settings or, for an embedded database, those of the file in its folder. */
async function secretKeysOf(
  { secretKey, oldSecretKeys, dataDir }: Config,
  { db }: Database,
): Promise<SecretKeys> {
  if (secretKey !== undefined) return { current: secretKey, old: oldSecretKeys };
  return loadKeyFile(dataDir, db);
}
