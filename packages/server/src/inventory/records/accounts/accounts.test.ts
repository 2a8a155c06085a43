// @module-tag engine

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Tx, within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { type List, openTestApp, type TestApp } from '#test/app.ts';
import { addPersonWithKey, organizationOf } from '#test/people.ts';
import { beginTaskChange } from '../history/change.ts';
import type { AccountStatus } from './account.ts';
import {
  countSteps,
  foldAccountCounts,
  insertedAccountColumns,
  updatedAccountColumns,
} from './queries/account-counts.ts';
import { applyStatus } from './queries/effects.ts';

let service: TestApp;
let call: TestApp['call'];
let orgId: string;
let ownerId: string;
beforeAll(async () => {
  service = await openTestApp();
  call = service.call;
  ({ orgId, ownerId } = await organizationOf(service));
});
afterAll(() => service.close());

const STATUSES = ['NEW', 'INVITED', 'ACTIVE', 'SUSPENDED', 'INACTIVE'] as const;
type Item = { external_uuid: string; email: string; status: string };
interface Stored {
  email?: string;
  status?: string;
}

/** Adds an app with an account type and accounts. */
async function addApp(accounts: Stored[] = [], name = 'App') {
  const { id } = (await call('POST', '/api/v1/bridge/apps/', { name })).body;
  const type = { slug: 'user', name: 'Users', type: 'account' };
  const typeId = (await call('POST', `/api/v1/bridge/apps/${id}/resource-types/`, type)).body.id;
  await addAccounts(id, typeId, accounts);
  return { id: id as string, typeId: typeId as string };
}

async function addAccounts(appId: string, typeId: string, accounts: Stored[]) {
  const rows = accounts.map(({ email = '', status = 'ACTIVE' }) => ({
    email,
    status,
    external: randomUUID(),
  }));
  await sql`
    with added as (
      insert into account (org_id, app_id, resource_type_id, external_id, email, status)
      select ${orgId}, ${appId}, ${typeId}, external, email, status
      from json_to_recordset(${JSON.stringify(rows)}::json) as r (external text, email text, status text)
      returning ${insertedAccountColumns})
    ${countSteps({ orgId }, sql`added`)}`.execute(service.database.db);
}

const list = async (query: string, key?: string): Promise<List<Item>> =>
  (await call('GET', `/api/accounts/?${query}`, undefined, key === undefined ? {} : { key })).body;
const emailsIn = async (query: string) => (await list(query)).results.map(({ email }) => email).toSorted();
const below = (address: string) => address.slice(address.indexOf('/api/'));

test('shows an account with its app (protocol 2.8, 2.9)', async () => {
  const { id } = await addApp([{ email: 'Ada@x.example', status: 'INVITED' }], 'Payroll');

  const { results } = await list(`app=${id}`);

  expect(results).toEqual([
    {
      external_uuid: expect.any(String),
      email: 'Ada@x.example',
      status: 'INVITED',
      app: {
        external_uuid: id,
        name: 'Payroll',
        connection: { external_uuid: id, display_name: 'Payroll', unique_identifier: `bridge:${id}` },
      },
      external_id: expect.any(String),
      username: '',
      display_name: '',
      user: null,
      person: null,
      memberships: {},
      assignments: {},
      last_seen_at: null,
      last_sign_in_at: null,
      mfa_enabled: null,
      owner_email: null,
      attributes: {},
      kind: 'person',
      owner: null,
      owner_confirmed: true,
      found: true,
      grants: [],
      suspensions: [],
    },
  ]);
  const one = `/api/accounts/${results[0]?.external_uuid}/`;
  expect((await call('GET', one)).body).toEqual(results[0]);
  expect((await call('GET', one.toUpperCase().replace('/API/ACCOUNTS', '/api/accounts'))).body).toEqual(
    results[0],
  );
});

describe('filters', () => {
  test('by status and app, alone and together', async () => {
    const all = STATUSES.flatMap((status, i) =>
      Array.from({ length: i + 1 }, (_, n) => ({ status, email: `${status}-${n}@filter.example` })),
    );
    const { id } = await addApp(all);
    await addApp(all);

    expect((await list(`app=${id}`)).count).toBe(all.length);
    for (const [i, status] of STATUSES.entries()) {
      const { count, results } = await list(`app=${id.toUpperCase()}&status=${status}`);
      expect(count).toBe(i + 1);
      expect(results.map((item) => item.status)).toEqual(Array(i + 1).fill(status));
      expect((await list(`status=${status}&email=@filter.`)).count).toBe(2 * (i + 1));
      expect((await list(`app=${id}&status=${status}&email=-0@filter`)).count).toBe(1);
    }
    expect(await list(`app=${randomUUID()}`)).toEqual({ count: 0, next: null, previous: null, results: [] });
  });

  test('by a literal part of the email, in any case', async () => {
    const emails = ['Ada@Partial.example', '100%_off@partial.example', '1000off@partial.example'];
    const odd = [
      'back\\slash@partial.example',
      'ÄRGER@partial.example',
      'İΑΣ@partial.example',
      '',
      'a+b@partial.example',
    ];
    const { id } = await addApp([...emails, ...odd].map((email) => ({ email })));
    const find = (part: string) => emailsIn(`app=${id}&email=${encodeURIComponent(part)}`);

    expect(await find('ADA@partial')).toEqual(['Ada@Partial.example']);
    expect(await find('%')).toEqual(['100%_off@partial.example']);
    expect(await find('0%_o')).toEqual(['100%_off@partial.example']);
    expect(await find('_')).toEqual(['100%_off@partial.example']);
    expect(await find('\\')).toEqual(['back\\slash@partial.example']);
    expect(await find('k\\s')).toEqual(['back\\slash@partial.example']);
    expect(await find('a+b')).toEqual(['a+b@partial.example']);
    expect(await find('ÄRGER')).toEqual(['ÄRGER@partial.example']);
    expect(await find('İΑΣ')).toEqual(['İΑΣ@partial.example']);
    expect(await find("' or '1'='1")).toEqual([]);
    expect((await find('partial')).length).toBe(7);
    expect((await find('')).length).toBe(8);
  });

  test('by a part of the email, the username or the display name', async () => {
    const { id } = await addApp([{ email: 'one@search.example' }, { email: 'two@search.example' }]);
    await sql`
      update account set display_name = 'Grace Hopper', username = 'ghopper_1'
      where org_id = ${orgId} and app_id = ${id} and email = 'two@search.example'`.execute(
      service.database.db,
    );
    const find = (part: string) => emailsIn(`app=${id}&search=${encodeURIComponent(part)}`);

    expect(await find('grace HOP')).toEqual(['two@search.example']);
    expect(await find('hopper_1')).toEqual(['two@search.example']);
    expect(await find('hopperx1')).toEqual([]);
    expect(await find('ONE@')).toEqual(['one@search.example']);
    expect(await find('@search.')).toHaveLength(2);
    expect(await emailsIn(`app=${id}&email=hopper`)).toEqual([]);
    expect(await emailsIn(`app=${id}&search=hopper&email=one@`)).toEqual([]);
  });

  test('by any part of any email', async () => {
    const { id, typeId } = await addApp();
    const text = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .filter((email) => !email.includes('\0'));
    await fc.assert(
      fc.asyncProperty(text, fc.nat(), fc.nat(), async (email, from, length) => {
        const characters = [...email];
        const start = from % characters.length;
        const part = characters.slice(start, start + 1 + (length % characters.length)).join('');
        await addAccounts(id, typeId, [{ email }]);

        const found = await emailsIn(`app=${id}&limit=200&email=${encodeURIComponent(part)}`);

        expect(found).toContain(email);
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    'app=payroll',
    'app=',
    'status=active',
    'status=',
    'status=GONE',
    'status=ACTIVE&status=NEW',
    'email=%00',
    'user=ada',
    'linked=maybe',
    'limit=0',
    'limit=-1',
    'limit=1.5',
    'limit=ten',
    'limit=',
    'limit=1&limit=2',
    'limit=Infinity',
    'limit=1e1',
    'limit=0x10',
    'linked=1',
    'linked=',
    'offset=-1',
    'offset=0.5',
    'offset=x',
    'offset=',
    'offset=99999999999999999999',
  ])('rejects %s', async (query) => {
    expect(await call('GET', `/api/accounts/?${query}`)).toMatchObject({
      status: 400,
      body: { detail: expect.any(String) },
    });
  });

  test('lists the accounts that hold a group or license, of one app or of all', async () => {
    const holders: string[] = [];
    for (const name of ['One', 'Two']) {
      const { id, typeId } = await addApp([
        { email: `has-ops@${name}.example` },
        { email: 'has-none@x.example' },
      ]);
      holders.push(id);
      const role = { slug: 'role', name: 'Roles', type: 'group' };
      const made = await call('POST', `/api/v1/bridge/apps/${id}/resource-types/`, role);
      await sql`
        with role as (
          insert into entitlement (org_id, app_id, resource_type_id, external_id, name)
          values (${orgId}, ${id}, ${made.body.id}, 'ops', 'Operations') returning id)
        insert into membership (org_id, account_id, entitlement_id)
        select ${orgId}, a.id, role.id from role, account a
        where a.org_id = ${orgId} and a.resource_type_id = ${typeId} and a.email like 'has-ops@%'`.execute(
        service.database.db,
      );
    }
    const emails = async (query: string) => (await list(query)).results.map(({ email }) => email);

    expect(await emails('slug=role&resource=ops')).toEqual(['has-ops@One.example', 'has-ops@Two.example']);
    expect(await emails(`app=${holders[1]}&slug=role&resource=ops`)).toEqual(['has-ops@Two.example']);
    expect(await list('slug=role&resource=ops&email=One')).toMatchObject({ count: 1 });
    expect(await list('slug=role&resource=Ops')).toMatchObject({ count: 0, results: [] });
    expect(await list('slug=seat&resource=ops')).toMatchObject({ count: 0, results: [] });
    expect(await list('slug=&resource=')).toMatchObject({ count: 0, results: [] });
    const { key } = (await call('POST', '/api/api-keys/', { name: 'two', apps: [holders[1]] })).body;
    expect(await list('slug=role&resource=ops', key)).toMatchObject({ count: 1 });
  });

  test.each(['slug=role', 'resource=ops'])('rejects %s alone', async (query) => {
    expect((await call('GET', `/api/accounts/?${query}`)).status).toBe(400);
  });

  test.each([
    'kind=shared',
    'owner=0199a000-0000-7000-8000-000000000001',
    'orphaned=true',
    'without_owner=true',
    'of_leavers=true',
    'correlation=ambiguous',
    'slug=role&resource=ops',
  ])('rejects %s with as_of, which it would ignore', async (query) => {
    const asOf = new Date().toISOString();
    expect(await call('GET', `/api/accounts/?as_of=${asOf}&${query}`)).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('cannot be combined with as_of') },
    });
  });

  test('ignores unknown parameters (D5)', async () => {
    const { id } = await addApp([{}]);

    expect((await list(`app=${id}&colour=red`)).count).toBe(1);
  });
});

describe('list pages (D9)', () => {
  test('hold 50 accounts by default and 200 at most', async () => {
    const { id } = await addApp(Array.from({ length: 210 }, () => ({})));

    expect((await list(`app=${id}`)).results).toHaveLength(50);
    expect((await list(`app=${id}&limit=200`)).results).toHaveLength(200);
    for (const limit of ['201', '1000000', '99999999999999999999']) {
      expect((await list(`app=${id}&limit=${limit}`)).results).toHaveLength(200);
    }
    expect(await list(`app=${id}&offset=210`)).toMatchObject({ count: 210, next: null, results: [] });
    expect(await list(`app=${id}&offset=9007199254740991`)).toMatchObject({ count: 210, results: [] });
  });

  test('follow the requested order from both ends, even if accounts share an email', async () => {
    const emails = ['b@x.example', 'A@x.example', 'b@x.example', 'c@x.example', 'a@x.example', ''];
    const { id } = await addApp(emails.map((email) => ({ email })));
    const whole = async (sort: string) => {
      const page = (offset: number) => list(`app=${id}&sort=${sort}&limit=2&offset=${offset}`);
      const pages = [await page(0), await page(2), await page(4)];
      return pages.flatMap(({ results }) => results.map(({ external_uuid }) => external_uuid));
    };

    const created = await whole('created');
    expect(new Set(created).size).toBe(6);
    const byEmail = [5, 1, 4, 0, 2, 3].map((index) => created[index]);
    expect(await whole('-created')).toEqual(created.toReversed());
    expect(await whole('email')).toEqual(byEmail);
    expect(await whole('-email')).toEqual(byEmail.toReversed());
    expect((await call('GET', `/api/accounts/?app=${id}&sort=colour`)).status).toBe(400);
  });

  test('link to their neighbors with all other parameters', async () => {
    const { id } = await addApp(Array.from({ length: 10 }, () => ({ email: 'a+b@page.example' })));
    const kept = `app=${id}&email=a%2Bb%40page&status=ACTIVE&colour=red`;
    const page = async (query: string) => {
      const { next, previous } = await list(query);
      return [next, previous].map((address) => (address === null ? null : new URL(address)));
    };
    const parameters = { app: id, email: 'a+b@page', status: 'ACTIVE', colour: 'red', limit: '4' };

    const [next, previous] = await page(`${kept}&limit=4&offset=4`);

    for (const address of [next, previous]) {
      expect(address).toMatchObject({ protocol: 'http:', pathname: `/org/${service.org}/api/accounts/` });
    }
    expect(Object.fromEntries(next?.searchParams ?? [])).toEqual({ ...parameters, offset: '8' });
    expect(Object.fromEntries(previous?.searchParams ?? [])).toEqual({ ...parameters, offset: '0' });
    expect(await page(`${kept}&limit=4&offset=8`)).toMatchObject([null, { search: /offset=4/ }]);
    expect(await page(`${kept}&limit=4`)).toMatchObject([{ search: /offset=4/ }, null]);
    expect(await page(`${kept}&limit=4&offset=2`)).toMatchObject([
      { search: /offset=6/ },
      { search: /offset=0/ },
    ]);
    expect(await page(`${kept}&limit=4&offset=100`)).toMatchObject([null, { search: /offset=6/ }]);
  });

  test('form one walk, forwards and backwards, at any depth', async () => {
    const accounts = Array.from({ length: 333 }, (_, i) => ({
      email: `${i}@walk.example`,
      status: STATUSES[i % 5] as string,
    }));
    const app = await addApp(accounts.slice(0, 200));
    const second = await addApp(accounts.slice(200));
    const { key } = await addPersonWithKey(service, 'owner', { apps: [app.id, second.id] });
    const { rows } = await sql<{ id: string; app: string; status: string }>`
      select id, app_id as app, status from account where org_id = ${orgId} order by id`.execute(
      service.database.db,
    );
    const walks: [string, string | undefined, (row: (typeof rows)[number]) => boolean][] = [
      ['', undefined, () => true],
      [`app=${app.id}`, undefined, (row) => row.app === app.id],
      ['status=NEW', undefined, (row) => row.status === 'NEW'],
      ['status=ACTIVE', key, (row) => [app.id, second.id].includes(row.app) && row.status === 'ACTIVE'],
      [
        `app=${second.id}&status=SUSPENDED`,
        undefined,
        (row) => row.app === second.id && row.status === 'SUSPENDED',
      ],
      [`app=${app.id}&email=1`, undefined, (row) => row.app === app.id],
      ['', key, (row) => [app.id, second.id].includes(row.app)],
    ];
    for (const [query, caller, matches] of walks) {
      const isPartial = query.includes('email');
      const found = new Set(
        isPartial ? (await list(`${query}&limit=200`)).results.map((item) => item.external_uuid) : [],
      );
      const expected = rows
        .filter((row) => matches(row) && (!isPartial || found.has(row.id)))
        .map(({ id }) => id);
      for (const limit of [3, 50, 200].filter((size) => expected.length / size < 40)) {
        const forward: string[] = [];
        let page = await list(`${query}&limit=${limit}`, caller);
        for (;;) {
          expect(page.count).toBe(expected.length);
          forward.push(...page.results.map((item) => item.external_uuid));
          if (page.next === null) break;
          page = (await call('GET', below(page.next), undefined, caller ? { key: caller } : {})).body;
        }
        expect(forward, `${query} by ${limit}`).toEqual(expected);

        const last = Math.max(0, expected.length - limit);
        const backward: string[] = [];
        page = await list(`${query}&limit=${limit}&offset=${last}`, caller);
        for (;;) {
          backward.unshift(...page.results.map((item) => item.external_uuid));
          if (page.previous === null) break;
          page = (await call('GET', below(page.previous), undefined, caller ? { key: caller } : {})).body;
        }
        // The first page of a walk from the end overlaps the second one.
        expect([...new Set(backward)], `${query} by ${limit}, backwards`).toEqual(expected);
        expect(backward.length - expected.length).toBeLessThan(limit);
      }
    }
  });
});

test('the count is right after any changes, folded or not', async () => {
  const apps = [await addApp(), await addApp()];
  const { db } = service.database;
  const status = fc.constantFrom(...STATUSES);
  const app = fc.nat({ max: 1 });
  const step = fc.oneof(
    fc.record({ do: fc.constant('insert' as const), app, status, n: fc.integer({ min: 1, max: 5 }) }),
    fc.record({ do: fc.constant('move' as const), app, from: status, to: status }),
    fc.record({ do: fc.constant('link' as const), app, status, linked: fc.boolean() }),
    fc.constant({ do: 'fold' as const }),
    fc.constant({ do: 'roll back' as const }),
  );
  const take = async (taken: typeof step extends fc.Arbitrary<infer T> ? T : never) => {
    switch (taken.do) {
      case 'insert': {
        const { id = '', typeId = '' } = apps[taken.app] ?? {};
        return addAccounts(id, typeId, Array(taken.n).fill({ status: taken.status }));
      }
      case 'move':
        return db.transaction().execute((tx) => move(tx, apps[taken.app]?.id ?? '', taken.from, taken.to));
      case 'link':
        return sql`
          with linked as (
            update account set user_id = case when ${taken.linked} then ${ownerId}::uuid end
            where org_id = ${orgId} and app_id = ${apps[taken.app]?.id} and status = ${taken.status}
            returning ${updatedAccountColumns})
          ${countSteps({ orgId }, sql`linked`)}`.execute(db);
      case 'fold':
        return foldAccountCounts(db);
      case 'roll back':
        return db
          .transaction()
          .execute(async (tx) => {
            await move(tx, apps[0]?.id ?? '', 'ACTIVE', 'NEW');
            throw new Error('rolled back');
          })
          .catch(() => {});
    }
  };
  const move = async (on: Tx, appId: string, from: AccountStatus, to: AccountStatus) => {
    const { rows } = await sql<{ id: string }>`
      select id from account where org_id = ${orgId} and app_id = ${appId} and status = ${from}`.execute(on);
    const tx = within(on, orgId);
    await applyStatus(
      tx,
      await beginTaskChange(tx),
      rows.map(({ id }) => id),
      to,
    );
  };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      for (const one of steps) await take(one);

      const { rows } = await sql<{ app: string; status: string; linked: boolean; n: number }>`
        select app_id as app, status, user_id is not null as linked, count(*) as n
        from account where org_id = ${orgId} group by 1, 2, 3`.execute(db);
      const real = (id: string, wanted?: string, linked?: boolean) =>
        rows
          .filter((row) => row.app === id && (wanted === undefined || row.status === wanted))
          .filter((row) => linked === undefined || row.linked === linked)
          .reduce((sum, { n }) => sum + n, 0);
      for (const { id } of apps) {
        expect((await list(`app=${id}&limit=1`)).count).toBe(real(id));
        expect((await list(`app=${id}&linked=true&limit=1`)).count).toBe(real(id, undefined, true));
        for (const one of STATUSES) {
          expect((await list(`app=${id}&status=${one}&limit=1`)).count).toBe(real(id, one));
          expect((await list(`app=${id}&status=${one}&linked=false`)).count).toBe(real(id, one, false));
        }
      }
    }),
    { numRuns: 15 },
  );
});

test('counts while others write and fold', async () => {
  const { id, typeId } = await addApp();
  const { db } = service.database;

  await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      await addAccounts(id, typeId, [{}, {}, {}]);
      if (i % 4 === 0) await foldAccountCounts(db);
    }),
  );

  expect((await list(`app=${id}`)).count).toBe(60);
  await foldAccountCounts(db);
  expect((await list(`app=${id}`)).count).toBe(60);
});

describe('access to accounts', () => {
  test('a key for listed apps sees the accounts of these apps (D7)', async () => {
    const [mine, other] = [await addApp([{}, {}]), await addApp([{}])];
    const { key } = await addPersonWithKey(service, 'owner', { apps: [mine.id] });
    const [theirs] = (await list(`app=${other.id}`)).results;

    expect((await list('', key)).results.map((item) => item.external_uuid)).toEqual(
      (await list(`app=${mine.id}`)).results.map((item) => item.external_uuid),
    );
    expect((await list('', key)).count).toBe(2);
    expect((await list('email=a&status=ACTIVE', key)).count).toBe(0);
    expect(await call('GET', `/api/accounts/?app=${other.id}`, undefined, { key })).toMatchObject({
      status: 403,
    });
    expect(await call('GET', `/api/accounts/${theirs?.external_uuid}/`, undefined, { key })).toMatchObject({
      status: 403,
    });
    expect(await call('GET', `/api/accounts/${randomUUID()}/`, undefined, { key })).toMatchObject({
      status: 404,
    });
  });

  test('the accounts of an archived app stay visible', async () => {
    const { id } = await addApp([{ email: 'stays@x.example' }]);

    await call('DELETE', `/api/apps/${id}/`);

    expect(await emailsIn(`app=${id}`)).toEqual(['stays@x.example']);
  });
});
