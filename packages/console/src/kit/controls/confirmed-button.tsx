import { Button, type ButtonProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useChange } from '../../api/client.ts';
import { Confirm } from './confirm.tsx';

interface Props extends ButtonProps {
  /** "Remove" */
  label: string;
  /** For screen readers, where several buttons have the same label: "Remove My laptop". */
  fullLabel?: string;
  /** "Remove My laptop?" */
  title: string;
  /** The label of the button that confirms: "Remove passkey". */
  action: string;
  /** Text to type before confirming. */
  type?: string;
  act: () => Promise<unknown>;
  /** "My laptop was removed" */
  success: string;
  after?: () => void;
  /** The consequences. */
  children: ReactNode;
}

/** A red button whose action is confirmed first. */
export function ConfirmedButton({
  label,
  fullLabel,
  title,
  action,
  type,
  act,
  success,
  after,
  children,
  ...button
}: Props) {
  const [asking, setAsking] = useState(false);
  const change = useChange(act, { success, showFailure: false, ...(after && { after }) });
  return (
    <>
      <Button color="red" {...button} aria-label={fullLabel} onClick={() => setAsking(true)}>
        {label}
      </Button>
      <Confirm
        opened={asking}
        close={() => setAsking(false)}
        title={title}
        action={action}
        {...(type !== undefined && { type })}
        act={() => change.mutateAsync(undefined)}
      >
        {children}
      </Confirm>
    </>
  );
}

/** The looks of a button in a row of a table. */
export const IN_ROW = { variant: 'subtle', size: 'compact-xs' } as const;
