import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useEffect, useState } from 'react';
import { detailOf } from '../../api/error.ts';
import { useBackCloses } from '../browser/dialog-history.ts';

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
  act: () => Promise<unknown>;
}

/** Asks before an action. Closes when it succeeds, and stays open with the error when it fails. */
export function Confirm({ opened, close, title, children, action, type, harmless = false, act }: Props) {
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  useBackCloses(opened, close);
  useEffect(() => {
    if (!opened) return;
    setTyped('');
    setFailure(undefined);
  }, [opened]);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setBusy(true);
    setFailure(undefined);
    try {
      await act();
      close();
    } catch (error) {
      setFailure(detailOf(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Modal opened={opened} onClose={close} title={title}>
      <form onSubmit={submit}>
        <Stack gap="sm">
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
          {failure !== undefined && (
            <Alert color="red" role="alert">
              {failure}
            </Alert>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              <Trans>Go back</Trans>
            </Button>
            <Button
              type="submit"
              loading={busy}
              disabled={type !== undefined && typed.trim() !== type}
              {...(harmless ? {} : { color: 'red' })}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
