import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDays, openRequestsTest, type RequestsTest } from '#test/requests.ts';

let service: RequestsTest;
beforeAll(async () => {
  service = await openRequestsTest();
});
afterAll(() => service.close());

const red = { memberships: { team: ['red'] } };
const blue = { memberships: { team: ['blue'] } };
const both = { memberships: { team: ['red', 'blue'] } };

let people = 0;
const addUser = () => service.addUser(`person-${++people}@acme.example`);
/** Adds a person with an account and permanent access to `wanted`. */
async function addHolder(wanted: object = {}): Promise<string> {
  const user = await addUser();
  await service.approved({ user, ...wanted });
  await service.work();
  return user;
}
const pass = async (days: number) => {
  await service.passTime(days * 86_400);
  await service.work();
};
const actions = ({ tasks }: { tasks: { action: string; status: string }[] }) =>
  tasks.map(({ action, status }) => `${action} ${status}`);
const statusOf = async (user: string) =>
  (await service.call('GET', `/api/accounts/?user=${user}`)).body.results[0]?.status;

test('creates the account first and assigns licenses after it', async () => {
  const user = await addUser();
  const ticket = await service.approved({ user, ...red, assignments: { seat: ['gold'] } });
  expect(actions(ticket)).toEqual(['create_account pending']);
  await service.work();
  expect(actions(await service.ticket(ticket.external_uuid))).toEqual([
    'create_account completed',
    'update_account completed',
  ]);
  expect(await service.has(user)).toEqual(['seat:gold', 'team:red']);
});

test('grants only what the account lacks', async () => {
  const user = await addHolder(red);
  const ticket = await service.approved({ user, type: 'MODIFY_ACCESS', ...both });
  expect(ticket.tasks).toMatchObject([
    { action: 'update_account', changes: { team: { added: [{ id: 'blue' }], removed: [] } } },
  ]);
  expect(ticket.tasks).toHaveLength(1);
});

test('creates no task if the account already has the requested access, and says so', async () => {
  const user = await addHolder(red);
  const ticket = await service.approved({ user, ...red, end_time: inDays(5) });
  expect(ticket).toMatchObject({
    ticket_status: 'APPROVED',
    tasks: [],
    outcome: expect.stringContaining('Nothing'),
  });
  await pass(6);
  expect(await service.has(user)).toEqual(['team:red']);
});

test('grants at start_time and removes exactly that at end_time', async () => {
  const user = await addHolder(red);
  const [start_time, end_time] = [inDays(2), inDays(10)];
  const ticket = await service.approved({ user, ...both, start_time, end_time });
  expect(ticket.tasks).toMatchObject([
    { status: 'scheduled', execute_after: start_time, changes: { team: { added: [{ id: 'blue' }] } } },
    {
      status: 'scheduled',
      execute_after: end_time,
      changes: { team: { added: [], removed: [{ id: 'blue' }] } },
    },
  ]);
  await service.work();
  expect(await service.has(user)).toEqual(['team:red']);
  await pass(2);
  expect(await service.has(user)).toEqual(['team:blue', 'team:red']);
  await pass(8);
  expect(await service.has(user)).toEqual(['team:red']);
});

test('deletes the account at end_time if the ticket created it', async () => {
  const user = await addUser();
  const end_time = inDays(3);
  const ticket = await service.approved({ user, ...red, assignments: { seat: ['gold'] }, end_time });
  expect(actions(ticket)).toEqual([
    'create_account pending',
    'update_account scheduled',
    'delete_account scheduled',
  ]);
  expect(ticket.tasks[2].execute_after).toBe(end_time);
  await service.work();
  expect(await service.has(user)).toEqual(['seat:gold', 'team:red']);
  await pass(3);
  expect(await service.has(user)).toEqual([]);
  expect(await statusOf(user)).toBe('INACTIVE');
});

test('removes the access at end_time even if the account creation was retried', async () => {
  const user = await addHolder();
  const ticket = await service.approved({ user, ...red, end_time: inDays(3) });
  const error = { code: 'TIMEOUT', message: 'slow' };
  await service.bridge('PATCH', `/tasks/${ticket.tasks[0].external_uuid}/status/`, {
    status: 'failed',
    error,
  });
  await service.passTime(60);
  await service.work();
  expect(await service.has(user)).toEqual(['team:red']);
  await pass(3);
  expect(await service.has(user)).toEqual([]);
});

test('keeps access, and the account, that an administrator granted permanently in the meantime', async () => {
  const user = await addUser();
  await service.approved({ user, ...both, end_time: inDays(3) });
  await service.work();
  const account = (await service.call('GET', `/api/accounts/?user=${user}`)).body.results[0].external_uuid;
  const changes = { team: { added: ['red'] } };
  await service.call('POST', '/api/tasks/', {
    app: service.appId,
    action: 'update_account',
    account,
    changes,
  });
  await service.work();
  await pass(3);
  expect(await service.has(user)).toEqual(['team:red']);
  expect(await statusOf(user)).toBe('INVITED');
});

/** Two tickets for the same access as [start, end] in days (null: permanent); then whether it is held on a day. */
type Windows = [string, [number, number | null], [number, number | null], ...[number, boolean][]];
test.each<Windows>([
  ['one within the other', [0, 10], [0, 4], [2, true], [5, true], [11, false]],
  ['the longer one second', [0, 4], [0, 10], [2, true], [5, true], [11, false]],
  ['overlapping', [0, 5], [3, 10], [4, true], [6, true], [11, false]],
  ['overlapping, the later one first', [3, 10], [0, 5], [2, true], [6, true], [11, false]],
  ['one within the other, the outer one first', [0, 10], [2, 4], [3, true], [5, true], [11, false]],
  ['one within the other, the inner one first', [2, 4], [0, 10], [3, true], [5, true], [11, false]],
  ['one after the other, without a gap', [0, 5], [5, 10], [4, true], [6, true], [11, false]],
  ['one after the other, with a gap', [0, 3], [6, 10], [2, true], [4, false], [7, true], [11, false]],
  ['the second permanent', [0, 5], [0, null], [4, true], [6, true], [99, true]],
  ['the second permanent and later', [0, 5], [3, null], [4, true], [6, true], [99, true]],
])(
  'two tickets for the same access, %s: held exactly as long as one of them grants it',
  async (_name, first, second, ...expected) => {
    const user = await addHolder(blue);
    for (const [start, end] of [first, second]) {
      const start_time = start === 0 ? null : inDays(start);
      await service.approved({ user, ...red, start_time, end_time: end === null ? null : inDays(end) });
      await service.work();
    }
    let day = 0;
    for (const [on, held] of expected) {
      for (; day < on; day++) await pass(1);
      expect({ day, has: await service.has(user) }).toEqual({
        day,
        has: held ? ['team:blue', 'team:red'] : ['team:blue'],
      });
    }
  },
);

test('keeps only the part that another ticket grants for longer', async () => {
  const user = await addHolder();
  await service.approved({ user, ...both, end_time: inDays(3) });
  await service.work();
  await service.approved({ user, ...red, end_time: inDays(6) });
  await service.work();
  await pass(4);
  expect(await service.has(user)).toEqual(['team:red']);
  await pass(3);
  expect(await service.has(user)).toEqual([]);
});

test('keeps a temporary account as long as a later ticket needs it, then deletes it', async () => {
  const user = await addUser();
  await service.approved({ user, ...red, end_time: inDays(3) });
  await service.work();
  const second = await service.approved({ user, ...blue, start_time: inDays(5), end_time: inDays(8) });
  expect(actions(second)).toEqual([
    'update_account scheduled',
    'update_account scheduled',
    'delete_account scheduled',
  ]);
  await pass(4);
  expect([await service.has(user), await statusOf(user)]).toEqual([[], 'INVITED']);
  await pass(2);
  expect(await service.has(user)).toEqual(['team:blue']);
  await pass(3);
  expect(await statusOf(user)).toBe('INACTIVE');
});

test('keeps a temporary account permanently once permanent access is approved', async () => {
  const user = await addUser();
  const first = await service.approved({ user, ...red, end_time: inDays(3) });
  await service.work();
  await service.approved({ user, ...blue });
  await pass(4);
  expect([await service.has(user), await statusOf(user)]).toEqual([['team:blue'], 'INVITED']);
  expect(actions(await service.ticket(first.external_uuid))).toEqual([
    'create_account completed',
    'update_account completed',
    'delete_account cancelled',
  ]);
});

test('moves the end of all temporary access with EXTEND_ACCESS', async () => {
  const user = await addUser();
  const first = await service.approved({ user, ...both, end_time: inDays(3) });
  await service.work();
  const end_time = inDays(8);
  const ticket = await service.approved({ user, type: 'EXTEND_ACCESS', end_time });
  expect(ticket.tasks).toMatchObject([
    { action: 'update_account', status: 'scheduled', execute_after: end_time },
    { action: 'delete_account', status: 'scheduled', execute_after: end_time },
  ]);
  expect(actions(await service.ticket(first.external_uuid)).slice(1, 3)).toEqual([
    'update_account cancelled',
    'delete_account cancelled',
  ]);
  await pass(4);
  expect(await service.has(user)).toEqual(['team:blue', 'team:red']);
  await pass(5);
  expect([await service.has(user), await statusOf(user)]).toEqual([[], 'INACTIVE']);
  expect((await service.ask({ user, type: 'EXTEND_ACCESS', end_time: inDays(20) })).status).toBe(409);
});

test('moves only the end of the named entitlements with EXTEND_ACCESS', async () => {
  const user = await addHolder();
  await service.approved({ user, ...both, end_time: inDays(3) });
  await service.work();
  expect((await service.ask({ user, type: 'EXTEND_ACCESS', ...red, end_time: inDays(2) })).status).toBe(409);
  await service.approved({ user, type: 'EXTEND_ACCESS', ...red, end_time: inDays(6) });
  await pass(4);
  expect(await service.has(user)).toEqual(['team:red']);
  await pass(3);
  expect(await service.has(user)).toEqual([]);
});

test('creates no task for an extension approved after the access ended, and says so', async () => {
  const user = await addHolder();
  await service.approved({ user, ...red, end_time: inDays(3) });
  await service.work();
  const asked = await service.ask({ user, type: 'EXTEND_ACCESS', end_time: inDays(9) }, service.ada);
  await pass(4);
  const override = { override: true, comment: 'Late' };
  const { body } = await service.act(asked.body.external_uuid, 'approve', override);
  expect(body).toMatchObject({
    ticket_status: 'APPROVED',
    tasks: [],
    outcome: expect.stringContaining('Nothing'),
  });
  expect(await service.has(user)).toEqual([]);
});

test('cancels the grant if the person leaves before start_time', async () => {
  const user = await addHolder();
  const ticket = await service.approved({ user, ...red, start_time: inDays(2) });
  await service.call('POST', `/api/users/${user}/deactivate/`);
  await pass(3);
  expect(actions(await service.ticket(ticket.external_uuid))).toEqual(['update_account cancelled']);
});
