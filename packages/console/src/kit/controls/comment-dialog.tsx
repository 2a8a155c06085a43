import { Modal, Text, Textarea } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { DialogForm, useAction } from './dialog-form.tsx';

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
  // Keep the content while the dialog fades out.
  const [shown, setShown] = useState(ask);
  const form = useAction(ask !== undefined, close, async () => shown?.act(comment.trim()));
  useEffect(() => {
    if (ask === undefined) return;
    setShown(ask);
    setComment('');
  }, [ask]);
  if (shown === undefined) return null;
  const { title, about, label, required = false, action, danger = false } = shown;
  const missing = required && comment.trim() === '';
  return (
    <Modal opened={ask !== undefined} onClose={close} title={title}>
      <DialogForm {...form} action={action} disabled={missing} danger={danger}>
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
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !missing && !form.pending)
              void form.submit(event);
          }}
          required={required}
          maxLength={2000}
          rows={3}
          data-autofocus
        />
      </DialogForm>
    </Modal>
  );
}
