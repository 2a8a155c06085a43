import { t } from '@lingui/core/macro';
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
        <Text size="sm">{t`You have not saved your changes on this page.`}</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={keep}>
            {t`Keep editing`}
          </Button>
          <Button color="red" onClick={discard}>
            {t`Discard changes`}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
