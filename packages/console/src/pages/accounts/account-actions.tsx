import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { NobodyCarriesOut } from '../../apps/nobody-carries-out.tsx';
import { type Action, ActionDialog } from '../../kit/action/action-dialog.tsx';
import { taskCreated } from '../../tasks/tasks-created.ts';
import {
  type Account,
  accountName,
  allowedActions,
  createTask,
  type Action as TaskAction,
} from './account.ts';
import { ChangeAccess } from './change-access.tsx';
import { DeleteAccount } from './delete-account.tsx';
import type { accountSearch } from './search.ts';
import { EndedSuspensions } from './suspensions.tsx';

type Ask = ReturnType<typeof accountSearch>['ask'];

interface Props {
  account: Account;
  ask: Ask;
  set: (ask: Ask) => void;
}

const BUTTONS = [
  { action: 'access', ask: 'access', label: t`Change access` },
  { action: 'suspend_account', ask: 'suspend', label: t`Suspend` },
  { action: 'unsuspend_account', ask: 'unsuspend', label: t`Unsuspend` },
  { action: 'reset_password', ask: 'password', label: t`Reset password` },
  { action: 'delete_account', ask: 'delete', label: t`Delete` },
] as const;

type Question = Omit<Action, 'request'> & { task: TaskAction };

const questions = (name: string, app: string): Partial<Record<NonNullable<Ask>, Question>> => ({
  suspend: {
    task: 'suspend_account',
    title: t`Suspend the account of ${name}?`,
    button: t`Suspend account`,
    sentence: t`The account cannot be used until it is unsuspended. Existing access is not affected. Gatehouse creates a task for ${app}.`,
  },
  unsuspend: {
    task: 'unsuspend_account',
    title: t`Unsuspend the account of ${name}?`,
    button: t`Unsuspend account`,
    sentence: t`The account can be used again with its existing access. Gatehouse creates a task for ${app}.`,
  },
  password: {
    task: 'reset_password',
    title: t`Reset the password of ${name}?`,
    button: t`Reset password`,
    sentence: t`The current password stops working. The app decides how the person gets a new one. Gatehouse creates a task for ${app}.`,
  },
});

/** Returns the action that a question of an account's page asks for, if it is one with a task. */
export function taskAction(account: Account, ask: Ask): Action<string> | undefined {
  const question = ask && questions(accountName(account).trim(), account.app.name)[ask];
  return (
    question && {
      ...question,
      sentence: (
        <>
          <NobodyCarriesOut appId={account.app.external_uuid} />
          {question.sentence}
          {ask === 'unsuspend' && <EndedSuspensions accountId={account.external_uuid} />}
        </>
      ),
      comment: t`Reason`,
      request: (reason) => createTask(account, question.task, { reason: reason || null }).then(taskCreated),
      message: (sentence: string) => sentence,
    }
  );
}

/** The actions that an account's status allows. Each creates a task. */
export function AccountActions({ account, ask, set }: Props) {
  const allowed = allowedActions(account);
  const close = () => set(undefined);
  return (
    <>
      {BUTTONS.filter(({ action }) => allowed.includes(action)).map((button) => (
        <Button
          key={button.ask}
          {...(button.ask === 'delete' ? { color: 'red', variant: 'outline' } : { variant: 'default' })}
          onClick={() => set(button.ask)}
        >
          {button.label}
        </Button>
      ))}
      <ChangeAccess account={account} opened={ask === 'access'} close={close} />
      <ActionDialog of={taskAction(account, ask)} close={close} />
      <DeleteAccount account={account} opened={ask === 'delete'} close={close} />
    </>
  );
}
