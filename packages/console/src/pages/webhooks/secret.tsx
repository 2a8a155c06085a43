import { t } from '@lingui/core/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { CodeBlock } from '../../kit/controls/code.tsx';

/** Shows a signing secret once. */
export function Secret({ secret, close }: { secret: string; close: () => void }) {
  return (
    <Stack gap="sm">
      <Text size="sm">
        {t`Save this signing secret now. You cannot see it again. Your receiver verifies with it that a request comes from Gatehouse.`}
      </Text>
      <CodeBlock text={secret} what={t`signing secret`} />
      <Group justify="flex-end">
        <Button onClick={close}>{t`I saved the secret`}</Button>
      </Group>
    </Stack>
  );
}
