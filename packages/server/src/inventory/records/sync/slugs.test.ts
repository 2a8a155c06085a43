// @module-tag engine
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSyncTest, type SyncTest } from '#test/sync.ts';

let service: SyncTest;
beforeAll(async () => {
  service = await openSyncTest();
});
afterAll(() => service.close());

test.each(['complete', 'abandon'])('syncs a resource type with the slug %s', async (slug) => {
  const name = 'A type';
  expect(await service.bridge('POST', '/resource-types/', { slug, name, type: 'group' })).toMatchObject({
    status: 201,
  });
  const session = await service.start();
  for (const slash of ['/', '']) {
    const path = `/sync/${session}/${slug}${slash}`;
    const page = { records: [{ id: 'g1', name: 'One' }] };
    expect(await service.bridge('PUT', path, page)).toMatchObject({ status: 200, body: { total: 1 } });
    expect(await service.bridge('PATCH', path, {})).toMatchObject({
      status: 405,
      headers: { allow: 'OPTIONS, POST, PUT' },
    });
  }
  await service.push(session, 'person', [
    { id: 'p', email: 'p@x.example', memberships: { [slug]: [{ id: 'g1' }] } },
  ]);

  expect(await service.complete(session)).toMatchObject({ status: 'completed' });

  expect((await service.inventory()).memberships).toEqual({ 'person:p': [`${slug}:g1`] });
});

test('returns 404 for a push to `complete` without such a resource type', async () => {
  const other = await openSyncTest();
  const answer = await other.push(await other.start(), 'complete', []);
  expect(answer).toMatchObject({ status: 404, body: { detail: 'Resource type not found.' } });
  await other.close();
});

test('counts a record that was pushed again once, in progress and after each ending', async () => {
  for (const ending of ['complete', 'abandon', 'discard']) {
    const session = await service.start();
    const count = async () => {
      const { progress } = await service.view(session);
      return Object.fromEntries(
        progress.map((one: { slug: string; synced_count: number }) => [one.slug, one.synced_count]),
      );
    };
    for (const ids of [['a', 'b'], ['b', 'c'], ['a'], []]) {
      await service.push(
        session,
        'person',
        ids.map((id) => ({ id, username: id })),
      );
    }
    await service.push(session, 'team', [{ id: 'a', name: 'A' }]);
    await service.push(session, 'bot', [{ id: 'A', username: 'a' }]);
    expect(await count(), ending).toMatchObject({ person: 3, bot: 1, team: 1, seat: 0 });

    if (ending === 'complete') await service.complete(session);
    if (ending === 'abandon') await service.abandon(session);
    if (ending === 'discard') await service.start();

    expect(await count(), ending).toMatchObject({ person: 3, bot: 1, team: 1, seat: 0 });
  }
});
