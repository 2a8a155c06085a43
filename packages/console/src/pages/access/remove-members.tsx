import { plural, t } from '@lingui/core/macro';
import { Plural } from '@lingui/react/macro';
import { Button, Skeleton } from '@mantine/core';
import { useState } from 'react';
import { changesOf } from '../../access/chosen.ts';
import { notifyFailure } from '../../api/client.ts';
import { NobodyCarriesOut } from '../../apps/nobody-carries-out.tsx';
import { ActionDialog } from '../../kit/action/action-dialog.tsx';
import type { Bulk } from '../../kit/controls/bulk-job.tsx';
import type { Selection } from '../../kit/table/data-table.tsx';
import { Name } from '../../kit/text/name.tsx';
import { type CreatedTask, tasksCreated } from '../../tasks/tasks-created.ts';
import { createTask } from '../accounts/account.ts';
import { type Entitlement, entitlementName } from './entitlement.ts';
import { type Member, memberName } from './member.ts';

interface Props {
  from: Entitlement;
  of: Selection<Member>;
  begin: (job: Bulk<Member, CreatedTask>) => void;
}

const SHOWN = 10;

/** Takes a group or license away from the selected accounts. Those that have it through something else keep it. */
export function RemoveMembers({ from, of: selection, begin }: Props) {
  const [asked, ask] = useState(false);
  const [members, setMembers] = useState<Member[]>();
  const name = entitlementName(from);
  const open = () => {
    setMembers(undefined);
    ask(true);
    selection
      .rows()
      .then(setMembers)
      .catch((error: unknown) => {
        ask(false);
        notifyFailure(error);
      });
  };
  const direct = members?.filter(({ via }) => via === null) ?? [];
  const start = async (reason: string) => {
    selection.clear();
    begin({
      title: plural(direct.length, {
        one: `Remove # account from ${name}`,
        other: `Remove # accounts from ${name}`,
      }),
      rows: async () => [...direct],
      act: ({ external_uuid }) =>
        createTask({ app: from.app, external_uuid }, 'update_account', {
          changes: changesOf([], [{ ...from, name }]),
          reason: reason || null,
        }),
      outcome: tasksCreated,
      name: memberName,
    });
  };
  const action = {
    title: plural(selection.count, {
      one: `Remove # account from ${name}?`,
      other: `Remove # accounts from ${name}?`,
    }),
    sentence: members === undefined ? <Skeleton height={80} /> : <Preview of={members} direct={direct} />,
    fields: <NobodyCarriesOut appId={from.app.external_uuid} />,
    button: t`Create tasks`,
    comment: t`Reason`,
    danger: true,
    disabled: direct.length === 0,
    request: start,
  };
  return (
    <>
      <Button color="red" variant="outline" onClick={open}>
        {t`Remove`}
      </Button>
      <ActionDialog of={asked ? action : undefined} close={() => ask(false)} />
    </>
  );
}

/** The accounts that lose the access, and those that keep it. */
function Preview({ of: members, direct }: { of: readonly Member[]; direct: readonly Member[] }) {
  const others = members.length - direct.length;
  const more = direct.length - SHOWN;
  return (
    <>
      <p>
        <Plural
          value={direct.length}
          _0="No account has it directly."
          one="# account loses it, and what comes through it."
          other="# accounts lose it, and what comes through it."
        />{' '}
        {t`Gatehouse creates a task for each account.`}
      </p>
      <ul>
        {direct.slice(0, SHOWN).map((member) => (
          <li key={member.external_uuid}>
            <Name of={memberName(member)} />
          </li>
        ))}
        {more > 0 && (
          <li>
            <Plural value={more} one="# more" other="# more" />
          </li>
        )}
      </ul>
      {others > 0 && (
        <p>
          <Plural
            value={others}
            one="# account has it through another group or license, and keeps it."
            other="# accounts have it through another group or license, and keep it."
          />
        </p>
      )}
    </>
  );
}
