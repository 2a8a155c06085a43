import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group } from '@mantine/core';
import { TextLink } from '../../kit/controls/links.tsx';

interface Props {
  suspends: boolean;
  /** The days until accounts are deleted. Null: never. */
  days: number | null;
}

/** Opens the policies that do the same for everyone who leaves, filled in. */
export function ForEveryone({ suspends, days }: Props) {
  // A policy without a delay deletes immediately, and a delay has at least a day.
  const later = days === null ? undefined : Math.max(1, days);
  if (!suspends && later === undefined) return null;
  return (
    <Group gap="sm">
      <Trans>Do this for everyone who leaves:</Trans>
      {suspends && <TextLink to="/policies/new" search={{ from: 'leavers-suspend' }}>{t`Suspend`}</TextLink>}
      {later !== undefined && (
        <TextLink to="/policies/new" search={{ from: 'leavers-delete', days: later }}>
          {plural(later, { one: 'Delete after # day', other: 'Delete after # days' })}
        </TextLink>
      )}
    </Group>
  );
}
