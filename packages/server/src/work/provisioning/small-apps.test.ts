import { expect, onTestFinished, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { openPolicyTest, type PolicyTest } from '#test/policies.ts';

/** Opens a service with an app that has this many accounts. */
async function openApp(count: number): Promise<PolicyTest> {
  const records = Array.from({ length: count }, (_, n) => ({ id: `p${n}`, email: `p${n}@acme.example` }));
  const service = await openPolicyTest(records);
  onTestFinished(() => service.close());
  return service;
}

async function act(service: PolicyTest, action: string, count: number): Promise<(string | null)[]> {
  const { body } = await service.call('GET', `/api/accounts/?app=${service.appId}&limit=200`);
  const waits: (string | null)[] = [];
  for (const { external_uuid: account } of body.results.slice(0, count)) {
    const task = await service.call('POST', '/api/tasks/', { app: service.appId, action, account });
    expect(task.status).toBe(201);
    waits.push(task.body.waits_for);
  }
  return waits;
}

test.each([
  // A fifth is left with the last task that passes.
  ['suspend_account', 20, 16],
  ['delete_account', 20, 16],
  ['suspend_account', 3, 2],
])(
  '%s of %i accounts passes %i times, although the app is far below its removal guard',
  async (action, count, passing) => {
    const service = await openApp(count);
    const waits = await act(service, action, count);
    expect(waits).toEqual(waits.map((_, n) => (n < passing ? null : 'confirmation')));
  },
);

test('two tasks of an app with two accounts pass', async () => {
  expect(await act(await openApp(2), 'suspend_account', 2)).toEqual([null, null]);
});

test('an app without a guard has no limit', async () => {
  const service = await openApp(5);
  await service.call('PATCH', `/api/apps/${service.appId}/`, { removal_guard: null });
  expect(await act(service, 'suspend_account', 5)).toEqual(Array(5).fill(null));
});

test('a policy that takes all accounts is held as a whole, and the administrators are told once while tasks wait', async () => {
  const service = await openApp(20);
  const policy = await service.policy({
    trigger: 'daily',
    condition: 'account.external_id != ""',
    effects: [{ do: 'suspend', app: service.appId }],
  });
  await service.nextDay();
  await service.settled();
  expect((await service.tasksOf(policy)).map(({ status }) => status)).toEqual(Array(20).fill('scheduled'));
  expect(await act(service, 'delete_account', 18)).toContain('confirmation');
  await service.app.tick();
  const { body } = await service.call('GET', '/api/apps/');
  expect(body.results[0].held_tasks).toBe(6);
  const { rows } = await sql`
    select from notification where kind = 'budget_held' and org_id = ${service.orgId}`.execute(
    service.database.db,
  );
  expect(rows).toHaveLength(1);
});
