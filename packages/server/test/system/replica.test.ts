// @module-tag long
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import type { Replica } from '#kit/database/replica.ts';
import { transaction, within } from '#kit/database.ts';
import { listEvents } from '#log/events/list.ts';
import { openEventLog } from '#log/events/log.ts';
import { recordEvents } from '#log/events/record.ts';
import { type Envelope, named, namesOf, newOrganization, storedNames } from '../event-log.ts';
import { furnish } from '../furnish.ts';
import { fill, operationsOf } from '../operations.ts';
import { ORG } from '../organization.ts';
import { run } from '../replica.ts';
import { type Node, openReplicated, type Replicated } from '../replicated.ts';
import { secrets } from '../secrets.ts';
import { signInOwner } from '../sign-in.ts';

/** All other operations read from the primary. */
const MAY_READ_A_REPLICA = [
  '/api/accounts/',
  '/api/accounts/unlinked/',
  '/api/apps/{app_id}/license-trend/',
  '/api/apps/{app_id}/resources/',
  '/api/apps/{app_id}/resources/{resource_id}/members/',
  '/api/apps/{app_id}/syncs/',
  '/api/catalog/',
  '/api/events/',
  '/api/events/histogram/',
  '/api/events/{external_uuid}/',
  '/api/history/access/',
  '/api/history/compare/',
  '/api/history/compare/counts/',
  '/api/history/marks/',
  '/api/person-groups/',
  '/api/person-groups/{group_id}/members/',
  '/api/queries/run/',
  '/api/queries/{query_id}/rows/',
  '/api/resources/',
  '/api/reviews/',
  '/api/reviews/cycles/',
  '/api/reviews/cycles/{cycle_id}/evidence/',
  '/api/reviews/cycles/{cycle_id}/items/',
  '/api/reviews/cycles/{cycle_id}/items/context/',
  '/api/reviews/cycles/{cycle_id}/reviewers/',
  '/api/reviews/{review_id}/cycles/',
  '/api/reviews/{review_id}/preview/',
  '/api/syncs/recent/',
  '/api/tasks/',
  '/api/tickets/',
  '/api/users/',
  '/api/users/access-by-department/',
  '/api/users/attributes/',
  '/api/users/duplicates/',
  '/api/users/duplicates/dismissed/',
  '/api/users/leavers/',
  '/api/users/movements/',
  '/api/users/{user_id}/access/',
  '/api/users/{user_id}/activity/',
  '/api/users/{user_id}/history/',
];

describe.runIf(inject('prepared').engine === 'postgres')(
  'with a streaming replica',
  {
    timeout: 400_000,
    // In this order: the tests pause and kill the one replica.
    shuffle: false,
  },
  () => {
    let servers: Replicated;
    /** Reads from the primary only. */
    let plain: Node;
    /** Reads from the replica. */
    let node: Node;
    beforeAll(async () => {
      servers = await openReplicated();
      plain = await servers.openNode();
      node = await servers.openNode(servers.server.url);
    });
    afterAll(() => servers?.close());

    const counts = (of: Node = node) =>
      ({ ...of.reads?.status().reads }) as { replica: number; primary: number };
    const state = () => node.reads?.status().state;
    const waitForStandby = async (name: string) => {
      await run(servers.url, `alter system set synchronous_standby_names = '${name}'`);
      await run(servers.url, 'select pg_reload_conf()');
    };
    const letCommitsGo = () => waitForStandby('');
    /** Holds up all commits: they wait for a standby that does not exist. The replica has them, but nobody sees them on the primary. */
    const holdCommits = async () => {
      onTestFinished(letCommitsGo);
      await waitForStandby('nobody');
      // The server takes some time to apply the setting.
      await expect
        .poll(() => {
          void run(servers.url, `select pg_logical_emit_message(true, 'probe', '')`);
          return run(servers.url, `select from pg_stat_activity where wait_event = 'SyncRep'`);
        })
        .not.toEqual([]);
    };
    /** Waits until the node has found out what became of the replica. */
    const until = (expected: string) =>
      expect.poll(state, { timeout: 120_000, message: expected }).toBe(expected);
    const addPerson = async (by: Node, email: string) => {
      const { status, body } = await by.call('POST', '/api/users/', { email });
      expect(status, JSON.stringify(body)).toBe(201);
      return body.external_uuid as string;
    };
    const find = async (by: Node, email: string) => {
      const { status, body } = await by.call('GET', `/api/users/?email=${email}`);
      expect(status, JSON.stringify(body)).toBe(200);
      return body.results.map((person: { email: string }) => person.email);
    };

    test('returns what another node wrote just before, from the replica', async () => {
      const before = counts();
      // On a busy machine, the replica is late at times, and the primary serves the request.
      for (let turn = 0; turn < 20 || counts().replica < before.replica + 10; turn++) {
        const email = `own-${turn}@acme.example`;
        await addPerson(plain, email);
        expect(await find(node, email)).toEqual([email]);
      }
    });

    test('returns the same from the replica as from the primary, for every read', async () => {
      const browser = await signInOwner(plain, ORG);
      const ids = await furnish(plain.call, browser.call, ORG, { jobs: false });
      const eligible: string[] = [];
      const gets = (await operationsOf(node)).filter(
        ({ method, needsSession }) => method === 'GET' && !needsSession,
      );
      for (const { path } of gets) {
        const address = fill(path, (name) => ids[name] ?? '');
        const expected = await plain.call('GET', address);
        for (let isServed = false; !isServed; ) {
          const before = counts();
          const found = await node.call('GET', address);
          expect(found.status, path).toBe(expected.status);
          if (!path.startsWith('/api/events/'))
            expect(withoutTimes(found.body), path).toEqual(withoutTimes(expected.body));
          const { replica, primary } = counts();
          isServed = primary === before.primary;
          if (replica > before.replica && isServed) eligible.push(path);
        }
      }
      expect(eligible.sort()).toEqual(MAY_READ_A_REPLICA);
    });

    test('reads from the primary while the replica is paused, and from the replica once it has caught up', async () => {
      await servers.server.pause();
      await addPerson(plain, 'paused@acme.example');

      expect(await find(node, 'paused@acme.example')).toEqual(['paused@acme.example']);
      await until('behind');
      const paused = counts();
      expect(await find(node, 'paused@acme.example')).toEqual(['paused@acme.example']);
      expect(counts()).toEqual({ ...paused, primary: paused.primary + 1 });
      expect(node.reads?.status().lagBytes).toBeGreaterThan(0);

      await servers.server.resume();
      await expect
        .poll(
          async () => {
            expect(await find(node, 'paused@acme.example')).toEqual(['paused@acme.example']);
            return counts().replica;
          },
          { timeout: 60_000 },
        )
        .toBeGreaterThan(paused.replica);
    });

    test('answers every request while the replica is killed, and reads from it again once it is back', async () => {
      let answered = 0;
      let over = false;
      onTestFinished(() => {
        over = true;
      });
      const readers = Array.from({ length: 8 }, async () => {
        while (!over) {
          await find(node, 'paused@acme.example');
          answered++;
        }
      });
      const atLeast = (more: number, count = () => answered) =>
        expect.poll(count, { timeout: 60_000 }).toBeGreaterThan(count() + more);

      await atLeast(50);
      await servers.server.kill();
      await until('lost');
      await atLeast(50);
      expect((await node.app.http.inject('/readyz')).statusCode).toBe(200);
      await servers.server.start();
      await atLeast(50, () => counts().replica);
      over = true;
      await Promise.all(readers);
    });

    test('pages through every event once and in order, on two nodes, while the replica pauses at random', async () => {
      const { database } = plain;
      const orgId = await newOrganization(database);
      const logs = [node, plain].map(({ database: opened, reads }) => ({
        log: openEventLog(opened, secrets, () => new Error('The key is dead.')),
        side: () => reads?.reader(),
      }));
      const reader = { orgId, keyId: null };
      const empty = await listEvents((logs[1] as (typeof logs)[number]).log, reader, {});
      let over = false;
      let isRecorded = false;
      onTestFinished(() => {
        over = true;
      });
      const recorded: string[] = [];
      const writers = [1, 2, 3].map(async (writer) => {
        for (let turn = 0; !over; turn++) {
          const names = Array.from({ length: randomInt(1, 8) }, (_, index) => `${writer}-${turn}-${index}`);
          await transaction(within(database.db, orgId), (tx) =>
            recordEvents(
              tx,
              names.map((name) => named(name)),
            ),
          );
          recorded.push(...names);
          await sleep(randomInt(8));
        }
      });
      const pauses = (async () => {
        while (!over) {
          await servers.server.pause();
          await sleep(randomInt(50, 400));
          await servers.server.resume();
          await sleep(randomInt(1500));
        }
      })();
      /** Follows a cursor through random nodes until it has caught up after the end. Returns the names on each page. */
      const follow = async (direction: 'nextCursor' | 'previousCursor') => {
        const pages: string[][] = [];
        for (let cursor = empty[direction]; ; ) {
          const { log, side } = logs[randomInt(2)] as (typeof logs)[number];
          const isEnd = isRecorded;
          const page = await listEvents(log, reader, { cursor, limit: randomInt(1, 30) }, side());
          const names = namesOf(JSON.parse(`[${page.results}]`) as Envelope[]);
          pages.push(names);
          cursor = page[direction];
          if (names.length === 0 && isEnd) return pages;
        }
      };
      const before = counts();
      const down = [follow('nextCursor'), follow('nextCursor')];
      const up = [follow('previousCursor'), follow('previousCursor')];
      const areBothRead = () => counts().replica > before.replica && counts().primary > before.primary;
      await expect.poll(() => recorded.length > 2000 && areBothRead(), { timeout: 300_000 }).toBe(true);
      over = true;
      await Promise.all([...writers, pauses]);
      isRecorded = true;
      const stored = (await storedNames(database, orgId)).reverse();
      expect(stored).toHaveLength(recorded.length);
      for (const pages of await Promise.all(down)) {
        expect(pages.flat().sort()).toEqual(stored.toSorted());
        for (const page of pages)
          expect(page).toEqual(page.toSorted((a, b) => stored.indexOf(b) - stored.indexOf(a)));
      }
      for (const pages of await Promise.all(up))
        expect(pages.flatMap((page) => page.toReversed())).toEqual(stored);
    });

    test('loses no event when the replica shows a commit before the primary does', async () => {
      const { database } = plain;
      const orgId = await newOrganization(database);
      const log = openEventLog(database, secrets, () => new Error('The key is dead.'));
      const reader = { orgId, keyId: null };
      const record = (names: string[]) =>
        transaction(within(database.db, orgId), (tx) =>
          recordEvents(
            tx,
            names.map((name) => named(name)),
          ),
        );
      const page = async (query: { cursor?: string }, side?: ReturnType<Replica['reader']>) => {
        const { results, ...cursors } = await listEvents(log, reader, { ...query, limit: 2 }, side);
        return { ...cursors, names: namesOf(JSON.parse(`[${results}]`) as Envelope[]) };
      };
      await record(['first']);
      const start = await page({});
      await until('usable');

      await holdCommits();
      const commit = record(['a', 'b', 'c']);
      // Without the commit, the page is from the primary: on a busy machine, the replica is late at times.
      let top = start;
      const readTop = async () => {
        top = await page({ cursor: start.nextCursor }, node.reads?.reader());
        return top.names;
      };
      await expect.poll(readTop, { timeout: 120_000 }).toEqual(['c', 'b']);
      expect(await storedNames(database, orgId)).toEqual(['first']);
      const rest = page({ cursor: top.nextCursor });
      const above = page({ cursor: top.previousCursor });
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%update event_head%'`;
      await expect.poll(() => run(servers.url, waiting)).toHaveLength(2);
      await letCommitsGo();
      await commit;

      expect((await rest).names).toEqual(['a']);
      expect((await above).names).toEqual([]);
      await record(['d']);
      expect((await page({ cursor: (await rest).nextCursor })).names).toEqual(['d']);
      expect((await page({ cursor: (await above).previousCursor })).names).toEqual(['d']);
    });

    test('publishes the lag and the side of reads', async () => {
      await until('usable');
      const metrics = async () => (await node.app.http.inject('/metrics')).payload;

      // A busy machine can be behind a moment later.
      await expect.poll(metrics).toMatch(/^gatehouse_replica_usable 1$/m);
      const payload = await metrics();
      expect(payload).toMatch(/^gatehouse_replica_lag_bytes \d+$/m);
      expect(payload).toMatch(/^gatehouse_replica_lag_seconds \d/m);
      expect(payload).toMatch(/^gatehouse_reads_total\{side="replica"\} [1-9]/m);
      expect(payload).toMatch(/^gatehouse_reads_total\{side="primary"\} [1-9]/m);
      expect((await plain.app.http.inject('/metrics')).payload).not.toContain('gatehouse_replica');
    });

    test('refuses a revoked key immediately, also for events', async () => {
      const made = await plain.call('POST', '/api/api-keys/', { name: 'reader', scopes: ['events', 'read'] });
      const key = made.body.key as string;
      for (const path of ['/api/events/', '/api/tasks/'])
        expect((await node.call('GET', path, undefined, { key })).status, path).toBe(200);

      await servers.server.pause();
      await plain.call('DELETE', `/api/api-keys/${made.body.id}/`);

      for (const path of ['/api/events/', '/api/tasks/'])
        expect((await node.call('GET', path, undefined, { key })).status, path).toBe(401);
      await servers.server.resume();
      await until('usable');
    });

    test('reads nothing from a server that became a primary of its own', async () => {
      await servers.server.promote();
      await addPerson(plain, 'promoted@acme.example');

      expect(await find(node, 'promoted@acme.example')).toEqual(['promoted@acme.example']);
      await until('promoted');
      const before = counts();
      expect(await find(node, 'promoted@acme.example')).toEqual(['promoted@acme.example']);
      expect(counts()).toEqual({ ...before, primary: before.primary + 1 });
    });
  },
);

/** Leaves out times that change with each request. */
const withoutTimes = (body: unknown) =>
  JSON.parse(
    JSON.stringify(body, (name, value) =>
      /^(generated_at|as_of|known_at|last_used_at|planned_at|from|to)$/.test(name) ? undefined : value,
    ) ?? 'null',
  );
