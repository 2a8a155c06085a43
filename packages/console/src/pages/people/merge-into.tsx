import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../kit/controls/dialog.tsx';
import { personName } from '../../kit/text/words.ts';
import { PersonPicker } from '../../people/person.tsx';
import { MergeDialog } from './merge-dialog.tsx';
import type { Person } from './person.ts';

/** Chooses a person to merge into this one, and shows the merge. */
export function MergeInto({ person, close }: { person: Person; close: () => void }) {
  const [chosen, choose] = useState<string | null>(null);
  const [from, compare] = useState<string>();
  if (from !== undefined) return <MergeDialog into={person.external_uuid} from={from} close={close} />;
  return (
    <Dialog onClose={close} title={t`Merge another person into ${{ person: personName(person) }}`}>
      <Stack gap="sm">
        <Text size="sm">
          <Trans>{{ person: personName(person) }} remains. The person that you choose is deactivated.</Trans>
        </Text>
        <PersonPicker label={t`Person to merge`} value={chosen} set={choose} required />
        <Group justify="flex-end">
          <Button
            disabled={chosen === null || chosen === person.external_uuid}
            onClick={() => compare(chosen ?? undefined)}
          >
            <Trans>Compare</Trans>
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
