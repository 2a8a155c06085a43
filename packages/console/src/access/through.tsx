import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { EntitlementLink } from './entitlement-link.tsx';

/** The group or license that gives an account another one. */
export interface Giver {
  external_uuid: string;
  type: 'group' | 'license';
  id: string;
  name: string;
}

interface Props {
  appId: string;
  /** Nothing is shown for access that was given directly. */
  via: Giver | null | undefined;
}

/** Names the giver of a group or license. Only without the giver does the account lose it. */
export function Through({ appId, via }: Props) {
  if (via === null || via === undefined) return null;
  const link = <EntitlementLink appId={appId} of={via} />;
  return (
    <Text size="xs" c="dimmed">
      {via.type === 'group' ? (
        <Trans>Through the group {link}</Trans>
      ) : (
        <Trans>Through the license {link}</Trans>
      )}
    </Text>
  );
}
