import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callBy, type Principal } from '#kit/identity.ts';
import { sql } from '#kit/sql.ts';
import { addPersonWithKey } from '#test/people.ts';
import { addSyncedApp, openSyncTest, type SyncTest } from '#test/sync.ts';
import { countChanges } from './compare.ts';

let service: SyncTest;
beforeAll(async () => {
  service = await openSyncTest();
});
afterAll(() => service.close());

const get = (path: string, options = {}) => service.call('GET', path, undefined, options);

async function now(): Promise<string> {
  const { rows } = await sql<{ now: string }>`
    select to_char(clock_now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now`.execute(
    service.database.db,
  );
  return rows[0]?.now ?? '';
}

const IDS = ['a', 'b', 'c', 'd'];
const record = fc.record({
  id: fc.constantFrom(...IDS),
  status: fc.constantFrom('active', 'active', 'suspended'),
  teams: fc.subarray(['g', 'h']),
  seat: fc.boolean(),
});
const session = fc.record({
  app: fc.nat(1),
  records: fc.uniqueArray(record, { minLength: 1, maxLength: 4, selector: ({ id }) => id }),
  ends: fc.constantFrom('complete', 'complete', 'complete', 'abandon'),
  /** A person to whom the account `a` is linked after the session. */
  link: fc.option(fc.nat(1)),
});
const question = fc.record({
  about: fc.constantFrom('all', 'app', 'group', 'license', 'person', 'account'),
  app: fc.nat(1),
  from: fc.double({ min: 0, max: 1, noNaN: true }),
  to: fc.double({ min: 0, max: 1, noNaN: true }),
  known: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
});

/** Reads all pages of a comparison and counts its differences, in total and by app and type. */
async function countedByReading(query: string, limit: number) {
  const counts: Record<string, number> = { added: 0, removed: 0, changed: 0 };
  const groups: Record<string, number> = {};
  for (let cursor = ''; ; ) {
    const { body } = await get(`/api/history/compare/?${query}&limit=${limit}${cursor}`);
    for (const { change, app, type, resource } of body.results) {
      const group = `${app.id} ${type === 'account' ? 'account' : resource.type} ${change}`;
      counts[change] = (counts[change] ?? 0) + 1;
      groups[group] = (groups[group] ?? 0) + 1;
    }
    if (body.next_cursor === null) return { counts, groups };
    cursor = `&cursor=${body.next_cursor}`;
  }
}

async function counted(query: string) {
  const { status, body } = await get(`/api/history/compare/counts/?${query}`);
  expect([status, body.detail]).toEqual([200, undefined]);
  const groups: Record<string, number> = {};
  for (const { app, type, ...numbers } of body.groups) {
    for (const change of ['added', 'removed', 'changed'])
      if (numbers[change] > 0) groups[`${app.id} ${type} ${change}`] = numbers[change];
  }
  return { counts: body.counts, groups };
}

describe('the counts of a comparison', () => {
  test('equal the number of differences on all its pages', { tags: ['long'], timeout: 540_000 }, async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(session, { minLength: 2, maxLength: 6 }),
        fc.array(question, { minLength: 6, maxLength: 8 }),
        fc.integer({ min: 1, max: 5 }),
        async (sessions, questions, limit) => {
          const name = `run${run++}`;
          const apps = [await addSyncedApp(service), await addSyncedApp(service)];
          const users = [
            await addPersonWithKey(service, 'member'),
            await addPersonWithKey(service, 'member'),
          ];
          const times = [await now()];
          for (const { app, records, ends, link } of sessions) {
            const target = apps[app] as (typeof apps)[0];
            const sync = await target.start();
            await target.push(
              sync,
              'person',
              records.map(({ id, status, teams, seat }) => ({
                id,
                email: `${name}${id}@x.example`,
                status,
                memberships: { team: teams.map((team) => ({ id: team })) },
                assignments: { seat: seat ? [{ id: 's' }] : [] },
              })),
            );
            await (ends === 'abandon' ? target.abandon(sync) : target.complete(sync));
            const { body } = await get(`/api/accounts/?app=${target.id}&limit=1`);
            if (link !== null && body.results.length > 0)
              await service.call('PATCH', `/api/accounts/${body.results[0].external_uuid}/`, {
                user: users[link]?.id,
              });
            times.push(await now());
          }
          const { rows } = await sql<{ at: string }>`
            select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
            from inventory_change where app_id in (${apps[0]?.id}, ${apps[1]?.id})`.execute(
            service.database.db,
          );
          const instants = [...times, ...rows.map(({ at }) => at)].toSorted();
          const timeAt = (part: number) => instants[Math.round(part * (instants.length - 1))] ?? '';
          for (const { about, app, from, to, known } of questions) {
            const [first, second] = [timeAt(from), timeAt(to)].toSorted();
            const { body } = await get(`/api/accounts/?app=${apps[app]?.id}&limit=1`);
            const subject = {
              all: '',
              app: `app=${apps[app]?.id}&`,
              group: `app=${apps[app]?.id}&slug=team&resource=g&`,
              license: `app=${apps[app]?.id}&slug=seat&resource=s&`,
              person: `user=${users[app]?.id}&`,
              account: body.results.length > 0 ? `account=${body.results[0].external_uuid}&` : '',
            }[about];
            const { status } = await get(`/api/history/compare/?${subject}limit=1`);
            if (status === 404) continue;
            const knownAt = [timeAt(known ?? 1), second].toSorted()[1];
            const query = `${subject}from=${first}&to=${second}${known === null ? '' : `&known_at=${knownAt}`}`;
            expect(await counted(query)).toEqual(await countedByReading(query, limit));
          }
        },
      ),
      { numRuns: Number(process.env.HISTORY_RUNS ?? 8) },
    );
  });

  test('come with the times and the syncs around them', async () => {
    const app = await addSyncedApp(service);
    const first = await app.sync({ person: [] });
    const from = await now();
    await app.sync({ person: [{ id: 'x', email: 'x@x.example' }] });
    const { body } = await get(`/api/history/compare/counts/?app=${app.id}&from=${from}`);
    expect(body).toMatchObject({
      from,
      to: body.known_at,
      coverage: [{ app: { id: app.id }, known: true, sync_before: { sync_id: first } }],
      counts: { added: 1, removed: 0, changed: 0 },
      groups: [{ app: { id: app.id, name: 'Directory' }, type: 'account', added: 1, removed: 0, changed: 0 }],
    });
  });

  test('concern only the apps of a key and the accounts of a member', async () => {
    const app = await addSyncedApp(service);
    await app.sync({ person: [{ id: 'x', email: 'x@x.example' }] });
    const other = await addSyncedApp(service);
    const { key } = await addPersonWithKey(service, 'admin', { apps: [other.id] });
    expect((await get('/api/history/compare/counts/', { key })).body).toMatchObject({
      coverage: [{ app: { id: other.id } }],
      groups: [],
    });
    expect((await get(`/api/history/compare/counts/?app=${app.id}`, { key })).status).toBe(403);
    const member = await addPersonWithKey(service, 'member');
    expect((await get('/api/history/compare/counts/', { key: member.key })).body.groups).toEqual([]);
    expect((await get(`/api/history/compare/counts/?app=${app.id}`, { key: member.key })).status).toBe(403);
  });

  test('are refused if more accounts changed than can be compared', async () => {
    const app = await addSyncedApp(service);
    await app.sync({ person: [] });
    const from = await now();
    await app.sync({
      person: [
        { id: 'x', email: 'x@x.example' },
        { id: 'y', email: 'y@x.example' },
      ],
    });
    const principal = {
      orgId: service.orgId,
      role: 'admin',
      apps: 'all',
    } as unknown as Principal;
    const query = { app: app.id, from };
    expect((await countChanges(callBy(service.database.db, principal), query, 2)).counts.added).toBe(2);
    await expect(countChanges(callBy(service.database.db, principal), query, 1)).rejects.toThrow(
      'More than 1 accounts changed since from. Name an app, or choose a later from.',
    );
  });
});
