import { t } from '@lingui/core/macro';
import { Skeleton } from '@mantine/core';

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
