// @module-tag engine
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { addSyncedApp, openSyncTest, type SyncedApp, type SyncTest } from '#test/sync.ts';

let service: SyncTest;
let call: SyncTest['call'];
/** Days of equal sign-ins, and accounts without any. */
let reporting: SyncedApp;
let silent: SyncedApp;
beforeAll(async () => {
  service = await openSyncTest();
  call = service.call;
  [reporting, silent] = [await addSyncedApp(service), await addSyncedApp(service)];
  const used = [5, 900, 3, 5, null, 40, null, 900].map((days, index) => ({
    id: `used-${index}`,
    username: `used-${index}`,
    status: index % 2 === 0 ? 'active' : 'suspended',
    ...(days === null ? {} : { last_sign_in_at: ago(days) }),
  }));
  await reporting.sync({ bot: used });
  await silent.sync({ bot: ['x', 'y', 'z'].map((id) => ({ id, username: id })) });
});
afterAll(() => service.close());

const TODAY = Date.now();
const ago = (days: number) => new Date(TODAY - days * 86_400_000).toISOString();

type Item = { external_uuid: string; last_sign_in_at: string | null };

/** Every account of a list, read in pages of `limit`, each by its offset. */
async function walk(query: string, limit: number): Promise<Item[]> {
  const found: Item[] = [];
  for (let offset = 0; ; offset += limit) {
    const { status, body } = await call('GET', `/api/accounts/?limit=${limit}&offset=${offset}&${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.results).toHaveLength(Math.max(0, Math.min(limit, body.count - offset)));
    found.push(...body.results);
    if (offset >= body.count) return found;
  }
}

/** The order in which `items` should be. */
const inOrder = (items: Item[], direction: 1 | -1) =>
  items.toSorted((one, other) => {
    const [left, right] = [one, other].map((item) => item.last_sign_in_at);
    const rank = (left === null ? 1 : 0) - (right === null ? 1 : 0);
    if (rank !== 0) return rank;
    const key = (item: Item) => `${item.last_sign_in_at} ${item.external_uuid}`;
    return key(one) < key(other) ? -direction : direction;
  });

async function expectOrders(query: string, limits: number[]) {
  const all = await walk(`${query}&sort=created`, 200);
  for (const limit of limits) {
    expect(await walk(`${query}&sort=last_sign_in`, limit)).toEqual(inOrder(all, 1));
    expect(await walk(`${query}&sort=-last_sign_in`, limit)).toEqual(inOrder(all, -1));
  }
  return all.length;
}

test('lists accounts by their last sign-in, those without one last, on pages of any size', async () => {
  const limits = [1, 2, 3, 4, 200];
  expect(await expectOrders('', limits)).toBe(11);
  expect(await expectOrders(`app=${reporting.id}`, limits)).toBe(8);
  expect(await expectOrders(`app=${silent.id}`, limits)).toBe(3);
  expect(await expectOrders('status=SUSPENDED', limits)).toBe(4);
  expect(await expectOrders('linked=false&kind=service', limits)).toBe(0);
  expect(await expectOrders('search=used', limits)).toBe(8);
  expect(await expectOrders('not_used_for_days=30', limits)).toBe(3);
  expect(await expectOrders('never_used=true', limits)).toBe(2);
  expect(await expectOrders(`last_sign_in_before=${ago(4)}`, limits)).toBe(5);
});

test('lists many accounts that were not used by their last sign-in', { tags: ['long'] }, async () => {
  // The other test reads all accounts, on pages of one.
  const shared = service;
  service = await openSyncTest();
  call = service.call;
  onTestFinished(async () => {
    await service.close();
    service = shared;
    call = service.call;
  });
  const app = await addSyncedApp(service);
  const bots = Array.from({ length: 2500 }, (_, index) => ({
    id: `many-${index}`,
    username: `many-${index}`,
    ...(index % 10 === 0 ? {} : { last_sign_in_at: ago(100 + (index % 7)) }),
  }));
  const session = await app.start();
  for (let start = 0; start < bots.length; start += 100)
    await app.push(session, 'bot', bots.slice(start, start + 100));
  await app.complete(session);

  // More than 2000 candidates: the list walks along the order.
  expect(await expectOrders(`app=${app.id}&last_sign_in_before=${ago(99)}`, [200])).toBe(2250);
  expect(await expectOrders(`app=${app.id}`, [150])).toBe(2500);
});
