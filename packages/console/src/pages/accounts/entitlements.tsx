import { Empty } from '../../parts/empty.tsx';
import { TaskLink } from '../../parts/event-links.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import { type Chosen, keyOf } from '../../parts/resource-picker.tsx';
import { type Column, TableView } from '../../parts/table-view.tsx';
import { personName } from '../../parts/words.ts';
import { typeWord } from '../tasks/task.ts';
import type { Account } from './account.ts';
import type { Task } from './origins.ts';

type Held = Chosen & { granted_at: string; task: Task | undefined; appId: string };

const columns: Column<Held>[] = [
  { id: 'name', header: 'Name', cell: ({ name, id }) => name || id },
  {
    id: 'type',
    header: 'What',
    cell: ({ type, slug }) =>
      `${type === 'license' ? 'License' : 'Group'}${slug === type ? '' : ` (${slug})`}`,
  },
  {
    id: 'since',
    header: 'Since',
    cell: ({ granted_at }) => <Moment at={granted_at} />,
  },
  { id: 'origin', header: 'Where it came from', cell: (held) => <Where {...held} /> },
];

interface Props {
  account: Account;
  originOf: (slug: string, id: string) => Task | undefined;
}

/** The groups and licenses of an account, and where each came from. */
export function Entitlements({ account, originOf }: Props) {
  const { memberships, assignments } = account;
  const rows = [['group', memberships] as const, ['license', assignments] as const].flatMap(([type, all]) =>
    Object.entries(all).flatMap(([slug, refs]) =>
      refs.map((ref) => ({
        ...ref,
        slug,
        type,
        task: originOf(slug, ref.id),
        appId: account.app.external_uuid,
      })),
    ),
  );
  return (
    <TableView
      label="Groups and licenses"
      columns={columns}
      rows={rows}
      rowId={keyOf}
      empty={<Empty title="No group and no license">The account itself is all that it has.</Empty>}
    />
  );
}

function Where({ task, appId }: Held) {
  if (task !== undefined) return <Decision of={task} />;
  return (
    <TextLink to="/apps/$appId" params={{ appId }} search={{ tab: 'syncs' }}>
      A sync found it
    </TextLink>
  );
}

/** The decision that made a task, as a link to where it is told. */
export function Decision({ of: { external_uuid, source, reason, creator, task_type } }: { of: Task }) {
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
  const whose = creator === null ? kind : `${kind}, ${personName(creator)}`;
  return <TaskLink id={external_uuid}>{reason === null ? whose : `${whose}: ${reason}`}</TaskLink>;
}
