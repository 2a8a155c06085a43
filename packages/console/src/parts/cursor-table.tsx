import { Button, Group, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { RowData } from '@tanstack/react-table';
import { useEffect } from 'react';
import type { Coverage } from '../api/client.ts';
import { ExportLink } from './export-link.tsx';
import { Failure } from './failure.tsx';
import { TableView, type TableViewProps } from './table-view.tsx';
import { counted } from './words.ts';

interface CursorPage<T> {
  results: T[];
  next_cursor?: string | null | undefined;
  coverage?: readonly Coverage[] | undefined;
}

/** A list of the API that is read with cursors. A CursorTable shows one. */
export interface CursorList<T, P extends CursorPage<T> = CursorPage<T>> {
  key: readonly unknown[];
  page(cursor: string | undefined, signal?: AbortSignal): Promise<P>;
}

/** Reads the first page of a list, and more on demand. */
export function useCursorList<T, P extends CursorPage<T>>(list: CursorList<T, P>, enabled = true) {
  const pages = useInfiniteQuery({
    queryKey: [...list.key, 'pages'],
    queryFn: ({ pageParam, signal }) => list.page(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    enabled,
  });
  const { data, hasNextPage, isFetching, fetchNextPage } = pages;
  const rows = data?.pages.flatMap(({ results }) => results);
  // A page can be empty although more follow.
  const isEmptySoFar = rows?.length === 0 && hasNextPage;
  useEffect(() => {
    if (isEmptySoFar && !isFetching) void fetchNextPage();
  }, [isEmptySoFar, isFetching, fetchNextPage]);
  return {
    rows: isEmptySoFar ? undefined : rows,
    first: data?.pages[0],
    pages: data?.pages ?? [],
    error: data === undefined ? pages.error : null,
    again: () => void pages.refetch(),
    hasMore: hasNextPage,
    isLoadingMore: pages.isFetchingNextPage,
    more: () => void fetchNextPage(),
  };
}

interface Props<T> extends Omit<TableViewProps<T>, 'rows' | 'selection' | 'stale'> {
  /** The result of `useCursorList`. */
  state: Omit<ReturnType<typeof useCursorList<T, CursorPage<T>>>, 'first' | 'pages'>;
  /** "account" */
  noun: string;
  /** The address of the list as CSV. */
  csv: string;
}

/** A list without a total count, which grows on demand. */
export function CursorTable<T extends RowData>(props: Props<T>) {
  const { state, noun, csv, ...view } = props;
  const { rows, error, again } = state;
  if (error !== null) return <Failure error={error} again={again} />;
  return (
    <>
      <TableView {...view} rows={rows} />
      {rows !== undefined && rows.length > 0 && (
        <Group justify="space-between" mt="xs" gap="xs">
          <Text size="sm" c="dimmed">
            {counted(rows.length, noun)}
            {state.hasMore && ' shown, there are more'}
          </Text>
          <Group gap="xs">
            <ExportLink address={csv} />
            {state.hasMore && (
              <Button variant="default" loading={state.isLoadingMore} onClick={state.more}>
                Show more
              </Button>
            )}
          </Group>
        </Group>
      )}
    </>
  );
}
