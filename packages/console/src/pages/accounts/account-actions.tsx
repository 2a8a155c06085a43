import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { useChange } from '../../api/client.ts';
import { CommentDialog, type Commented } from '../../parts/comment-dialog.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { type Account, type Action, accountName, madeWords, makeTask, possible } from './account.ts';
import { ChangeAccess } from './change-access.tsx';
import type { accountSearch } from './search.ts';

type Ask = ReturnType<typeof accountSearch>['ask'];

interface Props {
  account: Account;
  ask: Ask;
  set: (ask: Ask) => void;
}

const BUTTONS = [
  { action: 'access', ask: 'access', word: 'Change groups and licenses' },
  { action: 'suspend_account', ask: 'suspend', word: 'Suspend' },
  { action: 'unsuspend_account', ask: 'unsuspend', word: 'Unsuspend' },
  { action: 'reset_password', ask: 'password', word: 'Reset password' },
  { action: 'delete_account', ask: 'delete', word: 'Delete' },
] as const;

interface Question {
  action: Action;
  /** Before a name. */
  title: string;
  about: string;
  button: string;
}

const QUESTIONS: Partial<Record<NonNullable<Ask>, Question>> = {
  suspend: {
    action: 'suspend_account',
    title: 'Suspend the account of',
    button: 'Suspend',
    about: 'It cannot be used until it is unsuspended. What it has it keeps.',
  },
  unsuspend: {
    action: 'unsuspend_account',
    title: 'Unsuspend the account of',
    button: 'Unsuspend',
    about: 'It can be used again, with what it has.',
  },
  password: {
    action: 'reset_password',
    title: 'Reset the password of',
    button: 'Reset password',
    about: 'The old password stops working. How the person gets a new one is up to the app.',
  },
};

/** What an administrator can do with an account in its state. Each is a task for the connector. */
export function AccountActions({ account, ask, set }: Props) {
  const allowed = possible(account);
  const name = accountName(account).trim();
  const close = () => set(undefined);
  const { mutateAsync: make } = useChange(
    ({ action, reason }: { action: Action; reason: string | null }) => makeTask(account, action, { reason }),
    {
      tell: false,
      said: madeWords,
    },
  );
  const question = useMemo<Commented | undefined>(() => {
    const found = ask === undefined ? undefined : QUESTIONS[ask];
    return (
      found && {
        title: `${found.title} ${name}?`,
        about: `${found.about} A task for the connector of ${account.app.name} is made.`,
        label: 'Reason',
        action: found.button,
        act: (reason) => make({ action: found.action, reason: reason || null }),
      }
    );
  }, [ask, name, account.app.name, make]);
  return (
    <>
      {BUTTONS.filter(({ action }) => allowed.includes(action)).map((button) => (
        <Button
          key={button.ask}
          {...(button.ask === 'delete' ? { color: 'red', variant: 'outline' } : { variant: 'default' })}
          onClick={() => set(button.ask)}
        >
          {button.word}
        </Button>
      ))}
      <ChangeAccess account={account} opened={ask === 'access'} close={close} />
      <CommentDialog ask={question} close={close} />
      <Confirm
        opened={ask === 'delete'}
        close={close}
        title={`Delete the account of ${name}?`}
        action="Delete the account"
        type={name}
        act={() => make({ action: 'delete_account', reason: null })}
      >
        It loses its groups and licenses and is deleted in {account.app.name}. Tasks for it that have not
        begun are dropped. This cannot be taken back.
      </Confirm>
    </>
  );
}
