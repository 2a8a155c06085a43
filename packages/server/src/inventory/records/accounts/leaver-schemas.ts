import { type Static, Type } from 'typebox';
import { Component, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { AccountStatus } from './account.ts';

/** A task that deletes or suspends an account, and has not ended. Tasks belong to a higher layer. */
export const Removal = Component('OpenRemoval', {
  task: Uuid,
  action: Type.Enum(['delete_account', 'suspend_account']),
  status: Type.Enum(['scheduled', 'pending']),
  execute_after: Timestamp,
  waits_for: Nullable(Type.String({ description: 'As `waits_for` of the task.' })),
});

export type Removal = Static<typeof Removal>;

/** A person who has left, with the accounts that they still have. */
export const LeaverView = Component('Leaver', {
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
export type Leaver = Static<typeof LeaverView>;
