import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type Chosen, keyOf } from '../../access/chosen.ts';
import { type Giver, Through } from '../../access/through.tsx';
import { TaskLink } from '../../events/event-links.tsx';
import { Empty } from '../../kit/controls/empty.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { Known } from '../../kit/controls/pending.tsx';
import { type Column, TableView } from '../../kit/table/table-view.tsx';
import { personName } from '../../kit/text/words.ts';
import { typeWord } from '../tasks/task.ts';
import type { Account } from './account.ts';
import type { Task } from './granting-tasks.ts';

type Held = Chosen & { granted_at: string; via?: Giver | null; task: Task | null | undefined; appId: string };

const columns: Column<Held>[] = [
  {
    id: 'name',
    header: t`Name`,
    cell: ({ name, id, via, appId }) => (
      <>
        {name || id}
        <Through appId={appId} via={via} />
      </>
    ),
  },
  {
    id: 'type',
    header: t`Type`,
    cell: ({ type, slug }) =>
      `${type === 'license' ? t`License` : t`Group`}${slug === type ? '' : ` (${slug})`}`,
  },
  {
    id: 'since',
    header: t`Since`,
    cell: ({ granted_at }) => <Moment at={granted_at} />,
  },
  { id: 'origin', header: t`Granted by`, cell: (held) => <GrantedBy {...held} /> },
];

interface Props {
  account: Account;
  grantingTask: (slug: string, id: string) => Task | null | undefined;
}

/** The groups and licenses of an account, and who or what granted each. */
export function Entitlements({ account, grantingTask }: Props) {
  const { memberships, assignments } = account;
  const rows = [['group', memberships] as const, ['license', assignments] as const].flatMap(([type, all]) =>
    Object.entries(all).flatMap(([slug, refs]) =>
      refs.map((ref) => ({
        ...ref,
        slug,
        type,
        task: grantingTask(slug, ref.id),
        appId: account.app.external_uuid,
      })),
    ),
  );
  return (
    <TableView
      label={t`Groups and licenses`}
      columns={columns}
      rows={rows}
      rowId={keyOf}
      empty={<Empty title={t`This account has no groups or licenses`} />}
    />
  );
}

function GrantedBy({ task, appId }: Held) {
  const sync = (
    <TextLink to="/apps/$appId" params={{ appId }} search={{ tab: 'syncs' }}>
      <Trans>Discovered by sync</Trans>
    </TextLink>
  );
  return (
    <Known of={task} none={sync}>
      {(granting) => <TaskSource task={granting} />}
    </Known>
  );
}

/** A link to the request or policy that created a task, or else to the task itself. */
export function TaskSource({ task: { external_uuid, source, reason, creator, task_type } }: { task: Task }) {
  const kind = typeWord(task_type);
  if (source?.type === 'ticket') {
    return (
      <TextLink to="/requests/$ticketId" params={{ ticketId: source.id }}>
        {reason ?? kind}
      </TextLink>
    );
  }
  if (source?.type === 'policy') {
    return (
      <TextLink to="/policies/$policyId" params={{ policyId: source.id }}>
        {reason ?? kind}
      </TextLink>
    );
  }
  const label = creator === null ? kind : `${kind}, ${personName(creator)}`;
  return <TaskLink id={external_uuid}>{reason === null ? label : `${label}: ${reason}`}</TaskLink>;
}
