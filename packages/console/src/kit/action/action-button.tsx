import { Button, type ButtonProps } from '@mantine/core';
import { useState } from 'react';
import { type Action, ActionDialog, isDanger } from './action-dialog.tsx';

interface Props<T> extends ButtonProps {
  /** "Remove" */
  label: string;
  /** For screen readers, where several buttons have the same label: "Remove My laptop". */
  fullLabel?: string;
  of: Action<T>;
}

/** A button whose action is confirmed first. */
export function ActionButton<T>({ label, fullLabel, of, ...button }: Props<T>) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button
        {...(isDanger(of) ? { color: 'red' } : {})}
        {...button}
        aria-label={fullLabel}
        onClick={() => setAsking(true)}
      >
        {label}
      </Button>
      <ActionDialog of={asking ? of : undefined} close={() => setAsking(false)} />
    </>
  );
}

/** The looks of a button in a row of a table. */
export const IN_ROW = { variant: 'subtle', size: 'compact-xs' } as const;
