import { Skeleton, Text } from '@mantine/core';
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
import { localTime } from '../../parts/words.ts';
import { ChangeWord } from './change-word.tsx';
import { Counts } from './compare-counts.tsx';
import type { CompareSearch } from './search.ts';

type Change = Item<'/api/history/compare/'>;
export type Comparing = CompareSearch & { from: string; to: string };

const PAGE = 100;

const changeList = (at: Comparing): CursorList<Change, Answer<'/api/history/compare/'>> => ({
  key: ['/api/history/compare/', at],
  page: (cursor, signal) => load('/api/history/compare/', { query: { ...at, limit: PAGE, cursor } }, signal),
});

const stateWords = ({ type }: Change, state: Change['before']) =>
  state === null ? 'Absent' : type === 'account' ? statusWord(state.status ?? '') : 'Present';

/** Access that a sync first saw between the times was possible before, and access last seen between them may still exist. */
const possibleWords = (row: Change, state: Change['before']) =>
  row.before === null || row.after === null || row.change === 'changed'
    ? stateWords(row, state)
    : `Possibly ${stateWords(row, state).toLowerCase()}`;

const columnsFor = ({ app, user }: Comparing): Column<Change>[] =>
  columns.filter(({ id }) => (id !== 'app' || app === undefined) && (id !== 'person' || user === undefined));

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
    cell: (row) => (row.change === 'added' ? possibleWords : stateWords)(row, row.before),
  },
  {
    id: 'after',
    header: 'After',
    cell: (row) => (row.change === 'removed' ? possibleWords : stateWords)(row, row.after),
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

/** The counts, then the list of changes. */
export function Comparison({ at, go }: Props) {
  const state = useCursorList(changeList(at));
  const { first } = state;
  if (state.error !== null) return <Failure error={state.error} again={state.again} />;
  if (first === undefined) return <Skeleton height={200} />;
  return (
    <>
      <Counts at={at} go={go} />
      <Text size="sm" c="dimmed" component="div" mb="sm">
        Between {localTime(new Date(at.from))} and {localTime(new Date(at.to))}.
        <Syncs of={first.coverage} words={TWO_TIMES} />
      </Text>
      <CursorTable
        label="Changes"
        noun="change"
        state={state}
        columns={columnsFor(at)}
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
