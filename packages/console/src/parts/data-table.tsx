import { Button, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { RowData, RowSelectionState } from '@tanstack/react-table';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { everything, type List } from '../api/client.ts';
import { saveCsv } from './csv.ts';
import { ExportButton } from './export-button.tsx';
import { Failure } from './failure.tsx';
import { TableView, type TableViewProps } from './table-view.tsx';
import { counted, grouped } from './words.ts';

/** Rows that a person has chosen: some of them, or all that match the filters. */
export interface Selection<T> {
  count: number;
  /** The rows themselves; reads them all where all that match are chosen. */
  rows: () => Promise<T[]>;
  clear: () => void;
}

interface Props<T> extends Omit<TableViewProps<T>, 'rows' | 'selection' | 'stale'> {
  /** `list('/api/apps/', { query: { q } })` */
  list: List<T>;
  /** 1 is the first; from the address. */
  page: number | undefined;
  onPage: (page: number | undefined) => void;
  pageSize?: number;
  /** "account"; its plural adds an s unless `nouns` says otherwise. */
  noun: string;
  nouns?: string;
  /** What can be done with chosen rows; makes rows choosable. */
  actions?: (selection: Selection<T>) => ReactNode;
  /** The exported file's name without its ending; columns with `csv` are in it. */
  csv?: string;
  /** Reads again every so many milliseconds. */
  every?: number | undefined;
}

/** More rows than this are not counted: that would cost more than reading the page. */
const COUNTED = 10_000;

/** One list of the API: filtered, sorted and paged by the server, with choosing, export and keys. */
export function DataTable<T extends RowData>(props: Props<T>) {
  const { list, page = 1, onPage, pageSize = 50, noun, nouns, actions, csv, every, rowId, ...view } = props;
  const query = useQuery({
    queryKey: [...list.key, { page, pageSize }],
    queryFn: ({ signal }) =>
      list.page({ limit: pageSize, offset: (page - 1) * pageSize, count_to: COUNTED }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: every ?? false,
  });
  const { count, more = false } = query.data ?? {};
  const chosen = useSelection(list, query.data?.results, count, rowId);

  if (query.isError && query.data === undefined) {
    return <Failure error={query.error} again={() => void query.refetch()} />;
  }
  const pages = Math.max(1, Math.ceil((count ?? 0) / pageSize));
  const few = count !== undefined && count <= pageSize;
  return (
    <>
      {actions !== undefined && chosen.count > 0 && (
        <Group gap="xs" mb="xs" role="group" aria-label="Chosen rows">
          <Text size="sm" fw={600} role="status">
            {atLeast(grouped(chosen.count), chosen.all && more)} chosen
          </Text>
          {!chosen.all && !few && count !== undefined && (
            <Button variant="subtle" onClick={chosen.chooseAll}>
              Choose all {atLeast(grouped(count), more)} that match
            </Button>
          )}
          {actions(chosen)}
          <Button variant="subtle" color="gray" onClick={chosen.clear}>
            Choose none
          </Button>
        </Group>
      )}
      <TableView
        {...view}
        rowId={rowId}
        rows={query.data?.results}
        stale={query.isPlaceholderData}
        {...(actions === undefined ? {} : { selection: { value: chosen.value, set: chosen.set } })}
      />
      {count !== undefined && (count > 0 || page > 1) && (
        <Group justify="space-between" mt="xs" gap="xs">
          <Text size="sm" c="dimmed">
            {atLeast(counted(count, noun, nouns), more)}
            {pages > 1 && `, page ${grouped(page)} of ${atLeast(grouped(pages), more)}`}
          </Text>
          <Group gap="xs">
            {csv !== undefined && <ExportButton save={() => saveCsv(csv, view.columns, everything(list))} />}
            {(pages > 1 || page > 1) && (
              <>
                <Button
                  variant="default"
                  disabled={page <= 1}
                  leftSection={<IconChevronLeft size={15} aria-hidden />}
                  onClick={() => onPage(page === 2 ? undefined : Math.min(page - 1, pages))}
                >
                  Previous
                </Button>
                <Button
                  variant="default"
                  disabled={page >= pages && !more}
                  rightSection={<IconChevronRight size={15} aria-hidden />}
                  onClick={() => onPage(page + 1)}
                >
                  Next
                </Button>
              </>
            )}
          </Group>
        </Group>
      )}
    </>
  );
}

const atLeast = (count: string, more: boolean) => (more ? `more than ${count}` : count);

function useSelection<T>(
  list: List<T>,
  rows: readonly T[] | undefined,
  count: number | undefined,
  rowId: (row: T) => string,
) {
  const [value, setValue] = useState<RowSelectionState>({});
  const [all, setAll] = useState(false);
  const seen = useRef(new Map<string, T>());
  for (const row of rows ?? []) seen.current.set(rowId(row), row);
  const clear = () => {
    setValue({});
    setAll(false);
  };
  const filters = JSON.stringify(list.key);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other filters are another list; what was chosen is gone.
  useEffect(clear, [filters]);
  const some = Object.keys(value);
  return {
    value,
    set: (next: RowSelectionState) => {
      setValue(next);
      setAll(false);
    },
    all,
    chooseAll: () => {
      setValue(Object.fromEntries([...seen.current.keys()].map((id) => [id, true as const])));
      setAll(true);
    },
    count: all ? (count ?? 0) : some.length,
    rows: async () => {
      if (all) return Array.fromAsync(everything(list));
      return some.flatMap((id) => seen.current.get(id) ?? []);
    },
    clear,
  };
}
