import { t } from '@lingui/core/macro';
import { Group, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Name } from '../text/name.tsx';
import classes from './page-header.module.css';

interface Props {
  title: string;
  /** Whether the title is a name that others chose. */
  isName?: boolean;
  /** One line under the title. */
  about?: ReactNode;
  /** Before the title: an AppLogo. */
  mark?: ReactNode;
  /** Next to the title: a Status. */
  beside?: ReactNode;
  /** Buttons on the right. */
  actions?: ReactNode;
  /** A link to the parent page. */
  above?: ReactNode;
  /** Whether everything stands in one line, for a page that is about its list. */
  compact?: boolean;
}

/** The title of a page, also in the browser's tab. Every page starts with one. */
export function PageHeader({
  title,
  isName = false,
  about,
  mark,
  beside,
  actions,
  above,
  compact = false,
}: Props) {
  useEffect(() => {
    document.title = t`${title} · Gatehouse`;
  }, [title]);
  return (
    <header className={classes.header} data-compact={compact || undefined}>
      <div className={classes.words}>
        {above !== undefined && <Text size="sm">{above}</Text>}
        <Group gap="sm">
          {mark}
          <Title order={1}>{isName ? <Name of={title} /> : title}</Title>
          {beside}
        </Group>
        {about !== undefined && (
          <Text size="sm" c="dimmed" component="div" maw="80ch">
            {about}
          </Text>
        )}
      </div>
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </header>
  );
}
