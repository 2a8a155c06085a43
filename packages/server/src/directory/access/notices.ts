import type { OrgDb } from '#kit/database.ts';
import { type Draft, date } from '#log/notices/draft.ts';
import { type Notices, toAll } from '#log/notices/notices.ts';
import { security } from '#log/notices/security.ts';
import * as queries from './queries/notices.ts';

/** So long before the end of an API key, people are told. */
const KEY_EXPIRES_DAYS = 7;

async function expiringKeys(db: OrgDb): Promise<Draft[]> {
  const keys = await queries.expiringKeys(db, KEY_EXPIRES_DAYS);
  return keys.map(({ id, name, user_id, expires_at }) => ({
    kind: 'key_expires',
    key: keyExpiryKey(id, expires_at),
    to: toAll([user_id]),
    title: `An API key expires soon: ${name}`,
    body: `It stops working on ${date(expires_at)}. Create another key before that.`,
    path: `/people/${user_id}`,
  }));
}

const keyExpiryKey = (keyId: string, expiresAt: Date): string =>
  `key-expires:${keyId}:${expiresAt.toISOString()}`;

const expiryOf = (expiresAt: unknown): string =>
  typeof expiresAt === 'string' ? `until ${expiresAt.slice(0, 10)}` : 'without an expiry date';

export const accessNotices: Notices = {
  handlers: {
    'api_key.created': security('key_created', ({ event, text }) => ({
      title: `An API key was created: ${text('name')}`,
      body: `It acts for you, ${expiryOf(event.payload.expires_at)}. Created on`,
    })),
    'key.transferred': security('key_created', ({ text }) => ({
      title: `An API key now acts for you: ${text('name')}`,
      body: 'An administrator transferred it to you on',
      to: text('to'),
    })),
  },
  *due() {
    yield expiringKeys;
  },
  keys: {
    key_expires: async (db) =>
      (await queries.expiringKeys(db, KEY_EXPIRES_DAYS)).map(({ id, expires_at }) =>
        keyExpiryKey(id, expires_at),
      ),
  },
};
