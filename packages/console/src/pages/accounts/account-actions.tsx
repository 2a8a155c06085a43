import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { useChange } from '../../api/client.ts';
import { CommentDialog, type Commented } from '../../parts/comment-dialog.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import {
  type Account,
  type Action,
  accountName,
  allowedActions,
  createdMessage,
  createTask,
} from './account.ts';
import { ChangeAccess } from './change-access.tsx';
import type { accountSearch } from './search.ts';

type Ask = ReturnType<typeof accountSearch>['ask'];

interface Props {
  account: Account;
  ask: Ask;
  set: (ask: Ask) => void;
}

const BUTTONS = [
  { action: 'access', ask: 'access', label: 'Change access' },
  { action: 'suspend_account', ask: 'suspend', label: 'Suspend' },
  { action: 'unsuspend_account', ask: 'unsuspend', label: 'Unsuspend' },
  { action: 'reset_password', ask: 'password', label: 'Reset password' },
  { action: 'delete_account', ask: 'delete', label: 'Delete' },
] as const;

interface Question {
  action: Action;
  /** The title up to the account's name. */
  title: string;
  about: string;
  button: string;
}

const QUESTIONS: Partial<Record<NonNullable<Ask>, Question>> = {
  suspend: {
    action: 'suspend_account',
    title: 'Suspend the account of',
    button: 'Suspend account',
    about: 'The account cannot be used until it is unsuspended. Existing access is not affected.',
  },
  unsuspend: {
    action: 'unsuspend_account',
    title: 'Unsuspend the account of',
    button: 'Unsuspend account',
    about: 'The account can be used again with its existing access.',
  },
  password: {
    action: 'reset_password',
    title: 'Reset the password of',
    button: 'Reset password',
    about: 'The current password stops working. The app decides how the person gets a new one.',
  },
};

/** The actions that an account's status allows. Each creates a task for the connector. */
export function AccountActions({ account, ask, set }: Props) {
  const allowed = allowedActions(account);
  const name = accountName(account).trim();
  const close = () => set(undefined);
  const { mutateAsync: create } = useChange(
    ({ action, reason }: { action: Action; reason: string | null }) =>
      createTask(account, action, { reason }),
    { showFailure: false, success: createdMessage },
  );
  const question = useMemo<Commented | undefined>(() => {
    const found = ask === undefined ? undefined : QUESTIONS[ask];
    return (
      found && {
        title: `${found.title} ${name}?`,
        about: `${found.about} Gatehouse creates a task for the connector of ${account.app.name}.`,
        label: 'Reason',
        action: found.button,
        act: (reason) => create({ action: found.action, reason: reason || null }),
      }
    );
  }, [ask, name, account.app.name, create]);
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
      <Confirm
        opened={ask === 'delete'}
        close={close}
        title={`Delete the account of ${name}?`}
        action="Delete account"
        type={name}
        act={() => create({ action: 'delete_account', reason: null })}
      >
        The account loses its groups and licenses and is deleted in {account.app.name}. The deletion replaces
        tasks for it that have not started. This cannot be undone.
      </Confirm>
    </>
  );
}
