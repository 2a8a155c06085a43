import { t } from '@lingui/core/macro';
import { Button, Group, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { RowData } from '@tanstack/react-table';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Coverage } from '../../api/client.ts';
import { Failure } from '../controls/failure.tsx';
import { IconDownload } from '../icons/icons.ts';
import type { TableViewProps } from './column.ts';
import { TableView } from './table-view.tsx';

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
    // The past rarely changes, and comparing thousands of rows takes long.
    structuralSharing: false,
    refetchOnWindowFocus: false,
  });
  const { data, hasNextPage, isFetching, fetchNextPage } = pages;
  const rows = useMemo(() => data?.pages.flatMap(({ results }) => results), [data]);
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
  /** "1 account", "1,204 accounts" */
  counted: (value: number) => string;
  /** The address of the list as CSV. */
  csv: string;
}

/** A list without a total count, which grows on demand: once someone has asked for more, whenever its end comes into view. */
export function CursorTable<T extends RowData>(props: Props<T>) {
  const { state, counted, csv, ...view } = props;
  const { rows, error, again, hasMore, isLoadingMore, more } = state;
  const [follows, setFollows] = useState(false);
  const end = useRef<HTMLDivElement>(null);
  const isWaiting = follows && hasMore && !isLoadingMore;
  const load = useRef(more);
  load.current = more;
  useEffect(() => {
    if (!isWaiting || end.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) load.current();
      },
      { rootMargin: '600px' },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isWaiting]);
  if (error !== null) return <Failure error={error} again={again} />;
  const count = counted(rows?.length ?? 0);
  return (
    <>
      <TableView {...view} rows={rows} hasMore={hasMore} />
      {rows !== undefined && rows.length > 0 && (
        <Group ref={end} justify="space-between" mt="xs" gap="xs">
          <Text size="sm" c="dimmed">
            {hasMore ? t`${count} shown, there are more` : count}
          </Text>
          <Group gap="xs">
            <ExportLink address={csv} />
            {hasMore && (
              <Button
                variant="default"
                loading={isLoadingMore}
                onClick={() => {
                  setFollows(true);
                  more();
                }}
              >
                {t`Show more`}
              </Button>
            )}
          </Group>
        </Group>
      )}
    </>
  );
}

/** Downloads a list that the server exports. The browser streams it to a file, whatever its size. */
function ExportLink({ address }: { address: string }) {
  return (
    <Button
      component="a"
      variant="default"
      href={address}
      download
      leftSection={<IconDownload size={15} aria-hidden />}
    >
      {t`Export CSV`}
    </Button>
  );
}
