import { Skeleton, Text } from '@mantine/core';
import { IconMinus, IconPencil, IconPlus } from '@tabler/icons-react';
import { type Answer, csvAddress, type Item, load } from '../../api/client.ts';
import { Certainty } from '../../parts/certainty.tsx';
import { type CursorList, CursorTable, useCursorList } from '../../parts/cursor-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { addressAt } from '../../parts/past.ts';
import { Syncs, type SyncWords } from '../../parts/past-banner.tsx';
import { accountLabel } from '../../parts/periods.ts';
import { PersonName } from '../../parts/person.tsx';
import { statusWord } from '../../parts/status.tsx';
import type { Column } from '../../parts/table-view.tsx';
import { grouped, localTime } from '../../parts/words.ts';
import classes from './compare.module.css';
import { CHANGES, type ChangeKind, type CompareSearch } from './search.ts';

type Change = Item<'/api/history/compare/'>;
type Comparing = CompareSearch & { from: string; to: string };

const PAGE = 100;

const changeList = (at: Comparing): CursorList<Change, Answer<'/api/history/compare/'>> => ({
  key: ['/api/history/compare/', at],
  page: (cursor, signal) => load('/api/history/compare/', { query: { ...at, limit: PAGE, cursor } }, signal),
});

const LOOKS = {
  added: ['Added', IconPlus],
  removed: ['Removed', IconMinus],
  changed: ['Changed', IconPencil],
} as const satisfies Record<ChangeKind, unknown>;

function ChangeWord({ of }: { of: ChangeKind }) {
  const [word, Icon] = LOOKS[of];
  return (
    <span className={classes.change} data-change={of}>
      <Icon size={15} aria-hidden />
      {word}
    </span>
  );
}

const stateWords = ({ type }: Change, state: Change['before']) =>
  state === null ? 'Absent' : type === 'account' ? statusWord(state.status ?? '') : 'Present';

const columns: Column<Change>[] = [
  {
    id: 'account',
    header: 'Account',
    cell: ({ account }) => accountLabel(account),
  },
  {
    id: 'change',
    header: 'Change',
    cell: ({ change }) => <ChangeWord of={change} />,
  },
  {
    id: 'access',
    header: 'Access',
    cell: ({ resource }) =>
      resource === null
        ? 'Account'
        : `${resource.name || resource.id} (${resource.type === 'license' ? 'license' : 'group'})`,
  },
  { id: 'app', header: 'App', cell: ({ app }) => app.name, csv: ({ app }) => app.name },
  {
    id: 'person',
    header: 'Person',
    cell: ({ user }) => <PersonName id={user} none="Not linked" />,
  },
  {
    id: 'before',
    header: 'Before',
    cell: (row) => stateWords(row, row.before),
  },
  {
    id: 'after',
    header: 'After',
    cell: (row) => stateWords(row, row.after),
  },
  {
    id: 'certainty',
    header: 'Certainty',
    cell: ({ certainty }) => <Certainty of={certainty} />,
  },
];

const TWO_TIMES: SyncWords = {
  title: 'Syncs before the first time and after the second',
  moment: 'at the first time',
  before: 'last sync before the first time',
  after: 'first sync after the second time',
  none: 'no sync after the second time',
  unknown: ({ app }) =>
    `Gatehouse knows nothing about ${app.name} at the first time. Access that seems added may be older.`,
};

interface Props {
  at: Comparing;
  go: (change: CompareSearch) => void;
}

/** The counts, and the list of changes. */
export function Comparison({ at, go }: Props) {
  const state = useCursorList(changeList(at));
  const { first, pages } = state;
  if (state.error !== null) return <Failure error={state.error} again={state.again} />;
  if (first === undefined) return <Skeleton height={200} />;
  return (
    <>
      <Counts of={pages} at={at} go={go} />
      <Text size="sm" c="dimmed" component="div" mb="sm">
        Between {localTime(new Date(at.from))} and {localTime(new Date(at.to))}.
        <Syncs of={first.coverage} words={TWO_TIMES} />
      </Text>
      <CursorTable
        label="Changes"
        noun="change"
        state={state}
        columns={columns}
        rowId={({ type, account, resource }) =>
          [type, account.id, resource?.type, resource?.slug, resource?.id].join(' ')
        }
        href={({ account, change }) =>
          addressAt(`/accounts/${account.id}`, { as_of: change === 'removed' ? at.from : at.to })
        }
        csv={csvAddress('/api/history/compare/', at)}
        empty={
          <Empty title={at.change === undefined ? 'Nothing changed' : `Nothing was ${at.change}`}>
            {at.change === undefined && 'The access at both times is the same.'}
          </Empty>
        }
      />
    </>
  );
}

interface CountsProps extends Props {
  of: readonly Answer<'/api/history/compare/'>[];
}

/** The number of changes of each kind. Pressing one filters the list. */
function Counts({ of, at, go }: CountsProps) {
  // Each page counts its own accounts.
  const sum = (change: ChangeKind) => of.reduce((total, { counts }) => total + counts[change], 0);
  const more = of.at(-1)?.counts_more === true ? 'at least ' : '';
  return (
    <fieldset className={classes.counts} aria-label="Changes by kind">
      {CHANGES.map((change) => (
        <button
          key={change}
          type="button"
          aria-pressed={at.change === change}
          onClick={() => go({ change: at.change === change ? undefined : change })}
        >
          <strong>
            {more}
            {grouped(sum(change))}
          </strong>
          <ChangeWord of={change} />
        </button>
      ))}
    </fieldset>
  );
}
