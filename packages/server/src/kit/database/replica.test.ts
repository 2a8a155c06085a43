// @module-tag long
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { startPostgres } from '#test/postgres.ts';
import { run, startReplica } from '#test/replica.ts';
import { openReplicated, openTestReplica, type Replicated } from '#test/replicated.ts';
import { temporaryFolder } from '#test/temporary.ts';
import type { Database } from './database.ts';
import { openDatabase } from './open.ts';
import { within } from './organization.ts';
import type { Replica } from './replica.ts';
import { isStatementTimeout } from './sqlstate.ts';
import { withTimeLimit } from './time-limit.ts';
import { transaction } from './transaction.ts';

describe.runIf(inject('prepared').engine === 'postgres')(
  'a streaming replica',
  {
    timeout: 300_000,
  },
  () => {
    let servers: Replicated;
    let primary: Database;
    beforeAll(async () => {
      // Replay never waits for a statement.
      servers = await openReplicated(['max_standby_streaming_delay=0']);
      primary = await openDatabase({ url: servers.url });
      await primary.exec('create table note (text text)');
    });
    afterAll(async () => {
      await primary?.close();
      await servers?.close();
    });

    const until = (replica: Replica, state: string) =>
      expect.poll(() => replica.status().state, { timeout: 120_000 }).toBe(state);
    /** Whether the statement runs on the replica. */
    const isOnReplica = async (reader: { db: Database['db'] }) =>
      (await sql<{ is: boolean }>`select pg_is_in_recovery() as is`.execute(reader.db)).rows[0]?.is;
    const usable = async () => {
      const replica = await openTestReplica(primary, servers.server.url);
      await until(replica, 'usable');
      return replica;
    };
    /** Keeps a statement busy until something ends it, but not when it is repeated on the primary. */
    const sleepOnReplica = sql`case when pg_is_in_recovery() then pg_sleep(3600) end`;
    /** Opens readers until one of them reads from the replica, which may be slow at times. */
    const readerOnReplica = async (replica: Replica) => {
      for (;;) {
        const reader = replica.reader();
        if (await isOnReplica(reader)) return reader;
      }
    };

    test('serves statements from the replica, with and without a name', async () => {
      const reader = await readerOnReplica(await usable());

      expect(await reader.prepared('select pg_is_in_recovery() as is, $1::int as one', [1])).toEqual([
        { is: true, one: 1 },
      ]);
    });

    test('runs transactions on the primary, and shows the reader what they wrote', async () => {
      const reader = await readerOnReplica(await usable());

      const onReplica = await transaction(reader.db, async (tx) => {
        await sql`insert into note values ('mine')`.execute(tx);
        return isOnReplica({ db: tx });
      });

      expect(onReplica).toBe(false);
      const written = sql`select text from note where text in ('mine', 'undone')`;
      expect((await written.execute(reader.db)).rows).toEqual([{ text: 'mine' }]);
      await expect(
        transaction(reader.db, async (tx) => {
          await sql`insert into note values ('undone')`.execute(tx);
          throw new Error('no');
        }),
      ).rejects.toThrow('no');
      expect((await written.execute(primary.db)).rows).toEqual([{ text: 'mine' }]);
    });

    test('runs read-only transactions on the replica, with their limits', async () => {
      const replica = await usable();
      const reader = await readerOnReplica(replica);
      const where = within(reader.db, randomUUID());

      expect(await withTimeLimit(where, 10, (tx) => isOnReplica({ db: tx.db }))).toBe(true);
      const error = await withTimeLimit(where, 0.1, (tx) =>
        sql`select ${sleepOnReplica}`.execute(tx.db),
      ).catch((one: unknown) => one);
      expect(isStatementTimeout(error)).toBe(true);
      // The limit ends with its transaction, and the connection can be used.
      expect(
        await sql<{ is: string }>`select current_setting('statement_timeout') as is`.execute(reader.db),
      ).toMatchObject({
        rows: [{ is: '0' }],
      });
      await expect(
        withTimeLimit(where, 10, (tx) => sql`insert into note values ('never')`.execute(tx.db)),
      ).rejects.toThrow('read-only');
      expect(replica.status().repeated).toBe(0);
    });

    test('repeats a read-only transaction that fails on the replica on the primary', async () => {
      const replica = await usable();
      const reader = await readerOnReplica(replica);

      const { rows } = await withTimeLimit(within(reader.db, randomUUID()), 7, async (tx) => {
        expect(await isOnReplica({ db: tx.db })).toBe(true);
        return sql<{ is: boolean; limit: string }>`
          select case when pg_is_in_recovery() then 1 / (select 0) end, pg_is_in_recovery() as is,
            current_setting('statement_timeout') as limit`.execute(tx.db);
      });

      expect(rows).toMatchObject([{ is: false, limit: '7s' }]);
      expect(replica.status().repeated).toBe(1);
      expect(await isOnReplica(reader)).toBe(false);
    });

    test('shows what was committed without waiting for the disk', async () => {
      const url = new URL(servers.url);
      url.searchParams.set('options', '-c synchronous_commit=off');
      const asynchronous = await openDatabase({ url: url.href });
      onTestFinished(() => asynchronous.close());
      const replica = await openTestReplica(asynchronous, servers.server.url);
      await until(replica, 'usable');

      for (let turn = 0; turn < 20; turn++) {
        const text = `soon ${turn}`;
        await sql`insert into note values (${text})`.execute(asynchronous.db);
        const { rows } = await sql`select text from note where text = ${text}`.execute(replica.reader().db);
        expect(rows).toEqual([{ text }]);
      }
      await sql`delete from note where text like 'soon %'`.execute(asynchronous.db);
    });

    test('rejects a statement that writes outside a transaction, on no side', async () => {
      await sql`insert into note values ('kept')`.execute(primary.db);
      const replica = await usable();
      const reader = await readerOnReplica(replica);

      await expect(sql`delete from note`.execute(reader.db)).rejects.toThrow('read-only');

      expect((await sql`select from note where text = 'kept'`.execute(primary.db)).rows).toHaveLength(1);
      expect(replica.status().repeated).toBe(0);
    });

    test('throws the error of the primary for a statement that fails on both', async () => {
      const replica = await usable();
      const reader = await readerOnReplica(replica);

      await expect(sql`select 1 / 0`.execute(reader.db)).rejects.toThrow('division by zero');
      expect(replica.status().repeated).toBe(1);
    });

    test('repeats on the primary what the replay canceled, and stays there', async () => {
      const replica = await usable();
      const reader = await readerOnReplica(replica);
      const slow = sql`select pg_is_in_recovery() as is, ${sleepOnReplica}, count(*) from note`.execute(
        reader.db,
      );
      await expect
        .poll(() => run(servers.server.url, `select 1 from pg_stat_activity where wait_event = 'PgSleep'`))
        .toHaveLength(1);
      await transaction(primary.db, async (tx) => {
        await sql`lock table note in access exclusive mode`.execute(tx);
      });

      expect((await slow).rows).toMatchObject([{ is: false }]);
      expect(replica.status().repeated).toBe(1);
      expect(await isOnReplica(reader)).toBe(false);
    });

    test('repeats statements on the primary when the network to the replica is cut', async () => {
      const proxy = await openProxy(servers.server.url);
      const replica = await openTestReplica(primary, proxy.url, 5000);
      await until(replica, 'usable');
      const readers = await Promise.all([1, 2, 3].map(() => readerOnReplica(replica)));
      const sleeping = readers.map((reader) =>
        sql`select pg_is_in_recovery() as is, ${sleepOnReplica}`.execute(reader.db),
      );

      proxy.freeze();

      for (const { rows } of await Promise.all(sleeping)) expect(rows).toMatchObject([{ is: false }]);
      // A busy machine can end the statements a moment before.
      await until(replica, 'lost');
      expect(await isOnReplica(replica.reader())).toBe(false);
      proxy.thaw();
      await until(replica, 'usable');
      await readerOnReplica(replica);
    });

    test('starts without the replica, and uses it as soon as it is there', async () => {
      await servers.server.kill();
      const replica = await openTestReplica(primary, servers.server.url);
      expect(replica.status().state).toBe('lost');
      expect(await isOnReplica(replica.reader())).toBe(false);

      await servers.server.start();
      await until(replica, 'usable');
    });

    describe('refuses to start with', () => {
      const start = (url: string) => openTestReplica(primary, url);

      test('a server that accepts writes', async () => {
        await expect(start(servers.url)).rejects.toThrow(
          'DATABASE_READ_URL must name a streaming replica, but this server accepts writes. Name a replica, or leave it empty.',
        );
      });

      const other =
        'DATABASE_READ_URL must name a streaming replica of the database of DATABASE_URL, but it names another database. Correct it, or leave it empty.';
      test('another database of the replica', async () => {
        const url = new URL(servers.server.url);
        url.pathname = 'postgres';
        await expect(start(url.href)).rejects.toThrow(other);
      });

      test('a replica of another primary', async () => {
        const stranger = await startPostgres(['fsync=off'], await temporaryFolder());
        onTestFinished(() => stranger.stop());
        await run(stranger.url, 'create database gatehouse');
        const url = new URL(stranger.url);
        url.pathname = 'gatehouse';
        const replica = await startReplica(url.href);
        onTestFinished(() => replica.remove());

        await expect(start(replica.url)).rejects.toThrow(other);
      });
    });

    test('does not use a replica that stayed on the timeline of the former primary', async () => {
      // Servers of its own: it replaces the primary.
      const replaced = await openReplicated(['max_standby_streaming_delay=0']);
      const former = await openDatabase({ url: replaced.url });
      onTestFinished(async () => {
        await former.close();
        await replaced.close();
      });
      await former.exec(`create table note (text text); insert into note values ('known')`);
      const left = await startReplica(replaced.url);
      onTestFinished(() => left.remove());
      await until(await openTestReplica(former, replaced.server.url), 'usable');
      // The other replica gets changes that the next primary never has, so its position is ahead.
      await replaced.server.kill();
      await sql`insert into note select 'lost' from generate_series(1, 10000)`.execute(former.db);
      const ahead = await openTestReplica(former, left.url);
      await until(ahead, 'usable');
      await replaced.stopPrimary();
      await replaced.server.start();
      await replaced.server.promote();
      const promoted = await openDatabase({ url: replaced.server.url });
      onTestFinished(() => promoted.close());

      const replica = await openTestReplica(promoted, left.url);

      expect(replica.status()).toMatchObject({ state: 'behind', lagBytes: 0 });
      expect((await sql`select from note`.execute(replica.reader().db)).rows).toHaveLength(1);
      const follower = await startReplica(replaced.server.url);
      onTestFinished(() => follower.remove());
      await until(await openTestReplica(promoted, follower.url), 'usable');
    });
  },
);

/** Forwards connections to the server at `url`. While frozen, nothing passes and no connection ends. */
async function openProxy(url: string) {
  const target = new URL(url);
  const { port } = target;
  const sockets: Socket[] = [];
  let isFrozen = false;
  const server = createServer((client) => {
    const upstream = connect(Number(port), '127.0.0.1');
    sockets.push(client, upstream);
    for (const socket of [client, upstream]) socket.on('error', () => {});
    client.on('data', (data) => isFrozen || upstream.write(data));
    upstream.on('data', (data) => isFrozen || client.write(data));
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => isFrozen || client.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  target.port = String((server.address() as AddressInfo).port);
  return {
    url: target.href,
    freeze: () => {
      isFrozen = true;
    },
    thaw: () => {
      isFrozen = false;
    },
  };
}
