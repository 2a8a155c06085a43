import { t } from '@lingui/core/macro';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { Properties } from '../controls/properties.tsx';
import type { Choice, Difference } from './edits.ts';

interface Props {
  differences: Difference[];
  choose: (choice: Choice) => void;
}

/** Shows what somebody else has saved and what the person wants to save, and asks which of them to keep. */
export function ConflictModal({ differences, choose }: Props) {
  return (
    <Modal
      opened
      onClose={() => choose('neither')}
      title={t`Somebody else has changed this`}
      size="lg"
      closeOnClickOutside={false}
      zIndex={300}
    >
      <Stack gap="md">
        <Text size="sm">{t`It was saved after you opened it. These fields differ from yours.`}</Text>
        {differences.map(({ label, theirs, mine }) => (
          <section key={label} aria-label={label}>
            <Text fw={600} size="sm" mb={4}>
              {label}
            </Text>
            <Properties
              of={[
                [t`Theirs`, theirs],
                [t`Yours`, mine],
              ]}
            />
          </section>
        ))}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => choose('theirs')}>
            {t`Take theirs`}
          </Button>
          <Button onClick={() => choose('mine')}>{t`Keep mine`}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
