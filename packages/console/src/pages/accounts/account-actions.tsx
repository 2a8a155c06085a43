import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { useChange } from '../../api/client.ts';
import { NobodyCarriesOut } from '../../apps/nobody-carries-out.tsx';
import { CommentDialog, type Commented } from '../../kit/controls/comment-dialog.tsx';
import { taskCreated } from '../../tasks/tasks-created.ts';
import { type Account, type Action, accountName, allowedActions, createTask } from './account.ts';
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

interface Question {
  action: Action;
  title: (name: string) => string;
  about: (app: string) => string;
  button: string;
}

const QUESTIONS: Partial<Record<NonNullable<Ask>, Question>> = {
  suspend: {
    action: 'suspend_account',
    title: (name) => t`Suspend the account of ${name}?`,
    button: t`Suspend account`,
    about: (app) =>
      t`The account cannot be used until it is unsuspended. Existing access is not affected. Gatehouse creates a task for ${app}.`,
  },
  unsuspend: {
    action: 'unsuspend_account',
    title: (name) => t`Unsuspend the account of ${name}?`,
    button: t`Unsuspend account`,
    about: (app) =>
      t`The account can be used again with its existing access. Gatehouse creates a task for ${app}.`,
  },
  password: {
    action: 'reset_password',
    title: (name) => t`Reset the password of ${name}?`,
    button: t`Reset password`,
    about: (app) =>
      t`The current password stops working. The app decides how the person gets a new one. Gatehouse creates a task for ${app}.`,
  },
};

/** The actions that an account's status allows. Each creates a task. */
export function AccountActions({ account, ask, set }: Props) {
  const allowed = allowedActions(account);
  const name = accountName(account).trim();
  const close = () => set(undefined);
  const { mutateAsync: create } = useChange(
    ({ action, ...more }: { action: Action; reason: string | null; instead_of?: string | null }) =>
      createTask(account, action, more).then(taskCreated),
    { showFailure: false, success: (message) => message },
  );
  const question = useMemo<Commented | undefined>(() => {
    const found = ask === undefined ? undefined : QUESTIONS[ask];
    return (
      found && {
        title: found.title(name),
        about: (
          <>
            <NobodyCarriesOut appId={account.app.external_uuid} />
            {found.about(account.app.name)}
            {ask === 'unsuspend' && <EndedSuspensions accountId={account.external_uuid} />}
          </>
        ),
        label: t`Reason`,
        action: found.button,
        act: (reason) => create({ action: found.action, reason: reason || null }),
      }
    );
  }, [ask, name, account.app, account.external_uuid, create]);
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
      <CommentDialog ask={question} close={close} />
      <DeleteAccount
        account={account}
        opened={ask === 'delete'}
        close={close}
        act={(instead_of) => create({ action: 'delete_account', reason: null, instead_of })}
      />
    </>
  );
}
