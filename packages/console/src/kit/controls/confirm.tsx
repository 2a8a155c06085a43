import { t } from '@lingui/core/macro';
import { Modal, Text, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { withCodes } from '../../../../protocol/src/hidden-characters.ts';
import { DialogForm, useAction } from './dialog-form.tsx';

interface Props {
  opened: boolean;
  close: () => void;
  /** "Archive Payroll?" */
  title: string;
  /** The consequences. */
  children: ReactNode;
  /** The button's label: "Archive". */
  action: string;
  /** Text to type before confirming. For actions that destroy data. */
  type?: string;
  harmless?: boolean;
  /** Whether there is nothing to do, or it is not known yet. */
  disabled?: boolean;
  act: () => Promise<unknown>;
}

/** Asks before an action. Closes when it succeeds, and stays open with the error when it fails. */
export function Confirm(props: Props) {
  const { opened, close, title, children, action, type, harmless = false, disabled = false, act } = props;
  const [typed, setTyped] = useState('');
  const form = useAction(opened, close, act);
  useEffect(() => {
    if (opened) setTyped('');
  }, [opened]);
  // Nobody can type what they do not see: the codes of hidden characters are enough.
  const isMissing = type !== undefined && ![type.trim(), withCodes(type)].includes(typed.trim());
  return (
    <Modal opened={opened} onClose={close} title={title}>
      <DialogForm {...form} action={action} disabled={isMissing || disabled} danger={!harmless}>
        <Text component="div" size="sm">
          {children}
        </Text>
        {type !== undefined && (
          <TextInput
            label={t`Type ${type} to confirm`}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
      </DialogForm>
    </Modal>
  );
}
