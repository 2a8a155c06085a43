import { expect, test } from 'vitest';
import { ACCOUNT_STATUSES, type AccountStatus } from './account.ts';
import { accountEventsOfTask, groupEventsOfTask } from './change-events.ts';

const account = {
  app_id: 'app',
  app_name: 'Payroll',
  account_id: 'account',
  external_id: null,
  email: 'ann@acme.example',
  username: 'ann',
  user_id: null,
  task_id: 'task',
};
const scope = { account, actor: { type: 'system' as const, uuid: null } };

const typeOf = (from: AccountStatus, to: AccountStatus) =>
  accountEventsOfTask(scope, [{ account_id: 'account', from, to }]).map(({ type }) => type);

test.each([
  ['NEW', 'INVITED', ['account.provisioned']],
  ['INVITED', 'INVITED', []],
  ['ACTIVE', 'SUSPENDED', ['account.suspended']],
  ['SUSPENDED', 'SUSPENDED', []],
  ['SUSPENDED', 'ACTIVE', ['account.unsuspended']],
  ['INVITED', 'ACTIVE', ['account.unsuspended']],
  ['ACTIVE', 'ACTIVE', []],
] as const)('a task that moves an account from %s to %s records %o', (from, to, types) => {
  expect(typeOf(from, to)).toEqual(types);
});

test.each(ACCOUNT_STATUSES)('a deletion of an account that is %s is recorded', (from) => {
  expect(typeOf(from, 'INACTIVE')).toEqual(['account.deprovisioned']);
});

test('the event names the changed account, its states and the task', () => {
  const change = { account_id: 'other', from: 'ACTIVE', to: 'INACTIVE' } as const;

  expect(accountEventsOfTask(scope, [change], 'It was merged.')).toEqual([
    {
      type: 'account.deprovisioned',
      actor: scope.actor,
      subject: { type: 'app_user', uuid: 'other' },
      source: { type: 'task', uuid: 'task' },
      payload: {
        ...account,
        account_id: 'other',
        status: 'INACTIVE',
        previous_status: 'ACTIVE',
        reason: 'It was merged.',
      },
    },
  ]);
});

test('groups have events, licenses have none', () => {
  const named = { slug: 'team', id: 'red', name: 'Red' };

  const events = groupEventsOfTask(scope, 'account.group.added', [
    { ...named, entitlement_id: 'group', type: 'group' },
    { ...named, entitlement_id: 'license', type: 'license' },
  ]);

  expect(events).toMatchObject([
    { payload: { resource_type: 'team', group_id: 'group', group_external_id: 'red', group_name: 'Red' } },
  ]);
});
