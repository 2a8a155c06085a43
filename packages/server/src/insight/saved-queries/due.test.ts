// @module-tag engine
import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { transaction, within } from '#kit/database.ts';
import { createLogger } from '#kit/logger.ts';
import { sql } from '#kit/sql.ts';
import { at, type DueWork, expectToSleepUntilDue, openDueTest } from '#test/due-times.ts';
import { runDue } from './due.ts';
import * as queries from './queries/due.ts';

const { db, orgId, call, close } = await openDueTest();
afterAll(close);
const logger = createLogger('silent');
const id = randomUUID();
const definition = { subject: 'accounts', conditions: [], columns: ['account.id'], sort: 'account.id' };
const me = (await call('GET', '/api/me/')).body.external_uuid;
await sql`
  insert into saved_query (org_id, id, owner_id, name, definition)
  values (${orgId}, ${id}, ${me}, 'All', ${JSON.stringify(definition)}::jsonb)`.execute(db);
const dueIn = (seconds: number) =>
  sql`
    update saved_query set every = 'daily', hour = 8, recipients = array[${me}::uuid], next_run_at = ${at(seconds)}
    where org_id = ${orgId} and id = ${id}`.execute(db);

const works: DueWork[] = [
  {
    name: 'saved queries',
    find: () => queries.dueQueries(db, { limit: 10, each: 10 }),
    untilDue: () => queries.untilDueQuery(db),
    dueIn,
    clear: () =>
      sql`update saved_query set every = null, hour = null, next_run_at = null where org_id = ${orgId}`.execute(
        db,
      ),
  },
];

test.each(works)('the loop sleeps until $name are due', expectToSleepUntilDue);

test('nodes that take a run at the same time announce it once', async () => {
  await dueIn(-1);

  await Promise.all([1, 2, 3].map(() => runDue(within(db, orgId), id, logger)));
  await runDue(within(db, orgId), id, logger);

  const { results } = (await call('GET', '/api/events/?catalog=all&event_type=query.ran')).body;
  expect(results).toMatchObject([{ payload: { query_id: id, count: 1, previous: null, recipients: [me] } }]);
  expect(await queries.untilDueQuery(db)).toBeGreaterThan(0);
});

test('many due queries of one organization leave room for those of others, and let their first go before', async () => {
  const other = randomUUID();
  await sql`insert into organization (id, slug, name) values (${other}, 'other', 'Other')`.execute(db);
  const add = (org: string, owner: string, count: number, seconds: number) =>
    sql`
      insert into saved_query (org_id, owner_id, name, definition, every, hour, next_run_at)
      select ${org}, ${owner}, 'q' || n, ${JSON.stringify(definition)}::jsonb, 'daily', 8, ${at(seconds)}
      from generate_series(1, ${count}::integer) n`.execute(db);
  await add(orgId, me, 8, -3600);
  await add(other, randomUUID(), 2, -1);

  const found = (await queries.dueQueries(db, { limit: 6, each: 3 })).map(({ org_id }) => org_id);

  expect(found).toEqual([orgId, other, orgId, other, orgId]);
  await sql`delete from saved_query where id <> ${id}`.execute(db);
});

test('a run counts what the query asked when it began, or repeats it', async () => {
  await dueIn(-1);
  const due = await queries.findDue(within(db, orgId), id);
  await sql`update saved_query set definition = ${JSON.stringify({ ...definition, subject: 'people' })}::jsonb where id = ${id}`.execute(
    db,
  );

  const ended = await transaction(within(db, orgId), (tx) =>
    queries.endRun(tx, due as queries.DueQuery, { next: new Date(Date.now() + 60_000), count: 1 }),
  );

  expect(ended).toBe(false);
  expect(await queries.untilDueQuery(db)).toBeLessThanOrEqual(0);
  await sql`update saved_query set definition = ${JSON.stringify(definition)}::jsonb where id = ${id}`.execute(
    db,
  );
});
