import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Answer, api, get, ok, useChange } from '../../api/client.ts';
import { Confirm } from '../../kit/controls/confirm.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { type Column, TableView } from '../../kit/table/table-view.tsx';
import { personName } from '../../kit/text/words.ts';
import type { Person } from './person.ts';

type Passkey = Answer<'/api/users/{user_id}/passkeys/'>['results'][number];

/** A person's passkeys, for those who may change the person. Shows nothing if there are none. */
export function PersonPasskeys({ person }: { person: Person }) {
  const passkeys = useQuery(
    get('/api/users/{user_id}/passkeys/', { path: { user_id: person.external_uuid } }),
  );
  const columns: Column<Passkey>[] = [
    { id: 'name', header: t`Name`, cell: ({ name }) => <strong>{name}</strong> },
    {
      id: 'storage',
      header: t`Storage`,
      cell: ({ backed_up }) => (backed_up ? t`Synced across devices` : t`One device only`),
    },
    { id: 'created_at', header: t`Added`, cell: ({ created_at }) => <Moment at={created_at} /> },
    { id: 'remove', header: t`Actions`, cell: (passkey) => <Remove of={passkey} person={person} /> },
  ];
  if (passkeys.data === undefined || passkeys.data.results.length === 0) return null;
  return (
    <Section title={t`Passkeys`}>
      <TableView
        label={t`Passkeys`}
        columns={columns}
        rows={passkeys.data.results}
        rowId={({ id }) => id}
        empty={null}
      />
    </Section>
  );
}

function Remove({ of: { id, name }, person }: { of: Passkey; person: Person }) {
  const [asking, setAsking] = useState(false);
  const remove = useChange(
    () =>
      ok(
        api.DELETE('/api/users/{user_id}/passkeys/{passkey_id}/', {
          params: { path: { user_id: person.external_uuid, passkey_id: id } },
        }),
      ),
    { success: t`${name} was removed`, showFailure: false },
  );
  return (
    <>
      <Button
        variant="subtle"
        color="red"
        size="compact-xs"
        aria-label={t`Remove ${name}`}
        onClick={() => setAsking(true)}
      >
        <Trans>Remove</Trans>
      </Button>
      <Confirm
        opened={asking}
        close={() => setAsking(false)}
        title={t`Remove ${name}?`}
        action={t`Remove passkey`}
        act={() => remove.mutateAsync(undefined)}
      >
        <Trans>
          {{ person: personName(person) }} can no longer sign in with this passkey, and all of their sessions
          end.
        </Trans>
      </Confirm>
    </>
  );
}
