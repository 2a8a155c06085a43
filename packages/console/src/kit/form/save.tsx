import { t } from '@lingui/core/macro';
import { Button, Group } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { FormFailure } from './form-failure.tsx';

interface Props {
  /** Whether the form differs from what is saved. */
  changed: boolean;
  pending: boolean;
  failure: string | undefined;
  label?: string;
}

/**
 * The error and the button at the end of a settings form. A page with several forms has a button only for those that were changed.
 * When the button goes, the focus stays where it was.
 */
export function Save({ changed, pending, failure, label = t`Save` }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const shown = changed || pending;
  const hadFocus = useRef(false);
  useEffect(() => {
    if (shown) return;
    if (hadFocus.current) place.current?.focus();
    hadFocus.current = false;
  }, [shown]);
  return (
    <>
      <FormFailure of={failure} />
      <div ref={place} tabIndex={-1}>
        {shown && (
          <Group>
            <Button
              type="submit"
              loading={pending}
              onFocus={() => {
                hadFocus.current = true;
              }}
              onBlur={({ relatedTarget }) => {
                // A button that disappears loses the focus to nothing.
                if (relatedTarget !== null) hadFocus.current = false;
              }}
            >
              {label}
            </Button>
          </Group>
        )}
      </div>
    </>
  );
}
