// @module-tag engine
import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { at, type DueWork, expectToSleepUntilDue, openDueTest } from '#test/due-times.ts';
import { runDue } from './due.ts';
import * as queries from './queries/due.ts';

const { db, orgId, call, close } = await openDueTest();
afterAll(close);
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
    find: () => queries.dueQueries(db, 10),
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

  await Promise.all([1, 2, 3].map(() => runDue(within(db, orgId), id)));
  await runDue(within(db, orgId), id);

  const { results } = (await call('GET', '/api/events/?catalog=all&event_type=query.ran')).body;
  expect(results).toMatchObject([{ payload: { query_id: id, count: 1, previous: null, recipients: [me] } }]);
  expect(await queries.untilDueQuery(db)).toBeGreaterThan(0);
});
