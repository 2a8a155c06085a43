import { createSecretKey, type KeyObject, randomBytes, randomUUIDv7 } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Db } from '../database/open.ts';
import type { OrgDb, OrgTx } from '../database/organization.ts';
import { StartError } from '../errors.ts';
import { decrypt, encrypt } from './cipher.ts';
import * as queries from './queries/data-keys.ts';
import { SECRET_KEY_BYTES, type SecretKeys } from './secret-key.ts';

/**
 * Encrypts the secrets of organizations. A secret is encrypted with a data key of its organization, and the data key
 * with the secret key, which is not in the database (ADR 12). Changing the secret key re-encrypts the data keys only.
 */
export interface Secrets {
  /** Encrypts a secret. `purpose` names its column: it cannot be decrypted in the place of another secret. */
  seal(db: OrgDb, purpose: string, secret: Buffer): Promise<string>;
  /** Decrypts the result of `seal`. */
  open(db: OrgDb, purpose: string, sealed: string): Promise<Buffer>;
  /** Encrypts an organization's data keys with the current secret key. Returns the number of changed ones. */
  rewrap(tx: OrgTx): Promise<number>;
  /** Returns the organizations whose data keys are not encrypted with the current secret key. */
  organizationsToRewrap(db: Db): Promise<string[]>;
  /** The id of the current secret key. */
  keyId: string;
}

const MOST_KEYS = 10_000;
const VERSION = 'v1';

export function openSecrets({ current, old }: SecretKeys): Secrets {
  const secretKeys = new Map([...old, current].map((one) => [one.id, one]));
  /** A data key never changes, so a cached one stays right even if the transaction that created it fails. */
  const dataKeys = new LRUCache<string, KeyObject>({ max: MOST_KEYS });

  const wrap = (orgId: string, id: string, key: KeyObject): queries.WrappedKey => ({
    id,
    wrapped: encrypt(current.key, contextOf(orgId, id), key.export()),
    wrapped_by: current.id,
  });

  function unwrap(orgId: string, { id, wrapped, wrapped_by }: queries.WrappedKey): KeyObject {
    const secretKey = secretKeys.get(wrapped_by);
    if (secretKey === undefined) throw new Error(unknownKey(wrapped_by));
    return createSecretKey(decrypt(secretKey.key, contextOf(orgId, id), Buffer.from(wrapped)));
  }

  async function createDataKey(db: OrgDb) {
    const id = randomUUIDv7();
    const key = createSecretKey(randomBytes(SECRET_KEY_BYTES));
    await queries.insertDataKey(db, wrap(db.orgId, id, key));
    return { id, key };
  }

  async function currentDataKey(db: OrgDb) {
    const latest = await queries.latestDataKey(db);
    return latest === undefined ? createDataKey(db) : { id: latest.id, key: unwrap(db.orgId, latest) };
  }

  async function dataKey(db: OrgDb, id: string): Promise<KeyObject> {
    const name = `${db.orgId} ${id}`;
    const cached = dataKeys.get(name);
    if (cached !== undefined) return cached;
    const row = await queries.findDataKey(db, id);
    if (row === undefined) throw new Error(`The data key ${id} of the organization ${db.orgId} is missing.`);
    const key = unwrap(db.orgId, row);
    dataKeys.set(name, key);
    return key;
  }

  return {
    keyId: current.id,
    async seal(db, purpose, secret) {
      const { id, key } = await currentDataKey(db);
      return [VERSION, id, encrypt(key, contextOf(db.orgId, purpose), secret).toString('base64url')].join(
        '.',
      );
    },
    async open(db, purpose, sealed) {
      const [version, id = '', text = ''] = sealed.split('.');
      if (version !== VERSION) throw new Error(`A newer version of Gatehouse has encrypted ${purpose}.`);
      const key = await dataKey(db, id);
      return decrypt(key, contextOf(db.orgId, purpose), Buffer.from(text, 'base64url'));
    },
    async rewrap(tx) {
      const rows = await queries.lockKeysToRewrap(tx, current.id);
      for (const row of rows) await queries.updateDataKey(tx, wrap(tx.orgId, row.id, unwrap(tx.orgId, row)));
      return rows.length;
    },
    organizationsToRewrap: (db) => queries.organizationsToRewrap(db, current.id),
  };
}

const contextOf = (orgId: string, what: string) => `${orgId}:${what}`;

/** Stops startup unless the given keys can read everything in the database. */
export async function requireSecretKeys(db: Db, { current, old }: SecretKeys): Promise<void> {
  const known = new Set([current, ...old].map(({ id }) => id));
  const missing = (await queries.secretKeysInUse(db)).find((id) => !known.has(id));
  if (missing !== undefined) throw new StartError(unknownKey(missing, current.id));
}

const unknownKey = (needed: string, given?: string) =>
  `The secrets in this database are encrypted with the secret key ${needed}${
    given === undefined ? '' : `, but GATEHOUSE_SECRET_KEY is the key ${given}`
  }. Set GATEHOUSE_SECRET_KEY to the key that was used before. If you are replacing that key, add it to GATEHOUSE_SECRET_KEY_OLD. Nothing was changed.`;
