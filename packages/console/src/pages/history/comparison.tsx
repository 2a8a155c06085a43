import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton, Text } from '@mantine/core';
import { EntitlementLink } from '../../access/entitlement-link.tsx';
import { type Answer, csvAddress, type Item, load } from '../../api/client.ts';
import { Certainty } from '../../history/certainty.tsx';
import { ChangeWord } from '../../history/change-word.tsx';
import { addressAt } from '../../history/past.ts';
import { Syncs } from '../../history/past-banner.tsx';
import { accountLabel } from '../../history/periods.ts';
import { Email } from '../../kit/controls/email.tsx';
import { Empty } from '../../kit/controls/empty.tsx';
import { Failure } from '../../kit/controls/failure.tsx';
import { statusWord } from '../../kit/controls/status.tsx';
import * as column from '../../kit/table/columns.tsx';
import { type CursorList, CursorTable, useCursorList } from '../../kit/table/cursor-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { localTime } from '../../kit/text/words.ts';
import { formatTag } from '../../language/language.ts';
import { PersonName } from '../../people/person.tsx';
import { Counts } from './compare-counts.tsx';
import type { CompareSearch, Comparing } from './search.ts';

type Change = Item<'/api/history/compare/'>;

const PAGE = 100;

const changeList = (at: Comparing): CursorList<Change, Answer<'/api/history/compare/'>> => ({
  key: ['/api/history/compare/', at],
  page: (cursor, signal) => load('/api/history/compare/', { query: { ...at, limit: PAGE, cursor } }, signal),
});

const stateWords = ({ type }: Change, state: Change['before']) =>
  state === null ? t`Absent` : type === 'account' ? statusWord(state.status ?? '') : t`Present`;

function possiblyWords(row: Change, state: Change['before']): string {
  if (state === null) return t`Possibly absent`;
  const status = stateWords(row, state).toLocaleLowerCase(formatTag);
  return row.type === 'account' ? t`Possibly ${status}` : t`Possibly present`;
}

/** Access that a sync first saw between the times was possible before, and access last seen between them may still exist. */
const possibleWords = (row: Change, state: Change['before']) =>
  row.before === null || row.after === null || row.change === 'changed'
    ? stateWords(row, state)
    : possiblyWords(row, state);

/** When the access of a row existed. */
const timeOf = ({ change }: Change, { from, to }: Comparing) => ({ as_of: change === 'removed' ? from : to });

function Access({ row, at }: { row: Change; at: Comparing }) {
  if (row.resource === null) return t`Account`;
  const name = <EntitlementLink of={row.resource} appId={row.app.id} at={timeOf(row, at)} />;
  return row.resource.type === 'license' ? <Trans>{name} (license)</Trans> : <Trans>{name} (group)</Trans>;
}

const NOTHING = {
  added: t`Nothing was added`,
  removed: t`Nothing was removed`,
  changed: t`Nothing was changed`,
} satisfies Record<Change['change'], string>;

const columnsFor = (at: Comparing): Column<Change>[] =>
  columnsAt(at).filter(
    ({ id }) => (id !== 'app' || at.app === undefined) && (id !== 'person' || at.user === undefined),
  );

const columnsAt = (at: Comparing): Column<Change>[] => [
  column.cell('account', t`Account`, ({ account }) => <Email of={accountLabel(account)} />),
  column.cell('change', t({ message: 'Change', context: 'a difference' }), ({ change }) => (
    <ChangeWord of={change} />
  )),
  column.cell('access', t`Access`, (row) => <Access row={row} at={at} />),
  column.text('app', t`App`, ({ app }) => app.name),
  column.cell('person', t`Person`, ({ user }) => <PersonName id={user} />),
  column.cell('before', t`Before`, (row) =>
    (row.change === 'added' ? possibleWords : stateWords)(row, row.before),
  ),
  column.cell('after', t`After`, (row) =>
    (row.change === 'removed' ? possibleWords : stateWords)(row, row.after),
  ),
  column.cell('certainty', t`When`, ({ certainty }) =>
    certainty === 'possible' ? <Certainty of={certainty} /> : t`Between the two times`,
  ),
];

/** The counts, then the list of changes. */
export function Comparison({ at, go }: { at: Comparing; go: (change: CompareSearch) => void }) {
  const state = useCursorList(changeList(at));
  const { first } = state;
  if (state.error !== null) return <Failure error={state.error} again={state.again} />;
  if (first === undefined) return <Skeleton height={200} />;
  const from = localTime(new Date(at.from));
  const to = localTime(new Date(at.to));
  return (
    <>
      <Counts at={at} go={go} />
      <Text size="sm" c="dimmed" component="div" mb="sm">
        {t`Between ${from} and ${to}.`}
        <Syncs of={first.coverage} times="two" />
      </Text>
      <CursorTable
        label={t`Changes`}
        counted={(n) => plural(n, { one: '# change', other: '# changes' })}
        state={state}
        columns={columnsFor(at)}
        rowId={({ type, account, resource }) =>
          [type, account.id, resource?.type, resource?.slug, resource?.id].join(' ')
        }
        href={(row) => addressAt(`/accounts/${row.account.id}`, timeOf(row, at))}
        csv={csvAddress('/api/history/compare/', at)}
        empty={
          <Empty title={at.change === undefined ? t`Nothing changed` : NOTHING[at.change]}>
            {at.change === undefined && t`The access at both times is the same.`}
          </Empty>
        }
      />
    </>
  );
}
