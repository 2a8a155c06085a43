import { t } from '@lingui/core/macro';
import { Button, Group, Stack } from '@mantine/core';
import { type ReactNode, type RefObject, type SubmitEvent, useLayoutEffect, useRef } from 'react';
import { type Failure, FormFailure } from '../form/form-failure.tsx';

interface Props {
  submit: (event: SubmitEvent<HTMLFormElement>) => void;
  /** Without it, the form has no button to go back. */
  close?: () => void;
  /** The button's label: "Archive". */
  action: string;
  pending?: boolean;
  disabled?: boolean;
  danger?: boolean;
  /** Whether the person may only read the fields. */
  locked?: boolean;
  failure?: Failure;
  children: ReactNode;
}

/** The form of a dialog: its fields, its error, and the buttons to go back and to act. */
export function DialogForm(props: Props) {
  const {
    submit,
    close,
    action,
    pending = false,
    disabled = false,
    danger = false,
    locked = false,
    failure,
  } = props;
  const form = useRef<HTMLFormElement>(null);
  useFirstField(form);
  return (
    <form ref={form} onSubmit={submit}>
      <Stack gap="sm">
        {props.children}
        <FormFailure of={failure} />
        {!locked && (
          <Group justify="flex-end" gap="xs">
            {close && (
              <Button variant="default" onClick={close}>
                {t`Go back`}
              </Button>
            )}
            <Button type="submit" loading={pending} disabled={disabled} {...(danger ? { color: 'red' } : {})}>
              {action}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

/** The dialog opens with the focus in the first field to fill in, unless it says otherwise. Its first button closes it. */
function useFirstField(form: RefObject<HTMLFormElement | null>) {
  useLayoutEffect(() => {
    const dialog = form.current?.closest('[role="dialog"]');
    if (!dialog || dialog.querySelector('[data-autofocus]') !== null) return;
    const fields = form.current?.querySelectorAll<HTMLInputElement>('input, textarea, select') ?? [];
    const usable = [...fields].filter(({ type, disabled }) => type !== 'hidden' && !disabled);
    const first = usable.find(({ required, value }) => required && value === '') ?? usable[0];
    first?.setAttribute('data-autofocus', 'true');
  }, [form]);
}
