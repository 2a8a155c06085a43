import { t } from '@lingui/core/macro';
import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMe } from '../api/me.ts';
import { ButtonLink } from '../kit/controls/links.tsx';
import { AsOf } from './as-of.tsx';
import type { Past } from './past.ts';

interface Props {
  /** A person, an app, or one of its groups or licenses. */
  of: { user: string } | { app: string; slug?: string | undefined; resource?: string | undefined };
  at: Past;
  go: (change: Past) => void;
  /** Further controls, at the start. */
  children?: ReactNode;
}

/** Selects the time that a list shows, and leads to the comparison of two times. */
export function PastControls({ of, at, go, children }: Props) {
  const { readsAll } = useMe();
  return (
    <Group gap="xs" mb="sm" justify="flex-end">
      {children}
      {readsAll && (
        <ButtonLink variant="default" to="/history/compare" search={{ ...of, from: at.as_of }}>
          {t`Compare`}
        </ButtonLink>
      )}
      <AsOf at={at} go={go} />
    </Group>
  );
}
