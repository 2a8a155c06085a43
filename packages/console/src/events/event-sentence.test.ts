import { describe, expect, test } from 'vitest';
import catalog from '../../../../docs/reference/events.md?raw';
import { localTime } from '../kit/text/words.ts';
import { type EventLike, eventSentence } from './event-sentence.ts';

const ADA = '0199aaaa-0000-7000-8000-000000000001';
const names = (uuid: string) => (uuid === ADA ? 'Ada Lovelace' : undefined);
const types = [...catalog.matchAll(/^### (\S+)$/gm)].map(([, type]) => String(type));

const event = (
  event_type: string,
  payload: EventLike['payload'] = {},
  more: Partial<EventLike> = {},
): EventLike => ({
  event_type,
  actor: { type: 'user', uuid: ADA },
  source: { type: 'user_action' },
  payload,
  ...more,
});
const sentenceOf = (...parameters: Parameters<typeof event>) => eventSentence(event(...parameters), names);

const sync = { actor: { type: 'system', uuid: null }, source: { type: 'sync' } };
const group = { app_name: 'Payroll', email: 'bob@example.com', group_name: 'Approvers', kind: 'group' };
const suspend = { app_name: 'Payroll', email: 'bob@example.com', action: 'suspend_account' };

describe('eventSentence', () => {
  test('docs/reference/events.md lists the event types', () => expect(types.length).toBeGreaterThan(40));

  test.each(types)('describes %s even without a payload', (type) => {
    const sentence = sentenceOf(type);
    expect(sentence).not.toContain(type);
    expect(sentence).toMatch(/^[A-Z'a-z].* .*[^.]\.$/);
    expect(sentence).not.toMatch(/undefined|null|NaN|\[object/);
  });

  test('shows no IDs and no timestamps of machines', () => {
    const change = (from: string, to: string) => ({ changes: [{ field: 'manager', from, to }] });
    expect(
      sentenceOf('user.updated', { email: 'bob@example.com', ...change(ADA, ADA.replace(/1$/, '2')) }),
    ).toBe('Ada Lovelace changed bob@example.com: manager from Ada Lovelace to someone.');
    const moment = '2026-11-21T04:05:06.000Z';
    const retried = sentenceOf('task.retried', { ...suspend, execute_after: moment });
    expect(retried).toContain(localTime(new Date(moment)));
    expect(retried).not.toContain('2026-11-21');
  });

  test('returns the name of an unknown type', () => {
    expect(sentenceOf('satellite.launched')).toBe('satellite.launched');
  });

  test.each<[string, ...Parameters<typeof event>]>([
    [
      'Ada Lovelace changed the settings of Payroll: name from Pay to Payroll, removal guard.',
      'app_settings.changed',
      {
        app_name: 'Payroll',
        changes: [
          { field: 'name', from: 'Pay', to: 'Payroll' },
          { field: 'removal_guard', from: { percent: 30 }, to: null },
        ],
      },
    ],
    [
      'Ada Lovelace approved request REQ-12: access to Payroll for bob@example.com: Fine by me.',
      'ticket.approved',
      { label: 'REQ-12: access to Payroll for bob@example.com', comment: 'Fine by me.' },
    ],
    [
      'Ada Lovelace approved request REQ-12, overriding its approvers.',
      'ticket.approved',
      { label: 'REQ-12', override: true },
    ],
    [
      'bob@example.com was added to the group Approvers in Payroll (discovered by sync).',
      'account.group.added',
      group,
      sync,
    ],
    [
      'bob@example.com lost the license Seat in Payroll (by a provisioning task): Left the team.',
      'account.group.removed',
      { ...group, kind: 'license', group_name: 'Seat', reason: 'Left the team.' },
      { source: { type: 'task' } },
    ],
    [
      'The task to suspend the account of bob@example.com in Payroll failed: No such user (Gatehouse will retry it).',
      'task.failed',
      { ...suspend, error: { code: 'TIMEOUT', message: 'No such user.' }, will_retry: true },
    ],
    [
      'Gatehouse created a task to suspend the account of bob@example.com in Payroll.',
      'task.created',
      suspend,
      { actor: { type: 'system', uuid: null } },
    ],
    [
      'Ada Lovelace changed the policy Leavers: enabled from yes to no, task limit from 10 to 20.',
      'policy.updated',
      {
        name: 'Leavers',
        changes: [
          { field: 'enabled', from: true, to: false },
          { field: 'task_limit', from: 10, to: 20 },
        ],
      },
    ],
    [
      'Ada Lovelace changed Bob: employee number from 1 to 2, cost center from A to constructor.',
      'user.updated',
      {
        name: 'Bob',
        changes: [
          { field: 'attributes.employee_number', from: '1', to: '2' },
          { field: 'attributes.cost_center', from: 'A', to: 'constructor' },
        ],
      },
    ],
    [
      'Ada Lovelace changed Bob: department from Sales to nothing, manager from nothing to Ada Lovelace, and 1 more.',
      'user.updated',
      {
        name: 'Bob',
        changes: [
          { field: 'attributes.department', from: 'Sales', to: null },
          { field: 'manager', from: null, to: ADA },
          { field: 'title', from: 'x', to: 'y' },
        ],
      },
    ],
    [
      'A sync of Payroll completed: 1,204 records created, 1 record removed.',
      'app.sync.completed',
      { app_name: 'Payroll', outcome: 'completed', counts: { created: 1204, updated: 0, removed: 1 } },
    ],
    [
      'A sign-in attempt as bob@example.com with a password failed: Wrong email or password.',
      'session.login.failed',
      { identifier: 'bob@example.com', method: 'password', reason: 'Wrong email or password.' },
    ],
    [
      'Bob signed in with a password and a second factor.',
      'session.login.succeeded',
      { name: 'Bob', method: 'password', second_factor: true },
    ],
    [
      'Someone revoked the API key ci.',
      'api_key.revoked',
      { name: 'ci' },
      { actor: { type: 'user', uuid: 'unknown' } },
    ],
    [
      'The daily budget of Payroll holds 124 tasks until an administrator confirms them.',
      'removal_budget.exceeded',
      { app_name: 'Payroll', tasks: 124 },
    ],
    [
      'The key Okta deactivated 61 people of 600 in a day, so what follows is held until an administrator decides.',
      'people.change_held',
      { kind: 'people', client: { type: 'scim', id: 'a', name: 'Okta' }, group: null, affected: 61, of: 600 },
    ],
    [
      'An import by ada@acme.example deactivated 61 people of 600, so what follows is held until an administrator decides.',
      'people.change_held',
      {
        kind: 'people',
        client: { type: 'import', id: 'a', name: 'ada@acme.example' },
        affected: 61,
        of: 600,
      },
    ],
    [
      'The group Finance lost 1 member of 9 in an hour, so what follows is held until an administrator decides.',
      'people.change_held',
      { kind: 'group', client: null, group: { id: 'g', name: 'Finance' }, affected: 1, of: 9 },
    ],
    ['Ada Lovelace confirmed the held change of 61 people.', 'people.change_confirmed', { affected: 61 }],
    [
      'Ada Lovelace discarded the held change of 61 people: A mistake in the payroll.',
      'people.change_discarded',
      { affected: 61, reason: 'A mistake in the payroll' },
    ],
    [
      'The task to suspend the account of bob@example.com in Payroll was handed to the people who carry it out.',
      'task.dispatched',
      { ...suspend, api_key_id: null },
    ],
    [
      'A connector picked up the task to suspend the account of bob@example.com in Payroll.',
      'task.dispatched',
      { ...suspend, api_key_id: ADA },
    ],
    [
      'Ada Lovelace marked the task to suspend the account of bob@example.com in Payroll as done: Locked at noon.',
      'task.completed',
      { ...suspend, manual: true, note: 'Locked at noon.' },
    ],
    [
      'Ada Lovelace refused the task to suspend the account of bob@example.com in Payroll: No such account.',
      'task.failed',
      { ...suspend, manual: true, error: { code: 'ACCOUNT_NOT_FOUND', message: 'No such account.' } },
    ],
    [
      'A sync of Payroll ended without its removals, which Ada Lovelace rejected.',
      'app.sync.failed',
      { app_name: 'Payroll', reason: 'cleanup_failed', message: 'Rejected.', rejected_by: ADA },
    ],
    [
      'The condition of the policy Clearance decided nothing about 2 people.',
      'policy.undecided',
      { name: 'Clearance', count: 2 },
    ],
    [
      'The policy No seats kept 1 group or license that something else gives.',
      'policy.access_kept',
      { name: 'No seats', count: 1 },
    ],
    [
      'Payroll had 3 syncs in a row discarded by newer ones: the last one was started by Bridge A, the newer one by the managed connector.',
      'app.sync.superseded',
      {
        app_name: 'Payroll',
        count: 3,
        client: { type: 'api_key', id: 'a', name: 'Bridge A' },
        superseded_by_client: { type: 'connector', id: 'b', name: 'Managed connector' },
      },
    ],
    [
      'A sync of Payroll is held for approval because it pushed no account and would take away 99 accounts.',
      'app.sync.paused',
      { app_name: 'Payroll', held: { accounts: 99, memberships: 0, reason: 'no_accounts' } },
    ],
    ['The policy Leavers waits for a confirmation of 1 task.', 'policy.held', { name: 'Leavers', count: 1 }],
    [
      'Ada Lovelace rejected 1 held task of Payroll.',
      'removal_budget.rejected',
      { app_name: 'Payroll', tasks: 1 },
    ],
    [
      'Ada Lovelace reverted a sync of Payroll: The connector pushed half of the list.',
      'sync.reverted',
      { app_name: 'Payroll', reason: 'The connector pushed half of the list.' },
    ],
    [
      `Ada Lovelace restored access as of ${localTime(new Date('2026-03-01T00:00:00Z'))}, with 3 tasks.`,
      'restore.created',
      { as_of: '2026-03-01T00:00:00.000Z', tasks: 3, reason: null },
    ],
    [
      'Ada Lovelace changed Robot from human to service account.',
      'user.identity_type.changed',
      { name: 'Robot', from: 'human', to: 'service_account' },
    ],
  ])('%s', (sentence, ...parameters) => expect(sentenceOf(...parameters)).toBe(sentence));
});
