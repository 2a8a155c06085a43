import { t } from '@lingui/core/macro';
import { Button, Group, Text } from '@mantine/core';
import { keepPreviousData, queryOptions, replaceEqualDeep, useQuery } from '@tanstack/react-query';
import { useMatch } from '@tanstack/react-router';
import type { RowData, RowSelectionState } from '@tanstack/react-table';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { everything, type List, type PageOf } from '../../api/client.ts';
import { Empty } from '../controls/empty.tsx';
import { ExportButton } from '../controls/export-button.tsx';
import { Failure } from '../controls/failure.tsx';
import { IconChevronLeft, IconChevronRight } from '../icons/icons.ts';
import { saveCsv } from '../text/csv.ts';
import { grouped } from '../text/words.ts';
import { type Column, idOf, type TableViewProps } from './column.ts';
import classes from './data-table.module.css';
import { useSelectedKeys } from './table-keys.ts';
import { TableView } from './table-view.tsx';

/** The selected rows: individual ones, or all that match the filters. */
export interface Selection<T> {
  count: number;
  /** Returns the rows. Loads them if all matching rows are selected. */
  rows: () => Promise<T[]>;
  clear: () => void;
}

export interface DataTableProps<T> extends Omit<TableViewProps<T>, 'rows' | 'selection' | 'stale'> {
  /** `list('/api/apps/', { query: { q } })` */
  list: List<T>;
  /** The page number in the address; 1 is the first. */
  page: number | undefined;
  onPage: (page: number | undefined) => void;
  pageSize?: number;
  /** "1 account", "1,204 accounts" */
  counted: (value: number) => string;
  /** Actions on selected rows. Makes rows selectable. */
  actions?: ((selection: Selection<T>) => ReactNode) | false | undefined;
  /** Shortcuts that concern all selected rows, once some are selected, instead of the focused one. */
  selectedKeys?: Readonly<Record<string, (selection: Selection<T>) => void>>;
  /** The exported file's name without its extension. Columns with `csv` are exported. */
  csv?: string;
  /** Columns that only the export has. */
  exported?: readonly Column<T>[];
  /** The interval at which to reload, in milliseconds. */
  every?: number | undefined;
}

/** The server stops counting here: counting further would cost more than reading the page. */
const COUNTED = 10_000;

/** Returns the `useQuery` options for a page of a table. */
export const pageQuery = <T,>(list: List<T>, page = 1, pageSize = 50) =>
  queryOptions({
    queryKey: [...list.key, { page, pageSize }],
    queryFn: ({ signal }) =>
      list.page({ limit: pageSize, offset: (page - 1) * pageSize, count_to: COUNTED }, signal),
    placeholderData: keepPreviousData,
    ...(list.keep !== undefined && { structuralSharing: keepRows(list.keep), gcTime: 0 }),
  });

const keepRows =
  <T,>(keep: NonNullable<List<T>['keep']>) =>
  (shown: unknown, next: unknown) =>
    replaceEqualDeep(shown, shown === undefined ? next : keep(shown as PageOf<T>, next as PageOf<T>));

/** A list of the API, which the server filters, sorts and pages. With selection, export and keyboard shortcuts. */
export function DataTable<T extends RowData>(props: DataTableProps<T>) {
  const { list, page = 1, onPage, pageSize = 50, counted, csv, every, rowId = idOf, ...rest } = props;
  const { exported = [], actions: offered, selectedKeys, ...view } = rest;
  const actions = offered === false ? undefined : offered;
  // A list looks different on different pages.
  const routeId = useMatch({ strict: false, select: (match) => match.routeId });
  const query = useQuery({ ...pageQuery(list, page, pageSize), refetchInterval: every ?? false });
  const top = useRef<HTMLDivElement>(null);
  const turn = (next: number | undefined) => {
    onPage(next);
    top.current?.scrollIntoView();
  };
  const { count, more = false } = query.data ?? {};
  const selection = useSelection(list, query.data?.results, count, rowId);
  const keys = useSelectedKeys(top, view.keys, selectedKeys, selection);

  if (query.isError && query.data === undefined) {
    return <Failure error={query.error} again={() => void query.refetch()} />;
  }
  const pages = Math.max(1, Math.ceil((count ?? 0) / pageSize));
  const few = count !== undefined && count <= pageSize;
  const isPastEnd = query.data?.results.length === 0 && page > 1 && !query.isPlaceholderData;
  return (
    <div ref={top} className={classes.list}>
      {actions !== undefined && selection.count > 0 && (
        <Group gap="xs" mb="xs" className={classes.bulk} role="group" aria-label={t`Selected rows`}>
          <Text size="sm" fw={600} role="status">
            {selectedWords(selection.count, selection.all && more)}
          </Text>
          {selection.selectAll !== undefined && !few && count !== undefined && (
            <Button variant="subtle" onClick={selection.selectAll}>
              {selectAllWords(count, more)}
            </Button>
          )}
          {actions(selection)}
          <Button variant="subtle" color="gray" onClick={selection.clear}>
            {t`Clear selection`}
          </Button>
        </Group>
      )}
      <TableView
        name={`${routeId} ${list.key[0]}`}
        {...view}
        rowId={rowId}
        rows={query.data?.results}
        stale={query.isPlaceholderData}
        {...(isPastEnd
          ? { empty: <PastEnd page={page} last={pages} open={() => turn(pages === 1 ? undefined : pages)} /> }
          : {})}
        {...(actions === undefined ? {} : { selection: { value: selection.value, set: selection.set } })}
        {...keys}
      />
      {count !== undefined && (count > 0 || page > 1) && (
        <Group justify="space-between" mt="xs" gap="xs">
          <Text size="sm" c="dimmed">
            {countWords(counted(count), more, pages > 1 && !isPastEnd ? [page, pages] : undefined)}
          </Text>
          <Group gap="xs">
            {csv !== undefined && (
              <ExportButton save={() => saveCsv(csv, [...view.columns, ...exported], everything(list))} />
            )}
            {pages > 1 && !isPastEnd && (
              <>
                <Button
                  variant="default"
                  disabled={page <= 1}
                  leftSection={<IconChevronLeft size={15} aria-hidden />}
                  onClick={() => turn(page === 2 ? undefined : Math.min(page - 1, pages))}
                >
                  {t`Previous`}
                </Button>
                <Button
                  variant="default"
                  disabled={page >= pages && !more}
                  rightSection={<IconChevronRight size={15} aria-hidden />}
                  onClick={() => turn(page + 1)}
                >
                  {t`Next`}
                </Button>
              </>
            )}
          </Group>
        </Group>
      )}
    </div>
  );
}

/** Shown for a page after the last one, as an old or edited address may name it. */
function PastEnd({ page, last, open }: { page: number; last: number; open: () => void }) {
  const [missing, final] = [grouped(page), grouped(last)];
  return (
    <Empty
      title={t`Page ${missing} does not exist`}
      actions={<Button onClick={open}>{last === 1 ? t`Show the list` : t`Go to page ${final}`}</Button>}
    >
      {last === 1 ? t`The list has one page.` : t`The last page is page ${final}.`}
    </Empty>
  );
}

function selectedWords(selected: number, more: boolean): string {
  const count = grouped(selected);
  return more ? t`more than ${count} selected` : t`${count} selected`;
}

function selectAllWords(matching: number, more: boolean): string {
  const count = grouped(matching);
  return more ? t`Select all more than ${count} matching` : t`Select all ${count} matching`;
}

/** "more than 10,000 accounts, page 2 of more than 200" */
function countWords(counted: string, more: boolean, at: [page: number, pages: number] | undefined): string {
  if (at === undefined) return more ? t`more than ${counted}` : counted;
  const [page, pages] = [grouped(at[0]), grouped(at[1])];
  return more
    ? t`more than ${counted}, page ${page} of more than ${pages}`
    : t`${counted}, page ${page} of ${pages}`;
}

function useSelection<T>(
  list: List<T>,
  rows: readonly T[] | undefined,
  count: number | undefined,
  rowId: (row: T) => string,
) {
  const [some, setSome] = useState<RowSelectionState>({});
  /** If all matching rows are selected, also on pages that are not loaded: those that are not. */
  const [except, setExcept] = useState<ReadonlySet<string>>();
  const seen = useRef(new Map<string, T>());
  for (const row of rows ?? []) seen.current.set(rowId(row), row);
  const clear = () => {
    setSome({});
    setExcept(undefined);
  };
  const filters = JSON.stringify(list.key);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other filters make another list, so the selection no longer applies.
  useEffect(clear, [filters]);
  const onPage = (rows ?? []).map(rowId);
  if (except === undefined) {
    const ids = Object.keys(some);
    return {
      value: some,
      set: setSome,
      all: false,
      selectAll: () => setExcept(new Set()),
      count: ids.length,
      rows: async () => ids.flatMap((id) => seen.current.get(id) ?? []),
      clear,
    };
  }
  return {
    value: Object.fromEntries(onPage.filter((id) => !except.has(id)).map((id) => [id, true as const])),
    set: (next: RowSelectionState) => {
      const elsewhere = [...except].filter((id) => !onPage.includes(id));
      const leftOut = new Set([...elsewhere, ...onPage.filter((id) => next[id] !== true)]);
      if (leftOut.size < (count ?? 0)) setExcept(leftOut);
      else clear();
    },
    all: true,
    selectAll: except.size === 0 ? undefined : () => setExcept(new Set()),
    count: Math.max(0, (count ?? 0) - except.size),
    rows: async () => {
      const matching = await Array.fromAsync(everything(list));
      return matching.filter((row) => !except.has(rowId(row)));
    },
    clear,
  };
}
