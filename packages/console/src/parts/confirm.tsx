import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useEffect, useState } from 'react';
import { detailOf } from '../api/error.ts';

interface Props {
  opened: boolean;
  close: () => void;
  /** "Archive Payroll?" */
  title: string;
  /** What will happen, in plain words. */
  children: ReactNode;
  /** On the button: "Archive". */
  action: string;
  /** What must be typed before it can be done; for what destroys. */
  type?: string;
  harmless?: boolean;
  act: () => Promise<unknown>;
}

/** Asks before something is done; closes when it is, and stays with the server's words when it is refused. */
export function Confirm({ opened, close, title, children, action, type, harmless = false, act }: Props) {
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
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
              label={`Type ${type} to confirm`}
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
              Keep things as they are
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
