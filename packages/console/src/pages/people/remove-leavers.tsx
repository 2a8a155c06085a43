import { plural, t } from '@lingui/core/macro';
import { Plural } from '@lingui/react/macro';
import { Button, Checkbox, Skeleton } from '@mantine/core';
import { useState } from 'react';
import { notifyFailure } from '../../api/client.ts';
import { ActionDialog } from '../../kit/action/action-dialog.tsx';
import type { Bulk } from '../../kit/controls/bulk-job.tsx';
import type { Selection } from '../../kit/table/data-table.tsx';
import { type CreatedTask, tasksCreated } from '../../tasks/tasks-created.ts';
import { deletionIn, isLater } from '../../tasks/under-way.tsx';
import { createTask } from '../accounts/account.ts';
import { type Leaver, type LeaverAccount, leaverAccountName as nameOf } from './leaver-account.ts';

interface Props {
  of: Selection<Leaver>;
  begin: (job: Bulk<LeaverAccount, CreatedTask>) => void;
}

/** The accounts of the selected people, by what happens to them already. */
interface Accounts {
  /** No task deletes them. */
  free: LeaverAccount[];
  /** A task deletes them later. */
  later: LeaverAccount[];
  /** A task is deleting them, or waits for something else than its time. */
  underWay: LeaverAccount[];
}

function sorted(people: readonly Leaver[]): Accounts {
  const found: Accounts = { free: [], later: [], underWay: [] };
  for (const account of people.flatMap(({ accounts }) => accounts)) {
    const deletion = deletionIn(account.removals);
    if (deletion === undefined) found.free.push(account);
    else (isLater(deletion) ? found.later : found.underWay).push(account);
  }
  return found;
}

/** Deletes the accounts of leavers. Those that a task already deletes are left to it. */
export function RemoveLeavers({ of: selection, begin }: Props) {
  const [asked, ask] = useState(false);
  const [accounts, setAccounts] = useState<Accounts>();
  const [hurry, setHurry] = useState(false);
  const { count } = selection;
  const open = () => {
    setAccounts(undefined);
    setHurry(false);
    ask(true);
    selection
      .rows()
      .then((people) => setAccounts(sorted(people)))
      .catch((error: unknown) => {
        ask(false);
        notifyFailure(error);
      });
  };
  const chosen = accounts === undefined ? [] : [...accounts.free, ...(hurry ? accounts.later : [])];
  const start = async () => {
    selection.clear();
    begin({
      title: plural(chosen.length, { one: 'Delete # account', other: 'Delete # accounts' }),
      rows: async () => [...chosen],
      act: (account) =>
        createTask(account, 'delete_account', {
          reason: t`The person has left.`,
          instead_of: deletionIn(account.removals)?.task ?? null,
        }),
      outcome: tasksCreated,
      name: (account) => t`${{ account: nameOf(account) }} in ${{ app: account.app.name }}`,
    });
  };
  const action = {
    title: plural(count, {
      one: 'Delete the accounts of # person?',
      other: 'Delete the accounts of # people?',
    }),
    sentence:
      accounts === undefined ? (
        <Skeleton height={80} />
      ) : (
        <Consequences of={accounts} count={chosen.length} hurry={hurry} setHurry={setHurry} />
      ),
    button: t`Delete accounts`,
    type: `delete ${count}`,
    disabled: chosen.length === 0,
    request: start,
  };
  return (
    <>
      <Button color="red" variant="outline" onClick={open}>
        {t`Delete accounts`}
      </Button>
      <ActionDialog of={asked ? action : undefined} close={() => ask(false)} />
    </>
  );
}

interface ConsequencesProps {
  of: Accounts;
  count: number;
  hurry: boolean;
  setHurry: (hurry: boolean) => void;
}

function Consequences({ of: { later, underWay }, count, hurry, setHurry }: ConsequencesProps) {
  return (
    <>
      <p>
        <Plural
          value={count}
          _0="No account is left to delete."
          one="# account loses its groups and licenses and is deleted in its app. This cannot be undone."
          other="# accounts lose their groups and licenses and are deleted in their apps. This cannot be undone."
        />{' '}
        {t`Gatehouse creates a task for each account.`}
      </p>
      {underWay.length > 0 && (
        <p>
          <Plural
            value={underWay.length}
            one="A task already deletes # account. It gets no second one."
            other="Tasks already delete # accounts. They get no second one."
          />
        </p>
      )}
      {later.length > 0 && (
        <Checkbox
          mt="xs"
          checked={hurry}
          onChange={({ currentTarget }) => setHurry(currentTarget.checked)}
          label={plural(later.length, {
            one: 'Also delete now # account whose deletion is scheduled for later',
            other: 'Also delete now # accounts whose deletion is scheduled for later',
          })}
        />
      )}
    </>
  );
}
