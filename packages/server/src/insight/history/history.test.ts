// @module-tag engine
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { momentBetween } from '#test/moments.ts';
import { addPersonWithKey } from '#test/people.ts';
import { openRequestsTest, type RequestsTest } from '#test/requests.ts';
import { addSyncedApp } from '#test/sync.ts';

let service: RequestsTest;
let call: RequestsTest['call'];
const email = (name: string) => `${name}@people.example`;
const red = { team: [{ id: 'red' }] };
const both = { team: [{ id: 'red' }, { id: 'blue' }] };

const mark = () => momentBetween(service.database.db);

const get = async (path: string, options = {}) => (await call('GET', path, undefined, options)).body;
const detail = async (path: string, options = {}) => {
  const { status, body } = await call('GET', path, undefined, options);
  return [status, body.detail];
};
const at = (time: string, query = '') =>
  get(`/api/accounts/?app=${service.appId}&as_of=${time}${query}`).then(({ results }) =>
    results.map(
      // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body.
      (one: any) => [
        one.external_id,
        one.status,
        one.certainty,
        // biome-ignore lint/suspicious/noExplicitAny: as above.
        ...Object.values(one.memberships).flatMap((refs: any) =>
          // biome-ignore lint/suspicious/noExplicitAny: as above.
          refs.map((ref: any) => `${ref.id} ${ref.certainty}`),
        ),
      ],
    ),
  );

/** The times between the steps of the story, in order. */
const times: Record<
  'beforeAll' | 'afterFirst' | 'gapToSecond' | 'afterSecond' | 'gapToThird' | 'afterThird' | 'afterTask',
  string
> = {
  beforeAll: '2001-01-01T00:00:00Z',
  afterFirst: '',
  gapToSecond: '',
  afterSecond: '',
  gapToThird: '',
  afterThird: '',
  afterTask: '',
};
let ticket: string;
let ann: { id: string; key: string };

beforeAll(async () => {
  service = await openRequestsTest();
  call = service.call;
  ann = await addPersonWithKey(service, 'member', { email: email('ann') });
  await service.sync([
    { id: 'ann', email: email('ann'), memberships: red },
    { id: 'bob', email: email('bob') },
  ]);
  times.afterFirst = await mark();
  times.gapToSecond = await mark();
  await service.sync([
    { id: 'ann', email: email('ann'), memberships: both },
    { id: 'bob', email: email('bob'), status: 'suspended' },
    { id: 'eve', email: email('eve') },
  ]);
  times.afterSecond = await mark();
  times.gapToThird = await mark();
  await service.sync([
    { id: 'ann', email: email('ann'), memberships: { team: [{ id: 'blue' }] } },
    { id: 'eve', email: email('eve') },
    { id: '=evil()', email: email('evil') },
  ]);
  times.afterThird = await mark();
  const approved = await service.approved({
    user: ann.id,
    type: 'MODIFY_ACCESS',
    memberships: { team: ['red'] },
  });
  ticket = approved.external_uuid;
  await service.work();
  times.afterTask = await mark();
  await service.sync([
    { id: 'ann', email: email('ann'), memberships: both },
    { id: 'eve', email: email('eve') },
    { id: '=evil()', email: email('evil') },
  ]);
});
afterAll(() => service.close());

describe('accounts as of a time', () => {
  test('are certain at the time of the sync that saw them', async () => {
    const [before] = (await get(`/api/accounts/?app=${service.appId}&as_of=${times.afterSecond}`)).coverage;
    expect(await at(before.sync_before.at)).toEqual([
      ['ann', 'ACTIVE', 'certain', 'blue certain', 'red certain'],
      ['bob', 'SUSPENDED', 'certain'],
      ['eve', 'ACTIVE', 'certain'],
      ['=evil()', 'ACTIVE', 'possible'],
    ]);
  });

  test('are possible between the last sync without and the first sync with them', async () => {
    expect(await at(times.gapToSecond)).toEqual([
      ['ann', 'ACTIVE', 'certain', 'blue possible', 'red certain'],
      ['bob', 'ACTIVE', 'possible'],
      ['eve', 'ACTIVE', 'possible'],
    ]);
  });

  test('are possible after the last sync that saw them until the one that did not', async () => {
    expect(await at(times.gapToThird)).toEqual([
      ['ann', 'ACTIVE', 'certain', 'blue certain', 'red possible'],
      ['bob', 'SUSPENDED', 'possible'],
      ['eve', 'ACTIVE', 'certain'],
      ['=evil()', 'ACTIVE', 'possible'],
    ]);
  });

  test('show the effect of a completed task with its exact time', async () => {
    const { results } = await get(
      `/api/accounts/?app=${service.appId}&as_of=${times.afterTask}&user=${ann.id}`,
    );
    const held = results[0].memberships.team.find(({ id }: { id: string }) => id === 'red');
    expect(held.bounds.not_before).toBe(held.bounds.seen_from);
    expect(await at(held.bounds.seen_from, `&user=${ann.id}`)).toEqual([
      ['ann', 'ACTIVE', 'certain', 'blue certain', 'red certain'],
    ]);
  });

  test('say that nothing is known before the first sync, instead of an empty list', async () => {
    const empty = await get(`/api/accounts/?app=${service.appId}&as_of=${times.beforeAll}`);
    expect(empty).toMatchObject({
      results: [],
      as_of: '2001-01-01T00:00:00.000000Z',
      coverage: [{ app: { id: service.appId }, known: false, sync_before: null }],
    });
    expect(empty.coverage[0].sync_after).toMatchObject({ sync_id: expect.any(String) });
  });

  test('return the same answer again for the same known_at', async () => {
    const then = `/api/accounts/?app=${service.appId}&as_of=${times.afterFirst}&known_at=${times.gapToSecond}`;
    const { results } = await get(then);
    expect(results.map((one: { external_id: string }) => one.external_id)).toEqual(['ann', 'bob']);
    expect(results[0].memberships.team).toMatchObject([{ id: 'red', bounds: { gone_by: null } }]);
    expect(results[0].certainty).toBe('possible');
  });

  test('are listed page by page', async () => {
    const first = await get(`/api/accounts/?app=${service.appId}&as_of=${times.gapToThird}&limit=3`);
    expect(first).toMatchObject({ count: 3, more: true, previous: null });
    const { pathname, search } = new URL(first.next);
    const second = await get(`${pathname.replace(/^\/org\/\w+/, '')}${search}`);
    expect(second).toMatchObject({ count: 1, more: false, next: null });
  });

  test('are filtered by the status at that time', async () => {
    expect(await at(times.gapToThird, '&status=SUSPENDED')).toEqual([['bob', 'SUSPENDED', 'possible']]);
  });

  test('carry one account, or 404 if it did not exist', async () => {
    const { results } = await get(`/api/accounts/?app=${service.appId}&as_of=${times.gapToThird}`);
    const [, bob, eve] = results.map((one: { external_uuid: string }) => one.external_uuid);
    expect(await get(`/api/accounts/${bob}/?as_of=${times.afterFirst}`)).toMatchObject({
      status: 'ACTIVE',
      certainty: 'possible',
      coverage: [{ known: true }],
    });
    expect(await detail(`/api/accounts/${bob}/?as_of=${times.afterTask}`)).toEqual([
      404,
      'This account did not exist at that time.',
    ]);
    expect((await detail(`/api/accounts/${eve}/?as_of=${times.beforeAll}`))[1]).toMatch(/^Nothing is known/);
  });

  test.each([
    ['as_of=2999-01-01T00:00:00Z', 'as_of is in the future. Use a time that has passed.'],
    ['known_at=2020-01-01T00:00:00Z', 'known_at needs as_of. Add as_of, or leave out known_at.'],
    [
      'as_of=2020-01-02T00:00:00Z&known_at=2020-01-01T00:00:00Z',
      'known_at is before as_of. Use the same time or a later one.',
    ],
    ['as_of=2020-01-01&known_at=2999-01-01', 'known_at is in the future. Use a time that has passed.'],
    ['as_of=0000-01-01', 'as_of is too early. Use a year from 0001 on.'],
    [
      'as_of=2020-01-01&sort=email',
      'sort cannot be combined with as_of: the list is in the order in which accounts were created. Leave out sort.',
    ],
    ['as_of=2020-01-01&search=x', expect.stringMatching(/^search cannot be combined with as_of/)],
    ['as_of=2020-01-01&offset=50', expect.stringMatching(/^offset cannot be combined with as_of/)],
    [`after=${randomUUID()}`, 'after needs as_of. Use offset for the present list.'],
    ['format=csv', 'format=csv needs as_of. Add the time of the report.'],
  ])('refuse %s', async (query, expected) => {
    expect(await detail(`/api/accounts/?${query}`)).toEqual([400, expected]);
  });

  test('refuse a malformed time', async () => {
    expect((await call('GET', '/api/accounts/?as_of=yesterday')).status).toBe(400);
  });

  test('are exported as CSV with escaped formulas, which is recorded', async () => {
    const { headers, body } = await call(
      'GET',
      `/api/accounts/?app=${service.appId}&as_of=${times.gapToThird}&format=csv`,
    );
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(body).toMatch(/^app,account,account_id,external_id,status,user,/);
    expect(body).toContain(",'=evil(),ACTIVE,");
    expect(body).toMatch(/team,red,Red,possible,/);
    const { results } = await get('/api/events/?catalog=configuration&event_type=export.created');
    expect(results[0].payload).toMatchObject({ what: 'accounts_as_of', format: 'csv' });
  });
});

describe('groups and licenses as of a time', () => {
  const list = async (time: string) =>
    (await get(`/api/apps/${service.appId}/resources/?as_of=${time}`)).results.map(
      ({ id, members, certainty }: { id: string; members: number; certainty: string }) => [
        id,
        members,
        certainty,
      ],
    );

  test('count the accounts that may have held them', async () => {
    expect(await list(times.afterFirst)).toEqual([
      ['blue', 1, 'certain'],
      ['gold', 0, 'certain'],
      ['red', 1, 'certain'],
    ]);
    expect(await list(times.beforeAll)).toContainEqual(['red', 0, 'possible']);
  });

  test('have the name and the existence that they had then', async () => {
    const app = await addSyncedApp(service);
    await app.sync({
      team: [
        { id: 'a', name: 'Old' },
        { id: 'b', name: 'Other' },
      ],
    });
    const first = await mark();
    await app.sync({ team: [{ id: 'a', name: 'New' }] });
    await app.sync({ team: [{ id: 'a', name: 'New' }] });
    const named = async (time: string) =>
      (await get(`/api/apps/${app.id}/resources/?as_of=${time}`)).results.map(
        ({ name, certainty }: { name: string; certainty: string }) => `${name} ${certainty}`,
      );
    const { coverage } = await get(`/api/apps/${app.id}/resources/?as_of=${first}`);
    expect(await named(coverage[0].sync_before.at)).toEqual(['Old certain', 'Other certain']);
    expect(await named(first)).toEqual(['Old possible', 'Other possible']);
    expect(await named(coverage[0].sync_after.at)).toEqual(['New certain']);
    const { results } = await get(`/api/apps/${app.id}/resources/?as_of=${first}&q=old`);
    expect(results).toMatchObject([
      { id: 'a', bounds: { seen_until: coverage[0].sync_before.at, gone_by: expect.any(String) } },
    ]);

    const csv = `/api/apps/${app.id}/resources/?as_of=${coverage[0].sync_before.at}&format=csv`;
    const { body, headers } = await call('GET', csv);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(body.trim().split('\r\n')).toEqual([
      'app,type,resource_type,resource_id,resource_name,members,certainty,not_before,seen_from,seen_until,gone_by,hidden_members',
      expect.stringMatching(/^Directory,group,team,a,Old,0,certain,/),
      expect.stringMatching(/^Directory,group,team,b,Other,0,certain,/),
    ]);
    expect(await detail(`/api/apps/${app.id}/resources/?format=csv`)).toEqual([
      400,
      'format=csv needs as_of. Add the time of the report.',
    ]);
  });

  test('hide the number of members from members', async () => {
    const { results } = await get(`/api/apps/${service.appId}/resources/?as_of=${times.afterFirst}`, {
      key: ann.key,
    });
    expect(results[0]).toMatchObject({ members: null, certainty: 'certain' });
    expect(results[0]).not.toHaveProperty('members_more');
  });
});

describe("a person's access", () => {
  test('is listed now and as of a time', async () => {
    const now = await get(`/api/users/${ann.id}/access/`);
    expect(now.results).toMatchObject([{ external_id: 'ann', user: ann.id }]);
    expect(now.results[0]).not.toHaveProperty('certainty');
    const then = await get(`/api/users/${ann.id}/access/?as_of=${times.afterFirst}`);
    expect(then.results).toMatchObject([{ external_id: 'ann', user: ann.id, certainty: 'certain' }]);
  });

  test('names the person to whom an account belonged at the time', async () => {
    const later = await service.addUser(email('later'));
    const { results } = await get(`/api/accounts/?app=${service.appId}&email=eve`);
    const eve = results[0].external_uuid;
    const before = await mark();
    await call('PATCH', `/api/accounts/${eve}/`, { user: later });
    const linked = await mark();
    await call('PATCH', `/api/accounts/${eve}/`, { user: null });

    expect((await get(`/api/accounts/${eve}/?as_of=${before}`)).user).toBe(null);
    expect((await get(`/api/accounts/${eve}/?as_of=${linked}`)).user).toBe(later);
    expect((await get(`/api/users/${later}/access/?as_of=${linked}`)).results).toHaveLength(1);
    expect((await get(`/api/users/${later}/access/?as_of=${before}`)).results).toEqual([]);
    const ownerThen = async (time: string) =>
      (await get(`/api/history/access/?account=${eve}&from=${time}&to=${time}`)).results[0].user;
    expect(await ownerThen(before)).toBe(null);
    expect(await ownerThen(linked)).toBe(later);
    expect((await get(`/api/history/access/?user=${later}`)).results).toMatchObject([
      { type: 'account', account: { id: eve }, user: later },
    ]);
    expect((await get(`/api/history/access/?user=${later}&to=${before}`)).results).toEqual([]);
  });

  test('is 404 for an unknown person', async () => {
    expect((await call('GET', `/api/users/${randomUUID()}/access/`)).status).toBe(404);
  });
});

describe('periods of access', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body.
  const periods = async (query: string, options = {}): Promise<any[]> =>
    (await get(`/api/history/access/?${query}`, options)).results;

  test('have bounds and causes', async () => {
    const found = await periods(`user=${ann.id}`);
    expect(
      found.map(({ type, resource, status, began, ended }) => [
        type,
        resource?.id ?? status,
        began.kind,
        ended?.kind ?? null,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['account', 'ACTIVE', 'sync', null],
        ['membership', 'red', 'sync', 'sync'],
        ['membership', 'blue', 'sync', null],
        ['membership', 'red', 'task', null],
      ]),
    );
    expect(found).toHaveLength(4);
  });

  test('name the ticket behind a task and the person who approved it', async () => {
    const granted = (await periods(`user=${ann.id}`)).find(({ began }) => began.kind === 'task');
    expect(granted).toMatchObject({
      resource: { type: 'group', slug: 'team', id: 'red', name: 'Red' },
      began: {
        ticket_id: ticket,
        task_id: expect.any(String),
        sync_id: null,
        decided_by: { external_uuid: service.adminId, email: 'admin@acme.example' },
      },
    });
  });

  test('are found by account, by app and by group', async () => {
    const [one] = await periods(`user=${ann.id}`);
    expect(await periods(`account=${one.account.id}`)).toHaveLength(4);
    const ofGroup = (await periods(`app=${service.appId}&slug=team&resource=red`)).map(
      ({ account }) => account.external_id,
    );
    expect(ofGroup.filter((id) => !/^p\d/.test(id ?? ''))).toEqual(['ann', 'ann']);
    expect((await periods(`app=${service.appId}`)).length).toBeGreaterThan(6);
  });

  test('are limited to those that may overlap the times', async () => {
    const ofAnn = async (query: string) =>
      (await periods(`app=${service.appId}&slug=team&resource=red&${query}`)).filter(
        ({ account }) => account.external_id === 'ann',
      );
    expect(await ofAnn(`to=${times.afterThird}`)).toHaveLength(1);
    expect(await ofAnn(`from=${times.afterThird}`)).toHaveLength(1);
    expect(await ofAnn(`from=${times.beforeAll}`)).toHaveLength(2);
  });

  test('are each read once, page by page, while they end', async () => {
    await service.sync([
      { id: 'p1', email: email('p1'), memberships: both },
      { id: 'p2', email: email('p2'), memberships: both },
      { id: 'p3', email: email('p3'), memberships: both },
      { id: 'ann', email: email('ann'), memberships: both },
      { id: 'eve', email: email('eve') },
      { id: '=evil()', email: email('evil') },
    ]);
    const all = (await periods(`app=${service.appId}&limit=200`)).map(({ id }) => id);
    const read: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await get(`/api/history/access/?app=${service.appId}&limit=2${cursor}`);
      read.push(...page.results.map(({ id }: { id: string }) => id));
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
      if (read.length === 6)
        await service.sync([
          { id: 'p3', email: email('p3') },
          { id: 'ann', email: email('ann'), memberships: both },
          { id: 'eve', email: email('eve') },
        ]);
    }
    expect(read.filter((id) => all.includes(id))).toEqual(all);
    expect(new Set(read).size).toBe(read.length);
  });

  test('are shown to members only for their own accounts, without the decisions', async () => {
    const own = await periods('user='.concat(ann.id), { key: ann.key });
    expect(own.length).toBeGreaterThan(3);
    const granted = own.find(({ began }) => began.kind === 'task');
    expect(granted.began).toMatchObject({ ticket_id: ticket, decided_by: null, actor: null });
    for (const query of [`app=${service.appId}`, `user=${service.adminId}`])
      expect(await detail(`/api/history/access/?${query}`, { key: ann.key })).toEqual([
        403,
        'A member can only see the history of their own accounts.',
      ]);
  });

  test('are hidden from a member whose account now belongs to somebody else', async () => {
    const { id, key } = await addPersonWithKey(service, 'member');
    const { results } = await get(`/api/accounts/?app=${service.appId}&email=eve`);
    const eve = results[0].external_uuid;
    await call('PATCH', `/api/accounts/${eve}/`, { user: id });
    const linked = await mark();
    expect((await get(`/api/users/${id}/access/?as_of=${linked}`, { key })).results).toHaveLength(1);
    await call('PATCH', `/api/accounts/${eve}/`, { user: null });
    expect((await get(`/api/users/${id}/access/?as_of=${linked}`, { key })).results).toEqual([]);
    expect(await periods(`user=${id}`, { key })).toEqual([]);
    expect(await periods(`user=${id}`)).toHaveLength(1);
    expect((await call('GET', `/api/accounts/${eve}/?as_of=${linked}`, undefined, { key })).status).toBe(403);
  });

  test('are shown to a key for listed apps for these apps only', async () => {
    const other = (await call('POST', '/api/v1/bridge/apps/', { name: 'Elsewhere' })).body.id;
    const { key } = await addPersonWithKey(service, 'admin', { apps: [other] });
    expect(await periods(`user=${ann.id}`, { key })).toEqual([]);
    expect((await call('GET', `/api/history/access/?app=${service.appId}`, undefined, { key })).status).toBe(
      403,
    );
    const { results, coverage } = await get(`/api/accounts/?as_of=${times.afterFirst}`, { key });
    expect(results).toEqual([]);
    expect(coverage).toMatchObject([{ app: { id: other }, known: false }]);
  });

  test.each([
    [`user=${randomUUID()}&app=${randomUUID()}`, /^Name only one of user, account and app/],
    [`app=${randomUUID()}&slug=team`, /^Name only one of user, account and app/],
    [`user=OWNER&from=2020-02-01&to=2020-01-01`, /^to is before from/],
    [`user=OWNER&cursor=nonsense`, /^cursor is not valid/],
    [
      `user=OWNER&cursor=${Buffer.from(JSON.stringify([randomUUID(), randomUUID(), '2026-99-99', 'infinity'])).toString('base64url')}`,
      /^cursor is not valid/,
    ],
    [`user=OWNER&cursor=${Buffer.from('["x"]').toString('base64url')}`, /^cursor is not valid/],
  ])('refuse %s', async (query, expected) => {
    expect(await detail(`/api/history/access/?${query.replace('OWNER', service.adminId)}`)).toEqual([
      400,
      expect.stringMatching(expected),
    ]);
  });

  test('are exported as CSV', async () => {
    const { body } = await call('GET', `/api/history/access/?user=${ann.id}&format=csv`);
    const lines = body.trim().split('\r\n');
    expect(lines[0]).toMatch(/^type,app,account,.*began_by,.*ended_decided_by,.*ended_by_label$/);
    expect(lines.length).toBeGreaterThan(4);
    expect(body).toContain(ticket);
  });
});

describe('a comparison', () => {
  const compare = (query: string, options = {}) => get(`/api/history/compare/?${query}`, options);
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body.
  const short = ({ results }: any) =>
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    results.map(({ change, account, resource, certainty }: any) =>
      [change, account.external_id, resource?.id, certainty].filter(Boolean).join(' '),
    );

  test('lists what was added, removed and changed, and how certain that is', async () => {
    const found = await compare(`app=${service.appId}&from=${times.afterFirst}&to=${times.afterThird}`);
    expect(short(found).sort()).toEqual([
      'added =evil() certain',
      'added ann blue possible',
      'added eve possible',
      'removed ann red certain',
      'removed bob possible',
    ]);
    expect(found.counts).toEqual({ added: 3, removed: 2, changed: 0 });
    expect(found).toMatchObject({ counts_more: false, next_cursor: null, coverage: [{ known: true }] });
  });

  test('lists as possibly added what the last sync found first, although it may be gone by now', async () => {
    const app = await addSyncedApp(service);
    await app.sync({ person: [] });
    const from = await mark();
    await app.sync({ person: [{ id: 'new', email: email('new') }] });
    expect(short(await compare(`app=${app.id}&from=${from}`))).toEqual(['added new possible']);
  });

  test('shows a change of status with both states', async () => {
    const between = (await get(`/api/accounts/?app=${service.appId}&as_of=${times.afterSecond}`)).coverage[0]
      .sync_before.at;
    const { results } = await compare(
      `app=${service.appId}&from=${times.afterFirst}&to=${between}&change=changed`,
    );
    expect(results).toMatchObject([
      { account: { external_id: 'bob' }, before: { status: 'ACTIVE' }, after: { status: 'SUSPENDED' } },
    ]);
  });

  test('calls additions possible where nothing was known at first', async () => {
    const found = await compare(`app=${service.appId}&from=${times.beforeAll}&to=${times.afterFirst}`);
    expect(found.coverage).toMatchObject([{ known: false }]);
    for (const { certainty } of found.results) expect(certainty).toBe('possible');
  });

  test('concerns one person or one group, page by page', async () => {
    expect(short(await compare(`user=${ann.id}&from=${times.afterFirst}&to=${times.afterThird}`))).toEqual(
      expect.arrayContaining(['removed ann red certain', 'added ann blue possible']),
    );
    const group = `app=${service.appId}&slug=team&resource=red&from=${times.afterFirst}&to=${times.afterThird}`;
    expect(short(await compare(group))).toEqual(['removed ann red certain']);
    const all = `app=${service.appId}&from=${times.afterFirst}&to=${times.afterThird}`;
    const read: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await compare(`${all}&limit=2${cursor}`);
      read.push(...short(page));
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(read).toEqual(short(await compare(all)));
  });

  test('begins in the first year at the earliest', async () => {
    expect(await compare(`app=${service.appId}&to=0001-01-03T00:00:00Z`)).toMatchObject({
      from: '0001-01-01T00:00:00Z',
      results: [],
    });
  });

  test('finds nothing between two equal times', async () => {
    const found = await compare(`app=${service.appId}&from=${times.afterTask}&to=${times.afterTask}`);
    expect(found.results).toEqual([]);
  });

  test('is exported as CSV', async () => {
    const { body } = await call(
      'GET',
      `/api/history/compare/?app=${service.appId}&from=${times.afterFirst}&to=${times.afterThird}&format=csv`,
    );
    expect(body.trim().split('\r\n')).toHaveLength(6);
  });
});
