import { plural, t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { type Coverage, csvAddress, type Item, load, type Query } from '../api/client.ts';
import { type CursorList, CursorTable, useCursorList } from '../kit/table/cursor-table.tsx';
import type { Column } from '../kit/table/table-view.tsx';
import { AroundTime, certaintyColumn } from './certainty.tsx';
import { addressAt, type Past, pastQuery } from './past.ts';
import { NothingThen, PastBanner } from './past-banner.tsx';

type Account = Item<'/api/accounts/'>;
type Filter = Pick<Query<'/api/accounts/'>, 'app' | 'status' | 'user'>;

/** The first page is short, so that it loads fast. */
const [FIRST, PAGE] = [50, 200];

const accountsThen = (query: Filter & Past): CursorList<Account> => ({
  key: ['/api/accounts/', query],
  page: async (after, signal) => {
    const page = await load(
      '/api/accounts/',
      { query: { ...query, limit: after === undefined ? FIRST : PAGE, after } },
      signal,
    );
    const next = page.next === null ? null : new URL(page.next).searchParams.get('after');
    return { ...page, next_cursor: next };
  },
});

interface Props {
  at: Past;
  go: (change: Past) => void;
  filter: Filter;
  /** The columns of the list as it is now. */
  columns: readonly Column<Account>[];
  label: string;
  /** Filters above the list. */
  filters?: ReactNode;
}

/** The accounts that existed at an earlier time. */
export function AccountsThen({ at, go, filter, columns, label, filters }: Props) {
  const query = { ...filter, ...pastQuery(at) };
  const state = useCursorList(accountsThen(query));
  const coverage: readonly Coverage[] | undefined = state.first?.coverage;
  return (
    <>
      <PastBanner at={at} go={go} coverage={coverage} />
      {filters}
      <AroundTime value={coverage}>
        <CursorTable
          label={label}
          counted={(n) => plural(n, { one: '# account', other: '# accounts' })}
          state={state}
          columns={columnsThen(columns)}
          href={({ external_uuid }) => addressAt(`/accounts/${external_uuid}`, at)}
          csv={csvAddress('/api/accounts/', query)}
          empty={<NothingThen at={at} coverage={coverage} none={t`No accounts`} />}
        />
      </AroundTime>
    </>
  );
}

/** The past has bounds in place of the time last seen, and one order only. */
const columnsThen = (columns: readonly Column<Account>[]): Column<Account>[] => [
  ...columns.filter(({ id }) => id !== 'last_seen_at'),
  certaintyColumn,
];
