// @module-tag engine

import { afterAll, beforeAll, expect, test } from 'vitest';
import { transaction, within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { quote } from '#log/notices/draft.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { addPersonWithRole, organizationOf } from '#test/people.ts';
import { storeDrafts } from './store.ts';

let service: TestApp;
beforeAll(async () => {
  service = await openTestApp();
});
afterAll(() => service.close());

test.each([
  ['an escape sequence', String.raw`see \u0000 in C:`, String.raw`see \u0000 in C:`],
  ['a NUL character', 'one\0two', 'onetwo'],
  ['half a surrogate pair', 'one\ud83dtwo', 'one\ufffdtwo'],
  ['an emoji where a long text is cut', `${'a'.repeat(498)}\u{1f600}b`, `${'a'.repeat(498)}…`],
])('stores a text with %s', async (_, text, stored) => {
  const { orgId } = await organizationOf(service);
  const { external_uuid: userId } = await addPersonWithRole(
    service,
    `${crypto.randomUUID()}@acme.example`,
    'admin',
  );
  const draft = {
    kind: 'request_commented' as const,
    key: crypto.randomUUID(),
    to: [{ userId }],
    title: text,
    body: quote(text),
    path: '/',
  };

  await transaction(within(service.database.db, orgId), (tx) => storeDrafts(tx, [draft], { canEmail: true }));

  const { rows } = await sql<{ body: string }>`
    select body from notification where org_id = ${orgId} and user_id = ${userId}`.execute(
    service.database.db,
  );
  expect(rows).toEqual([{ body: `"${stored}"` }]);
});
