import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../protocol/src/redact.ts';
import type { Clock } from './confirmation.ts';
import type { AccountRecord, Connector, Ref } from './define.ts';
import { TaskError } from './errors.ts';
import { execute, type Outcome } from './execute.ts';
import { silent } from './progress.ts';
import type { Action, Task } from './service.ts';
import type { Run } from './sync.ts';

type Shown = AccountRecord | null | Error;
const red: Ref = { id: 'red', name: 'Team red' };
const blue: Ref = { id: 'blue' };
const base = { slug: 'team', id: 'base' };

const account = (
  status: AccountRecord['status'],
  ...teams: Ref[]
): AccountRecord & { memberships: { team: Ref[] } } => ({
  id: 'a1',
  username: 'ada',
  status,
  memberships: { team: teams },
});

/** Carries out a task on a system that shows these states one after the other; the last one stays. */
async function after(
  action: Action,
  shown: Shown[],
  payload: Task['payload'] = {},
  {
    tasks = {},
    earlier,
    reads = true,
    signal = new AbortController().signal,
  }: {
    tasks?: Connector['tasks'];
    earlier?: { absent: boolean };
    reads?: boolean;
    signal?: AbortSignal;
  } = {},
) {
  let at = 0;
  let now = 0;
  const asked: unknown[] = [];
  const clock: Clock = {
    now: () => now,
    sleep: async (ms) => {
      now += ms;
    },
  };
  const done = async () => {};
  const get = async (_: unknown, _id: string, wanted: unknown) => {
    asked.push(wanted);
    const next = shown[Math.min(at++, shown.length - 1)] ?? null;
    if (next instanceof Error) throw next;
    return next;
  };
  const connector = {
    name: 'fake',
    accounts: { person: { name: 'People', list: () => shown, ...(reads ? { get } : {}) } },
    tasks: {
      create: async () => ({ id: 'a1' }),
      update: done,
      delete: done,
      suspend: done,
      unsuspend: done,
      resetPassword: async () => ({}),
      ...tasks,
    },
  } as unknown as Connector;
  const run = {
    connector,
    state: { isKnown: () => false },
    progress: silent,
    redactor: createRedactor(),
    signal,
    clock,
  } as unknown as Run;
  const marks: (boolean | Outcome)[] = [];
  const task = {
    id: 't1',
    action,
    resource_type: 'person',
    payload: { account: { id: 'a1', username: 'ada' }, ...payload },
  } as Task;
  const { report } = await execute(run, task, earlier, {
    begun: (absent) => marks.push(absent),
    carriedOut: (outcome) => marks.push(outcome),
  });
  return { report, reads: at, waited: now, asked, marks };
}

const add = (...added: Ref[]) => ({ changes: { team: { added, removed: [] } } });
const remove = (...removed: Ref[]) => ({ changes: { team: { added: [], removed } } });

describe('a task is confirmed by a read if the account is as asked', () => {
  test.each<[Action, Shown, Task['payload'], object]>([
    ['suspend_account', account('suspended'), {}, { account: 'suspended' }],
    ['suspend_account', account('inactive'), {}, { account: 'inactive' }],
    ['unsuspend_account', account('active'), {}, { account: 'active' }],
    ['unsuspend_account', account(undefined), {}, { account: 'active' }],
    ['delete_account', null, {}, { account: 'absent' }],
    ['update_account', account('active', red), add(red), { held: [{ slug: 'team', id: 'red' }] }],
    ['update_account', account('active', blue), remove(red), { missing: [{ slug: 'team', id: 'red' }] }],
    ['update_account', account('suspended', red), add(red), { account: 'suspended' }],
    ['create_account', account('active', red), { memberships: { team: [red] } }, { account: 'active' }],
  ])('%s', async (action, shown, payload, seen) => {
    const { report, reads, waited } = await after(action, [shown], payload);
    expect(report).toMatchObject({ status: 'completed', result: { confirmed: 'read', seen } });
    expect([reads, waited]).toEqual([1, 0]);
  });

  test('also if something else gives the access that was added', async () => {
    const { report } = await after('update_account', [account('active', { ...red, via: base })], add(red));
    expect(report).toMatchObject({ status: 'completed', result: { confirmed: 'read' } });
  });

  test('also if the system shows it a moment later', async () => {
    const shown = [account('active'), new Error('busy'), account('suspended')];
    const { report, reads, waited } = await after('suspend_account', shown);
    expect(report).toMatchObject({ result: { confirmed: 'read', seen: { account: 'suspended' } } });
    expect([reads, waited]).toEqual([3, 4000]);
  });

  test('with one read, which asks for the groups of the task only', async () => {
    expect((await after('suspend_account', [account('suspended')])).asked).toEqual([{ entitlements: [] }]);
    const { asked } = await after('update_account', [account('active', red)], add(red));
    expect(asked).toEqual([{ entitlements: [{ slug: 'team', id: 'red', name: 'Team red' }] }]);
    expect((await after('create_account', [account('active')])).asked).toEqual([{ entitlements: [] }]);
  });
});

describe('a task stays unconfirmed', () => {
  test.each<[string, Action, Shown, Task['payload']]>([
    ['if the account is still active', 'suspend_account', account('active'), {}],
    ['if the account is still suspended', 'unsuspend_account', account('suspended'), {}],
    ['if the account still has the group', 'update_account', account('active', red), remove(red)],
    ['if the account still lacks the group', 'update_account', account('active'), add(red)],
    ['if a new account is not shown yet', 'create_account', null, {}],
  ])('%s, after 5 reads within 30 seconds', async (_, action, shown, payload) => {
    const { report, reads, waited } = await after(action, [shown], payload);
    expect(report).toMatchObject({ status: 'completed', result: { confirmed: 'none' } });
    expect((report.result as { seen: object }).seen).toMatchObject({
      account: shown === null ? 'absent' : (shown as AccountRecord).status,
    });
    expect(reads).toBe(5);
    expect(waited).toBeLessThan(30_000);
  });

  test.each<[string, Shown]>([
    ['the account cannot be read', new Error('down')],
    ['the system does not show groups', { id: 'a1', username: 'ada' }],
  ])('if %s', async (_, shown) => {
    const { report } = await after('update_account', [shown], remove(red));
    expect(report).toMatchObject({ status: 'completed', result: { confirmed: 'none' } });
  });

  test('if the connector cannot read one account', async () => {
    const { report } = await after('suspend_account', [account('active')], {}, { reads: false });
    expect(report).toEqual({ status: 'completed', result: { confirmed: 'none', seen: null } });
  });

  test('if it set a password, which no system shows', async () => {
    const { report, reads } = await after('reset_password', [account('active')]);
    expect(report).toEqual({ status: 'completed', result: { confirmed: 'none', seen: null } });
    expect(reads).toBe(0);
  });

  test('if the run is interrupted before the system shows the result', async () => {
    const { report, reads } = await after(
      'delete_account',
      [account('active')],
      {},
      { signal: AbortSignal.abort() },
    );
    expect(report).toMatchObject({ status: 'completed', result: { confirmed: 'none' } });
    expect(reads).toBe(1);
  });
});

describe('a task fails with what was seen', () => {
  test.each<[string, Action, Shown, Task['payload'], string, string]>([
    [
      'an account that is found after its deletion',
      'delete_account',
      account('active'),
      {},
      'INTERNAL_ERROR',
      'the system reported success, but account a1 was read, and it still exists and is active',
    ],
    [
      'a suspended account after its deletion',
      'delete_account',
      account('suspended'),
      {},
      'INTERNAL_ERROR',
      'it still exists and is suspended',
    ],
    [
      'an account that is gone after a suspension',
      'suspend_account',
      null,
      {},
      'ACCOUNT_NOT_FOUND',
      'was not found',
    ],
    ['an account that is gone after an update', 'update_account', null, add(red), 'ACCOUNT_NOT_FOUND', 'not'],
    [
      'a new account without its group',
      'create_account',
      account('active'),
      { memberships: { team: [red] } },
      'INTERNAL_ERROR',
      "it does not have team 'Team red'",
    ],
    [
      'a new account that is suspended',
      'create_account',
      account('suspended'),
      {},
      'INTERNAL_ERROR',
      'it is suspended',
    ],
    [
      'one of two changes',
      'update_account',
      account('active', blue),
      remove(red, blue),
      'INTERNAL_ERROR',
      "it still has team 'blue'",
    ],
    [
      'access that something else gives',
      'update_account',
      account('active', { ...red, via: base }),
      remove(red),
      'INTERNAL_ERROR',
      "it still has team 'Team red' through team 'base'; remove it there instead",
    ],
  ])('%s', async (_, action, shown, payload, code, message) => {
    const { report, reads } = await after(action, [shown], payload);
    expect(report).toMatchObject({
      status: 'failed',
      error: { code, message: expect.stringContaining(message) },
      result: {
        confirmed: 'none',
        seen: { account: shown === null ? 'absent' : (shown as AccountRecord).status },
      },
    });
    expect(reads).toBe(5);
  });
});

describe('"not found"', () => {
  const notFound = () => Promise.reject(new TaskError('ACCOUNT_NOT_FOUND', 'the server returned 404'));
  const tasks = { delete: notFound, suspend: notFound };

  test('is about something else if the account can be read', async () => {
    const { report } = await after('suspend_account', [account('active')], {}, { tasks });
    expect(report).toMatchObject({
      status: 'failed',
      error: {
        code: 'INTERNAL_ERROR',
        message: 'the server returned 404; but the account a1 exists and is active',
      },
    });
  });

  test.each<[string, Shown]>([
    ['a read does not find it either', null],
    ['nothing can be read', new Error('HTML')],
  ])('stays if %s', async (_, shown) => {
    const { report } = await after('suspend_account', [shown], {}, { tasks });
    expect(report).toMatchObject({ status: 'failed', error: { code: 'ACCOUNT_NOT_FOUND' } });
  });

  const earlier = { absent: false };
  test('completes an interrupted deletion if a read says so, too', async () => {
    const { report } = await after('delete_account', [null], {}, { tasks, earlier });
    expect(report).toEqual({
      status: 'completed',
      result: { confirmed: 'read', seen: { account: 'absent', held: [], missing: [] } },
    });
  });

  test.each<[string, Shown, string]>([
    ['the account is there', account('active'), 'exists and is active'],
    ['nothing can be read', new Error('it returned HTML'), 'could not be read: it returned HTML'],
  ])('does not complete an interrupted deletion if %s', async (_, shown, message) => {
    const { report } = await after('delete_account', [shown], {}, { tasks, earlier });
    expect(report).toMatchObject({
      status: 'failed',
      error: { code: 'INTERNAL_ERROR', message: expect.stringContaining(message) },
    });
  });
});

test('a task is recorded as carried out before it is read back', async () => {
  const { marks } = await after('suspend_account', [account('suspended')]);
  expect(marks).toEqual([false, { report: { status: 'completed' } }]);
});
