import { t } from '@lingui/core/macro';
import type { Answer, Item, Query } from '../../api/client.ts';

export type Task = Item<'/api/tasks/'>;
/** A task with the sync that confirmed it, and who carries it out by hand. */
export type TaskDetails = Answer<'/api/tasks/{task_id}/'>;
type TaskQuery = Query<'/api/tasks/'>;
export type Action = NonNullable<TaskQuery['action']>;
type TaskStatus = NonNullable<TaskQuery['status']>;

const ACTION_WORDS = {
  create_account: t`Create account`,
  update_account: t`Change access`,
  delete_account: t`Delete account`,
  suspend_account: t`Suspend account`,
  unsuspend_account: t`Unsuspend account`,
  reset_password: t`Reset password`,
} satisfies Record<Action, string>;

export const ACTIONS = Object.keys(ACTION_WORDS) as Action[];
export const actionWord = (action: string) => (ACTION_WORDS as Record<string, string>)[action] ?? action;

/** Returns what a task does to the whole account, in words. Undefined for one that only changes groups and licenses. */
export function wholeWords(action: Action): string | undefined {
  switch (action) {
    case 'create_account':
      return t`An account without groups and licenses.`;
    case 'delete_account':
      return t`The account, and with it all of its groups and licenses.`;
    case 'suspend_account':
      return t`The account can no longer be used. Its groups and licenses stay.`;
    case 'unsuspend_account':
      return t`The account can be used again. Its groups and licenses stay.`;
    case 'reset_password':
      return t`The password of the account. Its groups and licenses stay.`;
    case 'update_account':
      return undefined;
  }
}

function directions({ changes }: Pick<Task, 'changes'>) {
  const all = Object.values(changes);
  return {
    gives: all.some(({ added }) => added.length > 0),
    takes: all.some(({ removed }) => removed.length > 0),
  };
}

/** Whether a task takes an account or access away, so that there is a proof of it. */
export const takesAway = (task: Pick<Task, 'action' | 'changes'>) =>
  task.action === 'delete_account' || task.action === 'suspend_account' || directions(task).takes;

/** "Give access" or "Remove access" if the task does only one of them. */
export function doingWords(task: Pick<Task, 'action' | 'changes'>): string {
  const { gives, takes } = directions(task);
  if (task.action !== 'update_account' || gives === takes) return actionWord(task.action);
  return gives ? t`Give access` : t`Remove access`;
}

const names = (refs: { id: string; name: string }[]) => refs.map(({ id, name }) => name || id).join(', ');

/** "+ Support, Viewer; − Exports" */
export function changeWords({ changes }: Pick<Task, 'changes'>): string {
  const all = Object.values(changes);
  const added = names(all.flatMap((change) => change.added));
  const removed = names(all.flatMap((change) => change.removed));
  return [added && `+ ${added}`, removed && `− ${removed}`].filter((part) => part !== '').join('; ');
}

export const STATUSES = Object.keys({
  scheduled: true,
  pending: true,
  completed: true,
  failed: true,
  cancelled: true,
  preempted: true,
} satisfies Record<TaskStatus, true>) as TaskStatus[];
export const isOpen = ({ status }: Pick<Task, 'status'>) => status === 'scheduled' || status === 'pending';

/** The kind of decision that created a task (D32). */
const TYPE_WORDS = {
  USER_ACTION: t`Manual`,
  ACCESS_REVIEW: t`Access review`,
  APPROVAL_WORKFLOW: t`Request`,
  POLICY: t`Policy`,
} satisfies Record<Task['task_type'], string>;
export const typeWord = (type: string) => (TYPE_WORDS as Record<string, string>)[type] ?? type;

/** The email of the task's account. */
export const accountWord = ({ app_user }: Pick<Task, 'app_user'>) =>
  app_user.email || t`an account without an email`;

/** "Give access to ada@example.com in Payroll" */
export function taskName(task: Task): string {
  const [account, app] = [accountWord(task), task.app.name];
  switch (task.action) {
    case 'create_account':
      return t`Create account for ${account} in ${app}`;
    case 'delete_account':
      return t`Delete account of ${account} in ${app}`;
    case 'suspend_account':
      return t`Suspend account of ${account} in ${app}`;
    case 'unsuspend_account':
      return t`Unsuspend account of ${account} in ${app}`;
    case 'reset_password':
      return t`Reset password of ${account} in ${app}`;
    case 'update_account': {
      const { gives, takes } = directions(task);
      if (gives === takes) return t`Change access of ${account} in ${app}`;
      return gives ? t`Give access to ${account} in ${app}` : t`Remove access from ${account} in ${app}`;
    }
  }
}
