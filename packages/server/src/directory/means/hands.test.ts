import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { openTestDatabase } from '#test/database.ts';
import { addOrganizationAs } from '#test/organization.ts';
import type { MeansKind } from './acting.ts';
import { handsBehindEach, handsOf } from './hands.ts';

const { database, close } = await openTestDatabase();
afterAll(close);

let db: ReturnType<typeof within>;
const [ann, bob, cid, dan] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()] as [
  string,
  string,
  string,
  string,
];
beforeEach(async () => {
  const slug = `hands-${randomUUID().slice(0, 8)}`;
  await addOrganizationAs(database, { slug, name: slug, adminEmail: `admin@${slug}.example` });
  const { rows } = await sql<{ id: string }>`select id from organization where slug = ${slug}`.execute(
    database.db,
  );
  db = within(database.db, rows[0]?.id ?? '');
});

interface Given {
  days?: number;
  through?: string;
}
const give = (giver: string, kind: MeansKind, to: string, { days = 0, through }: Given = {}) =>
  sql`
    insert into given_means (org_id, kind, receiver_id, provider, giver_id, through, given_at)
    values (${db.orgId}, ${kind}, ${kind === 'provider' ? null : to}, ${kind === 'provider' ? to : null}, ${giver},
      ${through ?? null}, clock_now() - ${days} * interval '1 day')`.execute(database.db);
const behind = async (userId: string, more: { transferredFrom?: string; provider?: string } = {}) =>
  Object.fromEntries(await handsOf(db, { userId, ...more }));

describe('the hands behind an act', () => {
  test.each<MeansKind>(['role', 'sign_in_link', 'factor', 'deputy', 'key', 'person', 'email'])(
    'are who gave the person a %s in the last 30 days',
    async (kind) => {
      await give(ann, kind, bob);
      await give(cid, kind, bob, { days: 31 });

      expect(await behind(bob)).toEqual({ [bob]: 'self', [ann]: kind });
    },
  );

  test('are followed back until nobody is added, also in a circle', async () => {
    await give(ann, 'role', bob);
    await give(bob, 'sign_in_link', cid);
    await give(cid, 'deputy', dan);
    await give(dan, 'factor', ann);

    expect(await behind(dan)).toEqual({ [dan]: 'self', [cid]: 'deputy', [bob]: 'chain', [ann]: 'chain' });
  });

  test('are the person who remains, if they were merged', async () => {
    const [old, remaining] = await Promise.all(
      ['old', 'new'].map(async (name) => {
        const email = `${name}-${randomUUID()}@acme.example`;
        const { rows } = await sql<{ id: string }>`
          insert into platform_user (org_id, email, username, role) values (${db.orgId}, ${email}, ${email}, 'member')
          returning id`.execute(database.db);
        return rows[0]?.id ?? '';
      }),
    );
    await sql`update platform_user set merged_into = ${remaining}, status = 'deactivated' where org_id = ${db.orgId} and id = ${old}`.execute(
      database.db,
    );

    expect(await behind(old ?? '')).toEqual({ [old ?? '']: 'self', [remaining ?? '']: 'self' });
  });

  test('are those of the creator of a transferred key, too', async () => {
    await give(cid, 'role', ann);

    expect(await behind(bob, { transferredFrom: ann })).toEqual({
      [bob]: 'self',
      [ann]: 'self',
      [cid]: 'role',
    });
  });

  test('are who created or changed the provider of the session, and of the sessions of others', async () => {
    await give(ann, 'provider', 'okta');
    await give(cid, 'role', bob, { through: 'okta' });

    expect(await behind(dan, { provider: 'okta' })).toEqual({ [dan]: 'self', [ann]: 'provider' });
    expect(await behind(bob)).toEqual({ [bob]: 'self', [cid]: 'role', [ann]: 'chain' });
  });

  test.each<MeansKind>(['person', 'email'])(
    'are not who gave a %s, if a provider unchanged for 30 days signs in',
    async (kind) => {
      await give(ann, kind, bob);
      await give(cid, 'provider', 'okta', { days: 31 });

      expect(await behind(bob, { provider: 'okta' })).toEqual({ [bob]: 'self' });
      await give(cid, 'provider', 'okta', { days: 29 });
      expect(await behind(bob, { provider: 'okta' })).toEqual({
        [bob]: 'self',
        [ann]: kind,
        [cid]: 'provider',
      });
    },
  );

  test('are those of the time of each act', async () => {
    await give(ann, 'role', bob, { days: 40 });
    const at = (days: number) => new Date(Date.now() - days * 86_400_000);
    const acts = [41, 39, 11, 9].map((days) => ({ person: bob, provider: null, at: at(days) }));

    const each = await handsBehindEach(db, acts);

    expect(each.map((hands) => hands.has(ann))).toEqual([false, true, true, false]);
  });
});
