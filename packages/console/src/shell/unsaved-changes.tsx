import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { opensDialog } from '../parts/dialog-history.ts';
import { hasUnsaved, useHasUnsaved } from '../parts/unsaved.ts';

/** Mantine's dialogs are at 200. */
const ABOVE_DIALOGS = 300;

interface Place {
  pathname: string;
  search: object;
}

/** Asks before unsaved input is lost: when someone opens another page or tab, or closes the dialog with the form. */
export function UnsavedChanges() {
  const some = useHasUnsaved();
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => hasUnsaved() && loses(current, next),
    enableBeforeUnload: hasUnsaved,
    disabled: !some,
    withResolver: true,
  });
  return (
    <Modal
      opened={status === 'blocked'}
      onClose={() => reset?.()}
      title="Discard unsaved changes?"
      zIndex={ABOVE_DIALOGS}
    >
      <Stack gap="sm">
        <Text size="sm">You have not saved your changes on this page.</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => reset?.()}>
            Keep editing
          </Button>
          <Button color="red" onClick={() => proceed?.()}>
            Discard changes
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

const tabOf = ({ search }: Place) => (search as { tab?: unknown }).tab;

/** Filters, sorting and paging keep the forms of a page. */
function loses(current: Place, next: Place): boolean {
  return (
    current.pathname !== next.pathname ||
    tabOf(current) !== tabOf(next) ||
    (opensDialog(current.search) && !opensDialog(next.search))
  );
}
