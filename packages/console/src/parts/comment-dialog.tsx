import { Alert, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, type SubmitEvent, useEffect, useState } from 'react';
import { detailOf } from '../api/error.ts';

export interface Commented {
  /** "Deny REQ-12?" */
  title: string;
  /** What will happen, in plain words. */
  about?: ReactNode;
  /** What is written: "Comment", "Reason". */
  label: string;
  /** Whether it cannot be left empty. */
  required?: boolean;
  /** On the button: "Deny". */
  action: string;
  danger?: boolean;
  act: (comment: string) => Promise<unknown>;
}

interface Props {
  /** What is asked; undefined: nothing. */
  ask: Commented | undefined;
  close: () => void;
}

/** Asks for a sentence before something is done, and stays with the server's words when it is refused. Ctrl Enter does it. */
export function CommentDialog({ ask, close }: Props) {
  const [comment, setComment] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  // The words stay while the dialog fades away.
  const [shown, setShown] = useState(ask);
  useEffect(() => {
    if (ask === undefined) return;
    setShown(ask);
    setComment('');
    setFailure(undefined);
  }, [ask]);
  if (shown === undefined) return null;
  const { title, about, label, required = false, action, danger = false, act } = shown;

  const submit = async (event: SubmitEvent | KeyboardEvent) => {
    event.preventDefault();
    setBusy(true);
    setFailure(undefined);
    try {
      await act(comment.trim());
      close();
    } catch (error) {
      setFailure(detailOf(error));
    } finally {
      setBusy(false);
    }
  };
  const missing = required && comment.trim() === '';

  return (
    <Modal opened={ask !== undefined} onClose={close} title={title}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          {about !== undefined && (
            <Text component="div" size="sm">
              {about}
            </Text>
          )}
          <Textarea
            label={label}
            value={comment}
            onChange={({ currentTarget }) => setComment(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !missing && !busy)
                void submit(event);
            }}
            required={required}
            maxLength={2000}
            rows={3}
            data-autofocus
          />
          {failure !== undefined && (
            <Alert color="red" role="alert">
              {failure}
            </Alert>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              Back
            </Button>
            <Button type="submit" loading={busy} disabled={missing} {...(danger ? { color: 'red' } : {})}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
