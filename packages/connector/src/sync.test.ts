import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createRedactor } from '../../protocol/src/redact.ts';
import type { Fault } from './conformance/service/fault.ts';
import { type ScriptedService, startScriptedService } from './conformance/service/scripted.ts';
import {
  type AccountRecord,
  type Connector,
  defineConnector,
  type ListContext,
  type Listing,
} from './define.ts';
import { unlessAborted } from './interrupt.ts';
import { silent } from './progress.ts';
import { createService, type Service } from './service.ts';
import { openState } from './state.ts';
import { runSync, type SyncOptions } from './sync.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const account = (n: number): AccountRecord<'team'> => ({
  id: `a${n}`,
  username: `user${n}`,
  memberships: { team: [{ id: `g${n % 3}` }] },
});
const many = (count: number, from = 0) => Array.from({ length: count }, (_, n) => account(from + n));

function connectorOf(accounts: (context: ListContext) => Listing<AccountRecord<'team'>>): Connector {
  return defineConnector({
    name: 'sample',
    version: '1.0.0',
    config: {},
    connect: () => null,
    groups: {
      team: { name: 'Teams', list: () => ['g0', 'g1', 'g2'].map((id) => ({ id, name: `Team ${id}` })) },
    },
    accounts: { user: { name: 'Users', list: (_, context) => accounts(context) } },
  });
}

async function place(faults: Fault[] = []) {
  const service = await startScriptedService(faults);
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-sync-'));
  const app = service.world.createApp('sample').id;
  cleanups.push(
    () => service.close(),
    () => rmSync(folder, { recursive: true }),
  );
  const controller = new AbortController();
  const sync = async (
    connector: Connector,
    options?: SyncOptions,
    change = (client: Service) => client,
    stateFolder = folder,
  ) => {
    const { signal } = controller;
    const state = openState(stateFolder);
    try {
      const client = createService({ url: service.url, key: service.key, log: silent, signal, pause: 5 });
      const run = {
        connector,
        system: null,
        service: change(client),
        app,
        state,
        progress: silent,
        redactor: createRedactor(),
        signal,
      };
      return await runSync(run, options);
    } finally {
      state.close();
    }
  };
  const users = () => (service.world.inventory(app).user ?? []).map(({ id }) => id);
  return { service, app, sync, users, interrupt: () => controller.abort(), folder };
}

const count = (service: ScriptedService, pattern: RegExp) =>
  service.calls.filter((call) => pattern.test(call)).length;

describe('a full sync', () => {
  test('pushes groups before accounts in pages of 100 and completes', async () => {
    const { service, sync, users } = await place();
    const result = await sync(connectorOf(() => many(250)));
    expect(result.pushed).toEqual({ team: 3, user: 250 });
    expect(users()).toHaveLength(250);
    expect(service.pages.largest).toBe(100);
    const pages = service.calls
      .filter((call) => call.startsWith('PUT'))
      .map((call) => call.split('/').at(-1));
    expect(pages).toEqual(['team', 'user', 'user', 'user']);
    expect(count(service, /complete$/)).toBe(1);
  });

  test('removes missing records in a second run', async () => {
    const { sync, users } = await place();
    await sync(connectorOf(() => many(20)));
    await sync(connectorOf(() => many(18)));
    expect(users()).toHaveLength(18);
  });

  test('changes nothing if all missing records are from the end of the list', async () => {
    const { service, sync, users } = await place();
    await sync(connectorOf(() => many(200)));
    await expect(sync(connectorOf(() => many(150)))).rejects.toThrow(
      /stopped by the guard: 50 users fewer, all from the end of the list, as if it was cut off. Nothing was changed/,
    );
    expect(users()).toHaveLength(200);
    const { guard } = await sync(
      connectorOf(() => many(150)),
      { dryRun: true },
    );
    expect(guard).toMatch(/50 users fewer/);
    await sync(
      connectorOf(() => many(150)),
      { guard: null },
    );
    expect(users()).toHaveLength(150);
    // Others are missing too, the list goes on after the missing ones, or it is in another order.
    await sync(connectorOf(() => many(130, 5)));
    await sync(connectorOf(() => [...many(115, 5), account(500)]));
    await sync(connectorOf(() => many(100, 5).reverse()));
    expect(users()).toHaveLength(100);
    expect(count(service, /complete$/)).toBe(5);
  });

  test('says after three runs that skip a record that removals go unnoticed', async () => {
    const { sync } = await place();
    await sync(connectorOf(() => many(120)));
    const repeating = connectorOf(() => [...many(119), account(9)]);
    const ended = () =>
      sync(repeating).then(
        () => '',
        (error: Error) => error.message,
      );
    const plain = '1 record was skipped, so the session was abandoned and nothing was removed';
    expect([await ended(), await ended()]).toEqual([plain, plain]);
    expect(await ended()).toMatch(
      /nothing was removed. This is run 3 in a row .* stay in Gatehouse until this is corrected: user 'a9': its id was already listed$/,
    );
    await sync(connectorOf(() => many(120)));
    expect(await ended()).toBe(plain);
  });

  test.each<[string, (context: ListContext) => Listing<AccountRecord<'team'>>, RegExp]>([
    [
      'an error in the middle of the list',
      async function* () {
        yield* many(150);
        throw new Error('connection reset by the directory');
      },
      /connection reset by the directory/,
    ],
    [
      'a record that the connector skips',
      function* ({ skip }) {
        yield* many(150);
        skip('a151', 'unreadable');
      },
      /1 record was skipped/,
    ],
    ['a record without email and username', () => [...many(3), { id: 'x' }], /1 record was skipped/],
    ['the same id twice', () => [...many(120), account(0)], /1 record was skipped/],
    [
      'a reference to a group that was not listed',
      () => [{ id: 'x', username: 'x', memberships: { team: [{ id: 'nowhere' }] } }],
      /1 record was skipped/,
    ],
    [
      'a repeated page token',
      function* () {
        yield { records: many(5), next: 'one' };
        yield { records: many(5, 5), next: 'one' };
      },
      /page token 'one' twice/,
    ],
  ])('%s abandons the session, exits with 5 or 1, and removes nothing', async (_, list, message) => {
    const { service, sync, users } = await place();
    await sync(connectorOf(() => many(300)));
    await expect(sync(connectorOf(list))).rejects.toThrow(message);
    expect(users()).toEqual(expect.arrayContaining(many(300).map(({ id }) => id)));
    expect(count(service, /complete$/)).toBe(1);
    expect(count(service, /abandon$/)).toBe(1);
  });

  test('sends nothing in a dry run and reports what would stop it', async () => {
    const { service, sync } = await place();
    await sync(connectorOf(() => many(40)));
    const before = service.calls.length;
    const result = await sync(
      connectorOf(() => [...many(5), { id: 'bad' }]),
      { dryRun: true },
    );
    expect(service.calls).toHaveLength(before);
    expect(result).toMatchObject({
      outcome: 'dry run',
      problems: 1,
      guard: expect.stringContaining('35 of 40 accounts'),
    });
  });

  test.each([
    ['that goes on', () => many(150, 150)],
    ['that waits for a system that never replies', () => new Promise<never>(() => {})],
  ])('abandons and removes nothing when interrupted in a listing %s', async (_, rest) => {
    const { service, sync, users, interrupt } = await place();
    await sync(connectorOf(() => many(300)));
    const stopping = connectorOf(async function* () {
      yield* many(150);
      interrupt();
      yield* await rest();
    });
    await expect(sync(stopping)).rejects.toMatchObject({ exit: 130 });
    expect(users()).toHaveLength(300);
    expect(count(service, /abandon$/)).toBe(1);
  });
});

describe('the guard', () => {
  test('stops a run that lost too many ids, even if as many were added', async () => {
    const { service, sync, users } = await place();
    await sync(connectorOf(() => many(40)));
    const swapped = connectorOf(() => [...many(20), ...many(20, 100)]);
    await expect(sync(swapped)).rejects.toMatchObject({
      exit: 5,
      message: expect.stringContaining('20 of 40 accounts'),
    });
    expect(users()).toEqual(
      many(40)
        .map(({ id }) => id)
        .toSorted(),
    );
    expect(count(service, /complete$/)).toBe(1);
    await sync(swapped, { guard: null });
    expect(users()).toHaveLength(40);
  });

  test('stops a run that lost too many memberships', async () => {
    const { service, app, sync } = await place();
    await sync(connectorOf(() => many(40)));
    const before = service.world.inventory(app);
    const bare = connectorOf(() => many(40).map(({ id, username }) => ({ id, username })));
    await expect(sync(bare)).rejects.toMatchObject({
      exit: 5,
      message: expect.stringContaining('40 of 40 memberships'),
    });
    expect(service.world.inventory(app)).toEqual(before);
  });

  test.each(['suspended', 'inactive'] as const)(
    'stops a run that would make too many accounts %s',
    async (status) => {
      const { service, app, sync } = await place();
      await sync(connectorOf(() => many(40)));
      const before = service.world.inventory(app);
      const ended = connectorOf(() => [
        ...many(20).map((one) => ({ ...one, status })),
        ...many(20, 20),
        ...many(20, 100),
      ]);
      await expect(sync(ended)).rejects.toMatchObject({
        exit: 5,
        message: expect.stringContaining('20 of 40 active accounts would lose their access (50 %'),
      });
      expect(service.world.inventory(app)).toEqual(before);
      await sync(ended, { guard: null });
      await sync(ended);
    },
  );

  test('compares with the active accounts of the service on a first run', async () => {
    const { service, app, sync, folder } = await place();
    await sync(connectorOf(() => many(40)));
    rmSync(folder, { recursive: true });
    await expect(sync(connectorOf(() => many(4)))).rejects.toMatchObject({ exit: 5 });
    expect(service.world.inventory(app).user).toHaveLength(40);
  });
});

describe('the guard, for a field that is gone', () => {
  type Change = (account: AccountRecord<'team'>, n: number) => AccountRecord<'team'>;
  const full: Change = (one, n) => ({
    ...one,
    email: `${one.id}@acme.example`,
    last_sign_in_at: '2026-01-01T00:00:00Z',
    attributes: { city: 'Cologne', admin: n % 3 === 0 },
  });
  const listed = (change: Change, total = 40) => connectorOf(() => many(total).map(change));
  const idle =
    (count: number): Change =>
    (one, n) =>
      n < count ? { ...one, status: 'suspended' } : one;

  test.each<[string, Change, string]>([
    ['email', (one) => ({ ...one, email: '' }), 'only 0 of 40 user records have email, which 40 of 40 had'],
    ['last sign-in', (one) => ({ ...one, last_sign_in_at: null }), 'user records have last_sign_in_at'],
    ['attribute', (one) => ({ ...one, attributes: { admin: true } }), 'user records have attributes.city'],
    ['email of all but one', (one, n) => (n ? { ...one, email: null } : one), 'only 1 of 40 user records'],
  ])('stops a run without any %s, until the operator accepts it', async (_, change, objection) => {
    const { service, app, sync } = await place();
    await sync(listed(full));
    const before = service.world.inventory(app);
    const without = listed((one, n) => change(full(one, n), n));
    const stopped = {
      exit: 5,
      stop: { outcome: 'stopped_by_guard', objection: expect.stringContaining(objection) },
    };
    await expect(sync(without)).rejects.toMatchObject(stopped);
    await expect(sync(without)).rejects.toMatchObject(stopped);
    expect(service.world.inventory(app)).toEqual(before);
    await expect(sync(without, { dryRun: true })).resolves.toMatchObject({ guard: stopped.stop.objection });
    await sync(without, { guard: null });
    await sync(without);
  });

  test.each<[string, Change, Change, number]>([
    ['few records', full, (one) => one, 9],
    ['a field that half of the records had', (one, n) => (n % 2 ? full(one, n) : one), (one) => one, 40],
    ['a field that some records still have', full, (one, n) => (n < 4 ? full(one, n) : one), 40],
    [
      'an attribute that is false everywhere',
      full,
      (one, n) => ({ ...full(one, n), attributes: { city: 'Bonn', admin: false } }),
      40,
    ],
    ['few accounts that have access again', idle(9), idle(0), 40],
    ['accounts of which one still has no access', idle(12), idle(1), 40],
  ])('does not stop %s', async (_, first, second, total) => {
    const { sync } = await place();
    await sync(listed(first, total));
    await sync(listed(second, total));
  });

  test('stops a run in which all accounts have access again', async () => {
    const { service, app, sync } = await place();
    await sync(listed(idle(12)));
    const before = service.world.inventory(app);
    await expect(sync(listed(idle(0)))).rejects.toThrow('12 of 12 accounts without access have access again');
    expect(service.world.inventory(app)).toEqual(before);
    await sync(listed(idle(0)), { guard: null });
  });

  test('counts on after an interruption', async () => {
    const paged = (change: Change) =>
      connectorOf(function* ({ from }) {
        for (let page = from ? Number(from) : 0; page < 3; page++)
          yield { records: many(100, page * 100).map(change), next: String(page + 1) };
      });
    const { sync, service } = await place([
      { on: /^PUT .*user$|abandon$|^GET .*\/sync\//, nth: 2, what: 'drop', times: 30 },
    ]);
    await expect(sync(paged(full))).rejects.toMatchObject({ exit: 7 });
    service.arm({ on: /never/, nth: 1, what: 'drop' });
    await until(() => sync(paged(full)));
    await expect(sync(paged((one) => one))).rejects.toThrow('user records have email, which 300 of 300 had');
  });
});

/** Repeats a run until the service is reachable. */
async function until(run: () => Promise<unknown>): Promise<void> {
  for (let left = 30; left > 0; left--)
    if (
      await run().then(
        () => true,
        () => false,
      )
    )
      return;
  throw new Error('the service stays unreachable');
}

describe('candidates', () => {
  const person = (...email: string[]) =>
    connectorOf(() => [{ id: 'a', username: 'a', email: 'unused', candidates: { email } }, ...many(2)]);

  test('keep the value of the last sync while it is among them', async () => {
    const { service, app, sync } = await place();
    const synced = async (...emails: string[]) => {
      await sync(person(...emails));
      const found = service.world.inventory(app).user?.find(({ id }) => id === 'a');
      expect(found).not.toHaveProperty('candidates');
      return found?.email;
    };
    expect(await synced('c@x', 'b@x')).toBe('b@x');
    expect(await synced('b@x', 'c@x')).toBe('b@x');
    expect(await synced('a@x', 'b@x')).toBe('b@x');
    expect(await synced('c@x', 'a@x')).toBe('a@x');
    expect(await synced()).toBeUndefined();
  });

  test('are not taken from a sync that was not completed', async () => {
    const { service, app, sync } = await place();
    await sync(person('c@x'));
    const failing = connectorOf(function* ({ skip }) {
      yield { id: 'a', username: 'a', candidates: { email: ['b@x'] } };
      skip('z', 'unreadable');
    });
    await expect(sync(failing)).rejects.toThrow('1 record was skipped');
    await sync(person('b@x', 'c@x'));
    expect(service.world.inventory(app).user?.find(({ id }) => id === 'a')?.email).toBe('c@x');
  });
});

describe('pages in flight', () => {
  type Sent = { slug: string; reply: PromiseWithResolvers<void> };
  const forever = new AbortController().signal;

  /** A place whose service receives a page only after `reply.resolve()`. */
  async function held() {
    const sent: Sent[] = [];
    let arrival = Promise.withResolvers<void>();
    const hold = (client: Service): Service => ({
      ...client,
      async pushPage(app, session, slug, records, signal = forever) {
        const page = { slug, reply: Promise.withResolvers<void>() };
        sent.push(page);
        arrival.resolve();
        arrival = Promise.withResolvers();
        await unlessAborted(page.reply.promise, signal);
        return client.pushPage(app, session, slug, records, signal);
      },
    });
    /** Returns the page that was sent as the `at`th one, counted from 0, as soon as it is. */
    const page = async (at: number): Promise<Sent> => {
      for (;;) {
        const found = sent[at];
        if (found) return found;
        await arrival.promise;
      }
    };
    const { sync, ...rest } = await place();
    return { ...rest, sent, page, sync, syncHeld: (connector: Connector) => sync(connector, {}, hold) };
  }

  /** Lists 900 accounts, and counts how many have been read. */
  const counting = () => {
    const counted = { read: 0 };
    const connector = connectorOf(function* () {
      for (const record of many(900)) {
        counted.read++;
        yield record;
      }
    });
    return { counted, connector };
  };

  test('are at most four and of one type, and no more is read in the meantime', async () => {
    const { sent, page, syncHeld, users } = await held();
    const { counted, connector } = counting();
    const running = syncHeld(connector);
    const teams = await page(0);
    expect({ slug: teams.slug, read: counted.read }).toEqual({ slug: 'team', read: 0 });
    teams.reply.resolve();
    await page(4);
    expect({ sent: sent.length, read: counted.read }).toEqual({ sent: 5, read: 400 });
    sent[2]?.reply.resolve();
    sent[1]?.reply.resolve();
    await page(6);
    expect({ sent: sent.length, read: counted.read }).toEqual({ sent: 7, read: 600 });
    for (let at = 3; at < 10; at++) (await page(at)).reply.resolve();
    await running;
    expect(users()).toHaveLength(900);
  });

  test('end with the first error of one of them, which is the one reported', async () => {
    const { service, sent, page, syncHeld } = await held();
    const { counted, connector } = counting();
    const running = syncHeld(connector);
    (await page(0)).reply.resolve();
    await page(4);
    sent[3]?.reply.reject(new Error('the third page is refused'));
    await expect(running).rejects.toThrow('the third page is refused');
    expect({ sent: sent.length, read: counted.read }).toEqual({ sent: 5, read: 400 });
    expect(count(service, /^PUT .*user$/)).toBe(0);
    expect([count(service, /abandon$/), count(service, /complete$/)]).toEqual([1, 0]);
  });

  test('end a listing that waits for its system when one of them fails', async () => {
    const { page, syncHeld } = await held();
    const waiting = connectorOf(async function* () {
      yield* many(100);
      await new Promise(() => {});
    });
    const running = syncHeld(waiting);
    (await page(0)).reply.resolve();
    (await page(1)).reply.reject(new Error('the first page is refused'));
    await expect(running).rejects.toThrow('the first page is refused');
  });

  test('arrive before a session is abandoned because of the listing', async () => {
    const { service, page, syncHeld } = await held();
    const failing = connectorOf(function* () {
      yield* many(300);
      throw new Error('connection reset by the directory');
    });
    const running = syncHeld(failing);
    for (let at = 0; at < 4; at++) (await page(at)).reply.resolve();
    await expect(running).rejects.toThrow('connection reset by the directory');
    const calls = service.calls.filter((call) => /^PUT .*user$|abandon$/.test(call));
    expect(calls.map((call) => call.split('/').at(-1))).toEqual(['user', 'user', 'user', 'abandon']);
  });

  test.each([
    [1, undefined],
    [2, '1'],
    [4, '3'],
  ])('a run that is killed while only page %i is missing resumes after %s', async (missing, from) => {
    const asked: (string | undefined)[] = [];
    const paged = connectorOf(function* (context) {
      asked.push(context.from);
      for (let page = Number(context.from ?? 0); page < 9; page++)
        yield { records: many(100, page * 100), next: String(page + 1) };
    });
    const { service, folder, interrupt, sent, page, sync, syncHeld, users } = await held();
    const killed = syncHeld(paged);
    for (let at = 0; at < missing; at++) (await page(at)).reply.resolve();
    await page(missing + 3);
    for (const each of sent.slice(missing + 1)) each.reply.resolve();
    await expect.poll(() => count(service, /^PUT .*user$/)).toBe(missing + 2);
    // The process would leave these files.
    const left = mkdtempSync(join(tmpdir(), 'gatehouse-sync-'));
    cleanups.push(() => rmSync(left, { recursive: true }));
    cpSync(folder, left, { recursive: true });
    await sync(paged, {}, undefined, left);
    expect(asked).toEqual([undefined, from]);
    expect(users()).toHaveLength(900);
    expect([count(service, /sync$/), count(service, /complete$/)]).toEqual([1, 1]);
    interrupt();
    await expect(killed).rejects.toMatchObject({ exit: 130 });
  });
});

describe('the service', () => {
  const accounts = () => connectorOf(() => many(250));
  test.each<[string, Fault]>([
    ['throttles a page', { on: /^PUT/, nth: 2, what: 'throttle' }],
    ['fails on a page three times', { on: /^PUT/, nth: 3, what: 'crash', times: 3 }],
    ['accepts a page and loses the answer', { on: /^PUT/, nth: 2, what: 'lose' }],
    ['accepts all pages and loses the answers', { on: /^PUT .*user$/, nth: 1, what: 'lose', times: 3 }],
    ['drops the start', { on: /^POST .*\/sync$/, nth: 1, what: 'drop' }],
    ['loses the answer of the start', { on: /^POST .*\/sync$/, nth: 1, what: 'lose' }],
    ['loses the answer of complete', { on: /complete$/, nth: 1, what: 'lose' }],
    ['fails to return the status', { on: /^GET .*\/sync\//, nth: 1, what: 'crash', times: 2 }],
  ])('%s: the outcome is that of a clean run', async (_, fault) => {
    const clean = await place();
    await clean.sync(accounts());
    const faulty = await place([fault]);
    await faulty.sync(accounts());
    expect(faulty.service.world.inventory(faulty.app)).toEqual(clean.service.world.inventory(clean.app));
  });

  test.each([
    ['before a page', { on: /^PUT/, nth: 2, what: 'supersede' }],
    ['before complete', { on: /complete$/, nth: 1, what: 'supersede' }],
  ] as const)('superseded %s: stops, and starts nothing', async (_, fault) => {
    const { service, sync } = await place([{ ...fault }]);
    const message = expect.stringMatching(
      /canceled by a newer one.*nothing was removed: .*(abandoned|superseded)/,
    );
    await expect(sync(accounts())).rejects.toMatchObject({ name: 'SupersededError', exit: 5, message });
    expect(count(service, /^POST .*\/sync$/)).toBe(1);
  });

  test('reports CLEANUP_FAILED, and the next run succeeds', async () => {
    const { sync, users } = await place([{ on: /complete$/, nth: 1, what: 'cleanup' }]);
    await expect(sync(accounts())).rejects.toThrow(/CLEANUP_FAILED.*kept/);
    await sync(accounts());
    expect(users()).toHaveLength(250);
  });

  test('exits with 4 if the key is rejected', async () => {
    const { service, app, folder } = await place();
    const { signal } = new AbortController();
    const client = createService({ url: service.url, key: 'wrong', log: silent, signal });
    const state = openState(folder);
    const run = {
      connector: accounts(),
      system: null,
      service: client,
      app,
      state,
      progress: silent,
      redactor: createRedactor(),
      signal,
    };
    await expect(runSync(run)).rejects.toMatchObject({ exit: 4 });
    state.close();
  });

  test('exits with 7 if the service stays unreachable, and the next run resumes after the last token', async () => {
    const asked: (string | undefined)[] = [];
    const paged = connectorOf(async function* ({ from }) {
      asked.push(from);
      for (let page = from ? Number(from) : 0; page < 5; page++) {
        // Pages in flight arrive in any order.
        await expect.poll(() => count(service, /^PUT .*user$/)).toBeGreaterThanOrEqual(page);
        yield { records: many(100, page * 100), next: String(page + 1) };
      }
    });
    const { service, app, sync } = await place([
      { on: /^PUT .*user$|abandon$|^GET .*\/sync\//, nth: 4, what: 'drop', times: 30 },
    ]);
    await expect(sync(paged)).rejects.toMatchObject({ exit: 7 });
    service.arm({ on: /never/, nth: 1, what: 'drop' });
    for (let left = 30; left > 0; left--) {
      try {
        await sync(paged);
        break;
      } catch {
        // The service is still unreachable.
      }
    }
    expect(asked.at(-1)).toBe('3');
    expect(count(service, /^POST .*\/sync$/)).toBe(1);
    expect(service.world.inventory(app).user).toHaveLength(500);
  });

  test('rejects a second sync of the same app at the same time', async () => {
    const { sync } = await place();
    const slow = sync(accounts());
    await expect(sync(accounts())).rejects.toThrow(/another process is working/);
    await slow;
  });
});
