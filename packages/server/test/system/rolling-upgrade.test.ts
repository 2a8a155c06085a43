// @module-tag long
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openNextRelease, openPreviousRelease } from '../previous-release.ts';
import { remote } from '../remote.ts';
import { startService } from '../service.ts';
import { addSyncedApp, syncedApp, untilEnded } from '../sync.ts';

const prepared = inject('prepared');

const PEOPLE = 60;

/** Creates an empty database, which the previous release migrates. */
async function emptyDatabase() {
  const { adminUrl } = prepared as { adminUrl: string };
  const name = `rolling_${randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`create database ${name}`);
  onTestFinished(async () => {
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  });
  const url = new URL(adminUrl);
  url.pathname = name;
  return { url: url.href };
}

/** Returns the newest migration of a database, and the oldest servers that work with it. */
async function newestMigration({ url }: { url: string }) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(
      'select name, runs_with from schema_migration order by name desc limit 1',
    );
    return rows[0];
  } finally {
    await client.end();
  }
}

test.runIf(prepared.engine === 'postgres')(
  'the server of the previous release works beside this one, during the migration and after it',
  // It starts three servers, which takes long on a busy machine.
  { timeout: 600_000 },
  async ({ skip }) => {
    const release = await openPreviousRelease();
    if ('missing' in release) return skip(release.missing);
    onTestFinished(release.remove);
    // A migration that changes a table to which the old server is writing.
    const next = await openNextRelease(
      `-- runs-with: ${release.newest}\nalter table sync_page add column added_later text not null default '';`,
    );
    onTestFinished(next.remove);
    const database = await emptyDatabase();
    const environment = { GATEHOUSE_RATE_LIMITS: 'off' };
    const old = await startService({ database, environment, command: [process.execPath, release.main] });
    onTestFinished(() => old.kill());
    const before = remote(old.url, old.key);
    const oldApp = await addSyncedApp(before);

    // Pages go to the old server while the new one starts and migrates.
    const session = await oldApp.start();
    const pushes: number[] = [];
    const page = (person: number) => [{ id: `p${person}`, email: `p${person}@example.com`, memberships: {} }];
    let started = false;
    const command: [string, string] = [process.execPath, next.main];
    const starting = startService({ database, environment, key: old.key, command }).finally(() => {
      started = true;
    });
    onTestFinished(async () => (await starting).kill());
    while (!started) {
      const { status } = await oldApp.push(session, 'person', page(pushes.length % PEOPLE));
      pushes.push(status);
    }
    const fresh = await starting;
    const after = remote(fresh.url, old.key);
    const newApp = syncedApp(after, oldApp.id);
    expect(new Set(pushes)).toEqual(new Set([200]));
    expect(await newestMigration(database)).toEqual({
      name: `${next.newest}_next.sql`,
      runs_with: release.newest,
    });

    // Then each takes every other page, and each completes a session that the other has seen.
    for (let person = 0; person < PEOPLE; person++) {
      const { status } = await (person % 2 === 0 ? oldApp : newApp).push(session, 'person', page(person));
      expect(status).toBe(200);
    }
    expect(await newApp.complete(session)).toMatchObject({
      status: 'completed',
      counts: { created: PEOPLE },
    });
    const second = await newApp.start();
    for (let person = 1; person < PEOPLE; person++)
      await (person % 2 === 0 ? newApp : oldApp).push(second, 'person', page(person));
    expect((await oldApp.bridge('POST', `/sync/${second}/complete/`)).status).toBe(202);
    expect(await untilEnded(newApp, second)).toMatchObject({ status: 'completed', counts: { removed: 1 } });
    for (const { call } of [before, after]) {
      const { body } = await call('GET', `/api/accounts/?app=${oldApp.id}&status=ACTIVE&count_to=1000`);
      expect(body.count).toBe(PEOPLE - 1);
    }

    // A task that one server creates is listed and reported through the other.
    for (const [one, other] of [
      [before, after],
      [after, before],
    ] as const) {
      const { results } = (await one.call('GET', `/api/accounts/?app=${oldApp.id}&status=ACTIVE&limit=1`))
        .body;
      const wanted = { app: oldApp.id, action: 'suspend_account', account: results[0].external_uuid };
      expect((await one.call('POST', '/api/tasks/', wanted)).status).toBe(201);
      const app = syncedApp(other, oldApp.id);
      const { tasks } = (await app.bridge('GET', '/tasks/?status=pending')).body;
      expect(tasks).toHaveLength(1);
      const report = { status: 'completed', result: {}, error: null };
      expect((await app.bridge('PATCH', `/tasks/${tasks[0].id}/status/`, report)).status).toBe(200);
      const { body } = await one.call('GET', `/api/accounts/${results[0].external_uuid}/`);
      expect(body.status).toBe('SUSPENDED');
    }

    // One cursor through both servers delivers every event once.
    const delivered: string[] = [];
    const idsOf = (body: { results: { event_id: string }[] }) => body.results.map(({ event_id }) => event_id);
    for (let cursor = '', turn = 0, empty = 0; empty < 2; turn++) {
      const { call } = turn % 2 === 0 ? before : after;
      const { body } = await call('GET', `/api/events/?limit=5${cursor === '' ? '' : `&cursor=${cursor}`}`);
      delivered.push(...idsOf(body));
      cursor = body.next_cursor;
      empty = body.results.length === 0 ? empty + 1 : 0;
    }
    const { body: all } = await after.call('GET', '/api/events/?limit=200');
    expect(delivered.toSorted()).toEqual(idsOf(all).toSorted());
    expect(delivered.length).toBeGreaterThan(10);

    // The previous release can also start again.
    expect(await old.stop()).toBe(0);
    const again = await startService({ database, environment, command: [process.execPath, release.main] });
    await again.kill();
  },
);
