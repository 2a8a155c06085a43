import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { type Db, within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import type { Draft } from '#log/notices/draft.ts';
import { openTestApp } from '#test/app.ts';
import { addPersonWithRole, organizationOf } from '#test/people.ts';
import { openRequestsTest } from '#test/requests.ts';
import { setTimes } from '#test/time.ts';
import { notify } from './notify.ts';
import { partsDue } from './scan.ts';

const silent = pino({ level: 'silent' });

test('reads what is due in pages, with a few statements for each', async () => {
  const service = await openRequestsTest([], { own: true });
  onTestFinished(() => service.close());
  const { db } = service.database;
  await service.ask({}, service.ada);
  await sql`
    insert into ticket
    select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'number', t.number + n))).*
    from ticket t, generate_series(1, 450) n`.execute(db);
  let statements = 0;
  const counted: Db = db.withPlugin({
    transformQuery: ({ node }) => {
      statements++;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  let parts = 0;
  const drafts: Draft[] = [];
  for (const draftsOf of partsDue(30)) {
    const part = await draftsOf(within(counted, service.orgId));
    expect(part.length).toBeLessThanOrEqual(400);
    drafts.push(...part);
    parts++;
  }
  const waiting = drafts.filter(({ kind }) => kind === 'request_waiting');
  expect(new Set(waiting.map(({ key }) => key)).size).toBe(451);
  for (const { to } of waiting.slice(1)) expect(to).toMatchObject([{ userId: service.owen.id }]);
  expect(statements).toBeLessThanOrEqual(3 * parts);
});

test('looks for what is due at most once a minute, however many events ask for it', async () => {
  const service = await openTestApp({ own: true });
  onTestFinished(() => service.close());
  const { db } = service.database;
  const { orgId } = await organizationOf(service);
  const read = () => notify(within(db, orgId), silent, { canEmail: false, expiryDays: 30 });
  const scans = async () => {
    const { rows } = await sql<{ scanned_at: Date | number; asked: boolean }>`
      select scanned_at, scan_asked_at is not null as asked from notification_cursor where org_id = ${orgId}`.execute(
      db,
    );
    return rows[0];
  };
  await read();
  const first = await scans();
  expect(first?.asked).toBe(false);
  for (const email of ['first@acme.example', 'second@acme.example']) {
    const { external_uuid } = await addPersonWithRole(service, email, 'member');
    await service.call('POST', `/api/users/${external_uuid}/deactivate/`);
    await read();
    expect(await scans()).toEqual({ ...first, asked: true });
  }
  await setTimes(db, 'notification_cursor', { scanned_at: '61 seconds ago' });
  await read();
  const second = await scans();
  expect(second?.asked).toBe(false);
  expect(Number(second?.scanned_at)).toBeGreaterThan(Number(first?.scanned_at));
});
