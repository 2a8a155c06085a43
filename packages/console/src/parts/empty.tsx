import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './empty.module.css';

interface Props {
  /** What there is none of: "No apps yet". */
  title: string;
  /** What to do next, in a sentence. */
  children?: ReactNode;
  /** The buttons that do it. */
  actions?: ReactNode;
}

/** Instead of a list that holds nothing. */
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
