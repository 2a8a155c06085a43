// @module-tag long

import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { openTestApp, type TestApp } from '#test/app.ts';

/*
 * Ends the work on the sample company before each of its transactions, as the death of the process would: the transaction is rolled back, and
 * nothing else is stored.
 */
let service: TestApp;
const call = (method: string, path: string) => service.call(method, path);
const create = () => call('POST', '/api/organization/sample/');
const remove = () => call('DELETE', '/api/organization/sample/');
const count = async (path: string) => (await call('GET', path)).body.count;
const run = (text: string) => sql.raw(text).execute(service.database.db);

beforeAll(async () => {
  service = await openTestApp({ own: true, jobs: true });
  // A sequence also counts in transactions that are rolled back.
  await run('create sequence sample_step');
});
afterAll(() => service.close());

/** Lets `work` do so many steps. Returns whether that was enough. */
async function interrupted(work: () => Promise<{ status: number }>, steps: number): Promise<boolean> {
  await run(`alter sequence sample_step restart`);
  await run(`create or replace function interrupt() returns trigger language plpgsql as $$
    begin
      if nextval('sample_step') > ${steps} then raise 'interrupted'; end if;
      return new;
    end $$`);
  await run(
    `create trigger interrupt before update of sample on organization for each row execute function interrupt()`,
  );
  const { status } = await work();
  await run('drop trigger interrupt on organization');
  // A minute passes.
  await run(`update organization set sample = jsonb_set(sample, '{lease,renewed_at}', '"2026-01-01T00:00:00Z"')
    where sample->'lease' <> 'null'`);
  return status !== 200;
}

const EVERYTHING = ['/api/apps/', '/api/policies/', '/api/reviews/', '/api/users/?q=sample-company.test'];
const counts = () => Promise.all(EVERYTHING.map(count));

test('a creation that ends before any of its steps can be continued', async () => {
  for (let steps = 0, more = true; more; steps++) {
    more = await interrupted(create, steps);
    expect(await create(), `after ${steps} steps`).toMatchObject({
      status: 200,
      body: { status: 'complete', apps: 3, people: 16 },
    });
    expect(await counts(), `after ${steps} steps`).toEqual([3, 1, 1, 16]);
    expect((await remove()).body, `after ${steps} steps`).toMatchObject({ apps: 3, people: 16 });
    expect(await counts(), `after ${steps} steps`).toEqual([0, 0, 0, 0]);
  }
}, 240_000);

test('a creation that ends before any of its steps can be removed', async () => {
  for (let steps = 0, more = true; more; steps++) {
    more = await interrupted(create, steps);
    expect((await remove()).status, `after ${steps} steps`).toBe(200);
    expect(await counts(), `after ${steps} steps`).toEqual([0, 0, 0, 0]);
  }
}, 240_000);

test('a removal that ends before any of its steps can be continued', async () => {
  for (let steps = 0, more = true; more; steps += 3) {
    await create();
    more = await interrupted(remove, steps);
    expect((await remove()).status, `after ${steps} steps`).toBe(200);
    expect(await counts(), `after ${steps} steps`).toEqual([0, 0, 0, 0]);
  }
}, 240_000);
