import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { type Answer, api, get, ok, useChange } from '../../api/client.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Section } from '../../parts/section.tsx';
import { type Column, TableView } from '../../parts/table-view.tsx';
import { Refused } from './refused.tsx';

type Passkey = Answer<'/auth/passkeys/'>['results'][number];

/** Browsers make passkeys for names, and for those of secure pages only. */
const isPossible = window.isSecureContext && !/^[\d.:[\]]+$/.test(location.hostname);

const columns: Column<Passkey>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => <strong>{name}</strong> },
  {
    id: 'where',
    header: 'Kept',
    cell: ({ backed_up }) => (backed_up ? 'On several devices' : 'On one device'),
  },
  { id: 'created_at', header: 'Added', cell: ({ created_at }) => <Moment at={created_at} /> },
  { id: 'remove', header: 'Change', cell: (passkey) => <Remove of={passkey} /> },
];

/** Sign-in with a finger, a face or a PIN of the person's own device. */
export function MyPasskeys() {
  const [adding, setAdding] = useState(false);
  const passkeys = useQuery(get('/auth/passkeys/'));
  return (
    <Section
      title="Passkeys"
      actions={
        isPossible && (
          <Button leftSection={<IconPlus size={15} aria-hidden />} onClick={() => setAdding(true)}>
            Add a passkey
          </Button>
        )
      }
    >
      {!isPossible && (
        <Text size="sm" c="dimmed" mb="xs">
          Browsers keep passkeys for names, over https or at localhost. Under {location.host} there are none.
        </Text>
      )}
      {passkeys.isError ? (
        <Failure error={passkeys.error} again={() => void passkeys.refetch()} />
      ) : (
        <TableView
          label="Passkeys"
          columns={columns}
          rows={passkeys.data?.results}
          rowId={({ id }) => id}
          empty={
            isPossible && (
              <Empty title="No passkeys yet">
                With one, you sign in with your device: no name, no password, no code.
              </Empty>
            )
          }
        />
      )}
      {adding && <Add close={() => setAdding(false)} />}
    </Section>
  );
}

function Add({ close }: { close: () => void }) {
  const [name, setName] = useState('');
  const add = useChange(
    async (called: string) => {
      const { startRegistration } = await import('@simplewebauthn/browser');
      type Options = Parameters<typeof startRegistration>[0]['optionsJSON'];
      const optionsJSON = (await ok(api.POST('/auth/passkeys/options/'))) as unknown as Options;
      const response = await startRegistration({ optionsJSON });
      return ok(api.POST('/auth/passkeys/', { body: { name: called, response: { ...response } } }));
    },
    { said: ({ name: called }) => `${called} is added`, after: close, tell: false },
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    add.mutate(name.trim());
  };
  return (
    <Modal opened onClose={close} title="Add a passkey">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label="Name"
            description="Which device it is, so that you know it again: My laptop."
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            required
            withAsterisk={false}
            maxLength={100}
            data-autofocus
          />
          <Refused error={add.error} />
          <Group justify="flex-end">
            <Button type="submit" loading={add.isPending}>
              Continue
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function Remove({ of: { id, name } }: { of: Passkey }) {
  const [asking, setAsking] = useState(false);
  const remove = useChange(
    () => ok(api.DELETE('/auth/passkeys/{passkey_id}/', { params: { path: { passkey_id: id } } })),
    { said: `${name} is removed`, tell: false },
  );
  return (
    <>
      <Button
        variant="subtle"
        color="red"
        size="compact-xs"
        aria-label={`Remove ${name}`}
        onClick={() => setAsking(true)}
      >
        Remove
      </Button>
      <Confirm
        opened={asking}
        close={() => setAsking(false)}
        title={`Remove ${name}?`}
        action="Remove"
        act={() => remove.mutateAsync(undefined)}
      >
        It does not sign you in any more. Delete it on the device too, which does not know.
      </Confirm>
    </>
  );
}
