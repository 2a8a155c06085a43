// @module-tag engine
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { organizationOf } from '#test/people.ts';

let service: TestApp;
let orgId: string;
let ownerId: string;
beforeAll(async () => {
  service = await openTestApp({ own: true });
  ({ orgId, ownerId } = await organizationOf(service));
});
afterAll(() => service.close());

interface List {
  count: number;
  more?: boolean;
  next: string | null;
  results: { external_uuid: string; email: string }[];
}
const list = async (path: string, query: Record<string, string>): Promise<List> =>
  (await service.call('GET', `${path}?${new URLSearchParams(query)}`)).body;

async function addApp(name: string) {
  const { id } = (await service.call('POST', '/api/v1/bridge/apps/', { name })).body;
  const type = { slug: 'user', name: 'Users', type: 'account' };
  const typeId = (await service.call('POST', `/api/v1/bridge/apps/${id}/resource-types/`, type)).body.id;
  return { id: id as string, typeId: typeId as string };
}

test('finds every account with two given characters, whatever surrounds them', async () => {
  const { id, typeId } = await addApp('Texts');
  const odd = [
    'ez',
    'éz',
    'ézé',
    'zqé',
    'ıq',
    'IQ',
    'İq',
    'Kelvin',
    '\tzq',
    'z.q',
    'z q',
    'Zq',
    'a\\b',
    'a_b',
    '(zq)',
  ];
  const characters = fc.constantFrom(
    ...'zqékКиß7',
    'İ',
    'I',
    'ı',
    'K',
    'Σ',
    '😀',
    ...'.@ _%\\[]()^$*+?{}|-#\t',
  );
  const texts = [
    ...odd,
    ...fc.sample(fc.string({ unit: characters, maxLength: 6 }), { numRuns: 100, seed: 1 }),
  ];
  const of = (i: number) => texts[i % texts.length] ?? '';
  const { db } = service.database;
  const rows = texts.map((email, i) => ({
    email,
    username: of(i + 1),
    name: of(i + 2),
    external: String(i),
  }));
  await sql`
    insert into account (org_id, app_id, resource_type_id, external_id, email, username, display_name, status)
    select ${orgId}, ${id}, ${typeId}, external, email, username, name, 'ACTIVE'
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (external text, email text, username text, name text)`.execute(
    db,
  );
  const expected = async (part: string, searched: string) => {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from account
      where app_id = ${id} and strpos(${sql.raw(searched)}, lower(${part})) > 0`.execute(db);
    return rows[0]?.n;
  };

  const parts = fc.string({ unit: characters, minLength: 1, maxLength: 3 });
  for (const part of ['zq', 'éz', 'iq', 'ke', '.q', '\tz', ...fc.sample(parts, { numRuns: 50, seed: 2 })]) {
    expect([part, (await list('/api/accounts/', { app: id, search: part })).count]).toEqual([
      part,
      await expected(part, `lower(email || ' ' || username || ' ' || display_name)`),
    ]);
    expect([part, (await list('/api/accounts/', { app: id, email: part })).count]).toEqual([
      part,
      await expected(part, 'lower(email)'),
    ]);
  }
});

test('lists, orders and counts a search with more results than are sorted together', {
  timeout: 120_000,
}, async () => {
  const { id, typeId } = await addApp('Large');
  const [all, few] = [10_600, 9_990];
  const { db } = service.database;
  await sql`
    with made as (
      insert into account (org_id, app_id, resource_type_id, external_id, email, status)
      select ${orgId}, ${id}, ${typeId}, n, case when n % 20 = 0 then 'yy' else 'zz' end || lpad((n * 7919 % 10007)::text, 5, '0')
          || case when n <= ${few} then '@few.example' else '@many.example' end, 'ACTIVE'
      from generate_series(1, ${all}::integer) n returning org_id, app_id, id, external_id::integer as n
    ), used as (
      insert into account_detail (org_id, account_id, app_id, last_sign_in_at, digest)
      select org_id, id, app_id, now() - n * interval '1 minute', uuidv7() from made where n <= 2000 and n % 2 = 0)
    insert into task (org_id, app_id, account_id, action, status, execute_after, ended_at, task_type, created_by)
    select org_id, app_id, id, 'update_account', 'completed', now(), now(), 'USER_ACTION', ${ownerId}::uuid
    from made`.execute(db);
  await sql`analyze account, account_detail`.execute(db);
  const { rows: sorted } = await sql<{ email: string; id: string }>`
    select email, id from account where app_id = ${id} order by lower(email), id`.execute(db);
  const { rows: used } = await sql<{ email: string; id: string }>`
    select a.email, a.id from account a left join account_detail d on d.org_id = a.org_id and d.account_id = a.id
    where a.app_id = ${id} order by d.last_sign_in_at nulls last, a.id`.execute(db);
  const { rows: newest } = await sql<{ id: string; email: string }>`
    select t.id, a.email from task t join account a on a.org_id = t.org_id and a.id = t.account_id
    where t.app_id = ${id} order by t.number desc`.execute(db);

  for (const [part, total] of [
    ['zz', (all * 19) / 20],
    ['@few.', few],
  ] as const) {
    const idsOf = (rows: typeof sorted) =>
      rows.filter(({ email }) => email.includes(part)).map((row) => row.id);
    for (const offset of [0, 890, 9_980, 10_000, 1_000_000]) {
      const query = { app: id, email: part, limit: '20', offset: String(offset) };
      for (const [path, sort, rows] of [
        ['/api/accounts/', { sort: 'email' }, sorted],
        ['/api/accounts/', { sort: 'last_sign_in' }, used],
        ['/api/tasks/', {}, newest],
      ] as const) {
        const page = await list(path, { ...query, ...sort });
        expect(page.count).toBe(total);
        expect(page.results.map((item) => item.external_uuid)).toEqual(
          idsOf(rows).slice(offset, offset + 20),
        );
        const counted = await list(path, { ...query, count_to: '100' });
        const to = Math.max(100, offset + 20);
        expect([counted.count, counted.more]).toEqual([Math.min(total, to), total > to]);
        expect(counted.results).toHaveLength(page.results.length);
      }
    }
  }
});
