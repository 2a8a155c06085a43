import { Type } from 'typebox';
import { list } from '#kit/http.ts';
import { Component, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { AccountStatus } from '../account.ts';
import { listLeaversWithRemovals, type ReadRemovals } from '../leavers.ts';

const Removal = Component('OpenRemoval', {
  task: Uuid,
  action: Type.Enum(['delete_account', 'suspend_account']),
  status: Type.Enum(['scheduled', 'pending']),
  execute_after: Timestamp,
  waits_for: Nullable(Type.String({ description: 'As `waits_for` of the task.' })),
});

const LeaverView = Component('Leaver', {
  external_uuid: Uuid,
  email: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  status: Type.Enum(['active', 'deactivated']),
  end_date: Nullable(Type.String({ format: 'date' })),
  inactive_since: Nullable({
    ...Timestamp,
    description: 'When the user was deactivated. null: active and past the end date, or not on record.',
  }),
  accounts: Type.Array(
    Component('LeaverAccount', {
      external_uuid: Uuid,
      email: Type.String(),
      username: Type.String(),
      status: AccountStatus,
      app: Type.Object({ external_uuid: Uuid, name: Type.String() }),
      removals: Type.Array(Removal, {
        description: 'The open tasks that delete or suspend the account, in order of creation.',
      }),
    }),
    { description: 'At most 50 accounts that are INVITED, ACTIVE or SUSPENDED.' },
  ),
});

export const leaverRoute = (readRemovals: ReadRemovals) =>
  list(
    '/api/users/leavers/',
    {
      tag: 'People',
      config: { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'] }, reads: 'replica' },
      summary: 'List leavers with access',
      description:
        'Users who are deactivated or past their end date (UTC), and still have accounts that are INVITED, ACTIVE or SUSPENDED.',
      isLong: true,
      query: { user: Type.Optional({ ...Uuid, description: 'Only this user.' }) },
      item: LeaverView,
    },
    async ({ call, query: { user = null } }, page) => {
      const slice = await listLeaversWithRemovals(call, readRemovals, user, page);
      return {
        ...slice,
        results: slice.results.map(({ id, ...person }) => ({ external_uuid: id, ...person })),
      };
    },
  );
