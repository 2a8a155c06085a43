import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Failure } from './failure.tsx';
import { PageHeader } from './page-header.tsx';

interface Props {
  /** The query that reads it. */
  of: { isError: boolean; error: unknown; refetch: () => Promise<unknown> };
  /** The height of the skeleton while it loads. Without it, there is none. */
  height?: number;
}

/** Takes the place of what is not loaded: the error, or a skeleton. */
export function Unready({ of: { isError, error, refetch }, height }: Props) {
  if (isError) return <Failure error={error} again={() => void refetch()} />;
  return height === undefined ? null : <Skeleton height={height} />;
}

/** Takes the place of the page of a thing that is not loaded. */
export function UnreadyPage({ title, above, ...query }: Props & { title: string; above?: ReactNode }) {
  return (
    <>
      <PageHeader title={title} above={above} />
      <Unready {...query} />
    </>
  );
}
