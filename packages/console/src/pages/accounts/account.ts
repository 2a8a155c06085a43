import { type Answer, api, ok } from '../../api/client.ts';
import type { paths } from '../../api/schema.ts';

export type Account = Answer<'/api/accounts/{account_id}/'>;
type NewTask = paths['/api/tasks/']['post']['requestBody']['content']['application/json'];
export type Action = 'suspend_account' | 'unsuspend_account' | 'reset_password' | 'delete_account';

type Named = Pick<Account, 'display_name' | 'email' | 'username' | 'external_id'>;

/** What an account is called: the name that its app gives it, or its email. */
export const accountName = ({ display_name, email, username, external_id }: Named) =>
  [display_name, email, username, external_id].find((name) => name !== null && name !== '') ?? 'No name';

/** A task about an account that is there (governance.md "Manual actions"). */
export function makeTask(
  { app, external_uuid }: Account,
  action: NewTask['action'],
  more: Pick<NewTask, 'changes' | 'reason'> = {},
) {
  return ok(
    api.POST('/api/tasks/', { body: { app: app.external_uuid, account: external_uuid, action, ...more } }),
  );
}

/** What comes next, once a task is made. */
export const madeWords = ({ status }: { status: string }) =>
  status === 'pending'
    ? 'The task is made; the connector does it next.'
    : 'The task is made; it waits for an earlier one of this account.';

/** What the states mean (D25). */
export const ABOUT_STATUS: Record<string, string> = {
  NEW: 'Its creation is asked for, and the connector has still to do it.',
  INVITED: 'Created; no sync has seen it in use yet.',
  ACTIVE: 'It can be used.',
  SUSPENDED: 'It is there, and cannot be used until it is unsuspended.',
  INACTIVE: 'It is not there any more, or was never made.',
};

/** What can be done to an account, by its state. */
const POSSIBLE: Record<string, readonly (Action | 'access')[]> = {
  NEW: ['delete_account'],
  INVITED: ['access', 'suspend_account', 'reset_password', 'delete_account'],
  ACTIVE: ['access', 'suspend_account', 'reset_password', 'delete_account'],
  SUSPENDED: ['access', 'unsuspend_account', 'delete_account'],
};
export const possible = ({ status }: Account) => POSSIBLE[status] ?? [];
