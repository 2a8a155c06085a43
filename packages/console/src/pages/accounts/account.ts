import { t } from '@lingui/core/macro';
import { type Answer, api, ok } from '../../api/client.ts';
import type { paths } from '../../api/schema.ts';

export type Account = Answer<'/api/accounts/{account_id}/'>;
type Status = Account['status'];
type NewTask = paths['/api/tasks/']['post']['requestBody']['content']['application/json'];
export type Action = Exclude<NewTask['action'], 'create_account' | 'update_account'>;

type Named = Pick<Account, 'display_name' | 'email' | 'username' | 'external_id'>;

/** The name that the app gives the account, or else its email, username or ID. */
export const accountName = ({ display_name, email, username, external_id }: Named) =>
  [display_name, email, username, external_id].find((name) => name !== null && name !== '') ??
  t`Unnamed account`;

/** The kinds of accounts. */
export const KINDS: Record<NonNullable<Account['kind']>, string> = {
  person: t`Account of a person`,
  service: t`Service account`,
  shared: t`Shared account`,
};

/** Creates a task for an existing account. */
export function createTask(
  { app, external_uuid }: { app: { external_uuid: string; name: string }; external_uuid: string },
  action: NewTask['action'],
  more: Pick<NewTask, 'changes' | 'reason' | 'instead_of' | 'leaving'> = {},
) {
  return ok(
    api.POST('/api/tasks/', { body: { app: app.external_uuid, account: external_uuid, action, ...more } }),
  );
}

/** Explains the statuses that do not speak for themselves (D25). */
export const STATUS_HINTS: Partial<Record<Status, string>> = {
  NEW: t`The connector has not created this account yet.`,
  INVITED: t`The account was created, but no sync has seen it in use yet.`,
  SUSPENDED: t`The account cannot be used until it is unsuspended.`,
  INACTIVE: t`The account no longer exists in the app, or was never created.`,
};

const ALLOWED_ACTIONS: Partial<Record<Status, readonly (Action | 'access')[]>> = {
  NEW: ['delete_account'],
  INVITED: ['access', 'suspend_account', 'reset_password', 'delete_account'],
  ACTIVE: ['access', 'suspend_account', 'reset_password', 'delete_account'],
  SUSPENDED: ['access', 'unsuspend_account', 'delete_account'],
};
/** Returns the actions that an account's status allows. */
/** The connector could do nothing any more without the account with which it signs in. */
const ENDS_ACCOUNT: readonly string[] = ['suspend_account', 'delete_account'];

export const allowedActions = ({ status, is_own }: Account) =>
  (ALLOWED_ACTIONS[status] ?? []).filter((action) => is_own !== true || !ENDS_ACCOUNT.includes(action));
