import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';

/** Mantine's dialogs are at 200. */
const ABOVE_DIALOGS = 300;

interface Props {
  opened: boolean;
  keep: () => void;
  discard: () => void;
}

/** Asks whether unsaved input may be lost. */
export function DiscardDialog({ opened, keep, discard }: Props) {
  return (
    <Modal opened={opened} onClose={keep} title={t`Discard unsaved changes?`} zIndex={ABOVE_DIALOGS}>
      <Stack gap="sm">
        <Text size="sm">
          <Trans>You have not saved your changes on this page.</Trans>
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={keep}>
            <Trans>Keep editing</Trans>
          </Button>
          <Button color="red" onClick={discard}>
            <Trans>Discard changes</Trans>
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
