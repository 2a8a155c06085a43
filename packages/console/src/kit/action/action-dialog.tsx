import { t } from '@lingui/core/macro';
import { Text, Textarea, TextInput } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { withCodes } from '../../../../protocol/src/hidden-characters.ts';
import { useChange } from '../../api/client.ts';
import { Dialog } from '../controls/dialog.tsx';
import { DialogForm } from '../controls/dialog-form.tsx';

/** An action that is confirmed first. */
export interface Action<T = unknown> {
  /** "Archive Payroll?" */
  title: string;
  /** The consequences, and options of the request. */
  sentence?: ReactNode;
  /** Fields that the request needs, above the comment. */
  fields?: ReactNode;
  /** The label of the button that confirms: "Archive app". */
  button: string;
  /** Text to type before confirming. For actions that destroy data. */
  type?: string | undefined;
  /** The label of a field for a comment: "Reason". Ctrl Enter in it confirms. */
  comment?: string;
  /** Whether the comment is required. */
  required?: boolean;
  /** Whether the button is red, as it is with `type`. */
  danger?: boolean | undefined;
  /** Whether there is nothing to do, or it is not known yet. */
  disabled?: boolean;
  request(comment: string): Promise<T>;
  /** Shown on success: "Payroll archived". */
  message?: string | Says<T>;
  /** Runs before the page is read again, for example to leave it. */
  after?(result: T): void | Promise<void>;
}

/** A method, so that actions with different results fit into one table. */
type Says<T> = { says(result: T): string }['says'];

export const isDanger = ({ danger, type }: Action) => danger ?? type !== undefined;

interface Props<T> {
  /** The action to confirm; undefined closes the dialog. */
  of: Action<T> | undefined;
  close: () => void;
}

/** Asks before an action. Closes when it succeeds, and stays open with the error when it fails. */
export function ActionDialog<T>({ of, close }: Props<T>) {
  // The dialog keeps its content while it fades out.
  const shown = useRef(of);
  if (of !== undefined) shown.current = of;
  const action = shown.current;
  return (
    <Dialog opened={of !== undefined} onClose={close} title={action?.title}>
      {action !== undefined && <ActionForm of={action} close={close} />}
    </Dialog>
  );
}

/** The content of the dialog. Mounted with each opening, so that it starts empty. */
function ActionForm<T>({ of, close }: { of: Action<T>; close: () => void }) {
  const { sentence, fields, button, type, comment: label, required = false, message: success } = of;
  const [typed, setTyped] = useState('');
  const [comment, setComment] = useState('');
  const change = useChange((given: string) => of.request(given), {
    success,
    after: (result) => of.after?.(result),
    showFailure: false,
  });
  const isMissing =
    of.disabled === true ||
    // Nobody can type what they do not see: the codes of hidden characters are enough.
    (type !== undefined && ![type.trim(), withCodes(type)].includes(typed.trim())) ||
    (required && comment.trim() === '');
  const submit = (event: { preventDefault(): void }) => {
    event.preventDefault();
    change.mutate(comment.trim(), { onSuccess: () => close() });
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !isMissing && !change.isPending)
      submit(event);
  };
  return (
    <DialogForm
      submit={submit}
      close={close}
      action={button}
      pending={change.isPending}
      disabled={isMissing}
      danger={isDanger(of)}
      failure={change.error}
    >
      {sentence !== undefined && (
        <Text component="div" size="sm">
          {sentence}
        </Text>
      )}
      {fields}
      {type !== undefined && (
        <TextInput
          label={t`Type ${type} to confirm`}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
      )}
      {label !== undefined && (
        <Textarea
          label={label}
          value={comment}
          onChange={({ currentTarget }) => setComment(currentTarget.value)}
          onKeyDown={pressed}
          required={required}
          maxLength={2000}
          rows={3}
          data-autofocus={fields === undefined ? true : undefined}
        />
      )}
    </DialogForm>
  );
}
