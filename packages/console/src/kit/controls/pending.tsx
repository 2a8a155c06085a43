import { t } from '@lingui/core/macro';
import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';

/** Stands for a value that is still loading, so that a page does not say "None" before it knows. */
export const Pending = ({ width = 90 }: { width?: number }) => (
  <Skeleton
    component="span"
    role="img"
    aria-label={t`Loading`}
    display="inline-block"
    height={12}
    width={width}
  />
);

interface Props<T> {
  /** Undefined while it loads, null if there is none. */
  of: T | null | undefined;
  none: ReactNode;
  children: (value: T) => ReactNode;
}

/** Draws a value that was read, or says that there is none. While it loads, says neither. */
export function Known<T>({ of, none, children }: Props<T>) {
  if (of === undefined) return <Pending />;
  return of === null ? none : children(of);
}
