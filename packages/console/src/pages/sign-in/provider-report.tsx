import { Trans } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import type { Answer } from '../../api/client.ts';

type Report = NonNullable<Answer<'/auth/'>['failure']>;

/** Shows what a provider itself reported, as its own words. */
export function ProviderReport({ of: { provider, error, words } }: { of: Report }) {
  const [name, code] = [<bdi key="name">{provider}</bdi>, <code key="code">{error}</code>];
  return (
    <Stack gap={4}>
      <Text size="sm">
        {words === null ? (
          <Trans>
            {name} reports {code}.
          </Trans>
        ) : (
          <Trans>
            {name} reports {code}, in its own words:
          </Trans>
        )}
      </Text>
      {words !== null && (
        <Text component="blockquote" size="sm" c="dimmed" m={0} pl="sm" translate="no">
          <bdi>{words}</bdi>
        </Text>
      )}
    </Stack>
  );
}
