// @module-tag engine
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { momentBetween } from '#test/moments.ts';
import { eventsOf } from '#test/people.ts';
import { addSyncedApp, openSyncTest, type SyncedApp, type SyncTest } from '#test/sync.ts';

/** Access that something else gives (D68). */

let service: SyncTest;
beforeAll(async () => {
  service = await openSyncTest({ own: true });
});
afterAll(() => service.close());

let app: SyncedApp;
beforeEach(async () => {
  app = await addSyncedApp(service);
});

type Given = [id: string, giver?: string];
const refs = (given: Given[]) =>
  given.map(([id, giver]) => ({ id, ...(giver === undefined ? {} : { via: { slug: 'team', id: giver } }) }));
const ada = (teams: Given[], seats: Given[] = []) => ({
  id: 'ada',
  email: 'ada@x.example',
  memberships: { team: refs(teams) },
  assignments: { seat: refs(seats) },
});
const group = (id: string) => ({ id, name: id.toUpperCase() });

const accountOf = async (query = '') => {
  const { body } = await service.call('GET', `/api/accounts/?app=${app.id}${query}`);
  return body.results[0];
};
/** The giver of each group and license of the account, by id. `?` means that it is unknown. */
async function givers(query = ''): Promise<Record<string, string | null>> {
  const { memberships, assignments } = await accountOf(query);
  // biome-ignore lint/suspicious/noExplicitAny: parts of a body.
  const held = [memberships, assignments].flatMap((map) => Object.values(map).flat()) as any[];
  return Object.fromEntries(held.map(({ id, via }) => [id, via === undefined ? '?' : (via?.id ?? null)]));
}
const resourceOf = async (id: string) => {
  const { body } = await service.call('GET', `/api/apps/${app.id}/resources/?limit=100`);
  return body.results.find((one: { id: string }) => one.id === id);
};

describe('what a sync says of the giver', () => {
  test('is shown for the account, for the members, and in the event', async () => {
    await app.sync({ team: [group('all')], person: [ada([['all']])] });
    await app.sync({
      team: [group('all'), group('sub')],
      person: [ada([['sub'], ['all', 'sub']], [['gold', 'all']])],
    });
    await app.sync({
      team: [group('all'), group('sub'), group('deep')],
      person: [ada([['sub'], ['all', 'sub'], ['deep', 'sub']], [['gold', 'all']])],
    });

    expect(await givers()).toEqual({ all: 'sub', sub: null, deep: 'sub', gold: 'all' });
    const sub = await resourceOf('sub');
    const via = { external_uuid: sub.external_uuid, type: 'group', slug: 'team', id: 'sub', name: 'SUB' };
    expect((await accountOf()).memberships.team[0]).toMatchObject({ id: 'all', via });
    const { external_uuid } = await resourceOf('all');
    const { body } = await service.call('GET', `/api/apps/${app.id}/resources/${external_uuid}/members/`);
    expect(body.results).toMatchObject([{ email: 'ada@x.example', via }]);
    const added = await eventsOf(service, 'account.group.added');
    const deep = added.find(
      ({ payload }) => payload.app_id === app.id && payload.group_external_id === 'deep',
    );
    expect(deep?.payload.via).toEqual(via);
  });

  test('changes alone without a removal or an addition, and as_of shows only what is known', async () => {
    const teams = [group('all'), group('sub'), group('other')];
    const before = await app.sync({ team: teams, person: [ada([['sub'], ['other'], ['all', 'sub']])] });
    const { granted_at } = (await accountOf()).memberships.team[0];
    const first = await momentBetween(service.database.db);
    const session = await app.sync({ team: teams, person: [ada([['sub'], ['other'], ['all', 'other']])] });
    const second = await momentBetween(service.database.db);
    const again = await app.sync({ team: teams, person: [ada([['sub'], ['other'], ['all', 'other']])] });

    expect(before).not.toBe(session);
    expect(await givers()).toMatchObject({ all: 'other' });
    expect((await accountOf()).memberships.team[0].granted_at).toBe(granted_at);
    for (const id of [session, again])
      expect(await app.view(id)).toMatchObject({
        counts: { created: 0, updated: 0, removed: 0 },
        membership_counts: { added: 0, removed: 0 },
      });
    expect(await givers(`&as_of=${first}`)).toEqual({ sub: null, other: null, all: '?' });
    expect(await givers(`&as_of=${second}`)).toEqual({ sub: null, other: null, all: 'other' });
  });

  test('is as before when the sync that changed it is reverted, unless it has changed since', async () => {
    const teams = [group('all'), group('sub'), group('other')];
    const through = (giver?: string) => ({
      team: teams,
      person: [ada([['sub'], ['other'], giver === undefined ? ['all'] : ['all', giver]])],
    });
    const revert = async (id: string) =>
      (await service.call('POST', `/api/apps/${app.id}/syncs/${id}/revert/`, {})).status;
    await app.sync(through('sub'));
    const moved = await app.sync(through('other'));
    await app.sync(through('other'));
    expect(await revert(moved)).toBe(200);
    expect(await givers()).toMatchObject({ all: 'sub' });
    const direct = await app.sync(through());
    expect(await givers()).toMatchObject({ all: null });
    expect(await revert(direct)).toBe(200);
    expect(await givers()).toMatchObject({ all: 'sub' });
    const earlier = await app.sync(through('other'));
    await app.sync(through());
    expect(await revert(earlier)).toBe(200);
    expect(await givers()).toMatchObject({ all: null });
  });

  test('direct access counts as direct, and of two givers the first counts', async () => {
    const twice = ada([['all', 'sub'], ['all'], ['deep', 'sub'], ['deep', 'all'], ['deep', 'sub']]);
    await app.sync({ team: [group('sub'), group('all')], person: [twice] });
    expect(await givers()).toEqual({ all: null, deep: 'all' });
  });

  test('an unknown giver is created with its id, and stays while something names it', async () => {
    await app.sync({ person: [ada([['all', 'sub']])] });
    expect(await resourceOf('sub')).toMatchObject({ name: '', active: true });
    await app.sync({ person: [ada([['all', 'sub']])] });
    expect(await resourceOf('sub')).toMatchObject({ active: true });
    await app.sync({ person: [ada([['all']])] });
    expect(await resourceOf('sub')).toBeUndefined();
    expect(await givers()).toEqual({ all: null });
  });

  test('a giver that goes with what it gave is remembered in the history', async () => {
    await app.sync({ team: [group('all'), group('sub')], person: [ada([['sub'], ['all', 'sub']])] });
    const moment = await momentBetween(service.database.db);
    const session = await app.sync({ person: [ada([])] });
    expect(await givers()).toEqual({});
    expect(await givers(`&as_of=${moment}`)).toEqual({ sub: null, all: 'sub' });

    await service.call('POST', `/api/apps/${app.id}/syncs/${session}/revert/`, {});
    expect(await givers()).toEqual({ sub: null, all: 'sub' });
  });

  test('access of another organization is never the giver', async () => {
    const other = await openSyncTest();
    try {
      const foreign = await addSyncedApp(other);
      await foreign.sync({ team: [group('sub')], person: [ada([['sub']])] });
      await app.sync({ person: [ada([['all', 'sub']])] });
      const { via } = (await accountOf()).memberships.team[0];
      expect(via).toMatchObject({ external_uuid: (await resourceOf('sub')).external_uuid, name: '' });
    } finally {
      await other.close();
    }
  });
});

describe('a wrong giver', () => {
  const push = async (via: unknown) => {
    const session = await app.start();
    return app.push(session, 'person', [
      { id: 'ada', email: 'ada@x.example', memberships: { team: [{ id: 'all', via }] } },
    ]);
  };
  const at = 'records[0].memberships.team[0].via';

  test.each([
    ['a text', 'sub', { path: at, code: 'object_type' }],
    ['a list', ['sub'], { path: at, code: 'object_type' }],
    ['without an id', { slug: 'team' }, { path: `${at}.id`, code: 'missing' }],
    ['without a slug', { id: 'sub' }, { path: `${at}.slug`, code: 'missing' }],
    ['with a number', { slug: 'team', id: 7 }, { path: `${at}.id`, code: 'string_type' }],
    ['that is itself', { slug: 'team', id: 'all' }, { path: at, code: 'invalid' }],
  ])('%s is a problem of its record', async (_, via, problem) => {
    expect(await push(via)).toMatchObject({ status: 400, body: { errors: [problem] } });
  });

  test.each(['nothing', 'person'])('of the type %s is 422', async (slug) => {
    expect(await push({ slug, id: 'sub' })).toMatchObject({
      status: 422,
      body: { detail: `Record 'ada': unknown via slug '${slug}'` },
    });
  });

  test.each([null, ''])('that is %j counts as absent', async (via) => {
    expect(await push(via)).toMatchObject({ status: 200 });
  });
});
