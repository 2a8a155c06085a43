import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './empty.module.css';

interface Props {
  /** "No apps yet" */
  title: string;
  /** One sentence on what to do next. */
  children?: ReactNode;
  /** The buttons to do it. */
  actions?: ReactNode;
}

/** Replaces an empty list. */
export function Empty({ title, children, actions }: Props) {
  return (
    <div className={classes.empty}>
      <Text fw={600}>{title}</Text>
      {children !== undefined && (
        <Text size="sm" c="dimmed" component="div">
          {children}
        </Text>
      )}
      {actions !== undefined && (
        <Group gap="xs" mt="xs">
          {actions}
        </Group>
      )}
    </div>
  );
}
