import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { Moment } from '../kit/controls/moment.tsx';

/** The row of a list of properties that says by when people carry out a task. Both pages of a task show it. */
export const dueRow = (due_at: string): readonly [name: string, value: ReactNode] => [
  t`Due`,
  <Moment key="due" at={due_at} />,
];
