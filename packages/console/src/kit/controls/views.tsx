import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './views.module.css';

interface ViewsProps {
  /** "View", "Group by" */
  label: string;
  /** Whether they stand in a row with filters. */
  inline?: boolean;
  children: ReactNode;
}

/** Buttons that show one of several views of the same data. */
export const Views = ({ label, inline = false, children }: ViewsProps) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields.
  <div role="group" aria-label={label} className={classes.views} data-inline={inline || undefined}>
    {children}
  </div>
);

interface ViewProps {
  /** Whether this view is shown. */
  pressed: boolean;
  onClick: () => void;
  children: ReactNode;
}

export const View = ({ pressed, onClick, children }: ViewProps) => (
  <Button variant={pressed ? 'light' : 'default'} aria-pressed={pressed} onClick={onClick}>
    {children}
  </Button>
);
