import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, type SubmitEvent, useEffect, useState } from 'react';
import { detailOf } from '../../api/error.ts';
import { useBackCloses } from '../browser/dialog-history.ts';

export interface Commented {
  /** "Deny REQ-12?" */
  title: string;
  /** The consequences. */
  about?: ReactNode;
  /** The field's label: "Comment", "Reason". */
  label: string;
  required?: boolean;
  /** The button's label: "Deny". */
  action: string;
  danger?: boolean;
  act: (comment: string) => Promise<unknown>;
}

interface Props {
  /** The dialog's content; undefined closes it. */
  ask: Commented | undefined;
  close: () => void;
}

/** Asks for a comment before an action. Stays open with the error if the action fails. Ctrl Enter submits. */
export function CommentDialog({ ask, close }: Props) {
  const [comment, setComment] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  useBackCloses(ask !== undefined, close);
  // Keep the content while the dialog fades out.
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
              <Trans>Go back</Trans>
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
