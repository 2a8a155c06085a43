import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Answer, api, get, ok, useChange } from '../../api/client.ts';
import { useBackCloses } from '../../kit/browser/dialog-history.ts';
import { Confirm } from '../../kit/controls/confirm.tsx';
import { Empty } from '../../kit/controls/empty.tsx';
import { Failure } from '../../kit/controls/failure.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { useApiForm } from '../../kit/form/form.ts';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import { IconPlus } from '../../kit/icons/icons.ts';
import { type Column, TableView } from '../../kit/table/table-view.tsx';

type Passkey = Answer<'/auth/passkeys/'>['results'][number];

const columns: Column<Passkey>[] = [
  { id: 'name', header: t`Name`, cell: ({ name }) => <strong>{name}</strong> },
  {
    id: 'storage',
    header: t`Storage`,
    cell: ({ backed_up }) => (backed_up ? t`Synced across devices` : t`This device only`),
  },
  { id: 'created_at', header: t`Added`, cell: ({ created_at }) => <Moment at={created_at} /> },
  { id: 'remove', header: t`Actions`, cell: (passkey) => <RemovePasskey of={passkey} /> },
];

/** The person's passkeys: sign-in with a fingerprint, face or PIN on their own device. */
export function MyPasskeys() {
  const [adding, setAdding] = useState(false);
  const passkeys = useQuery(get('/auth/passkeys/'));
  const reason = useQuery(get('/auth/')).data?.passkeys.reason;
  const isPossible = reason === null;
  return (
    <Section
      title={t`Passkeys`}
      actions={
        isPossible && (
          <Button leftSection={<IconPlus size={15} aria-hidden />} onClick={() => setAdding(true)}>
            <Trans>Add passkey</Trans>
          </Button>
        )
      }
    >
      {typeof reason === 'string' && (
        <Text size="sm" c="dimmed" mb="xs">
          {reason}
        </Text>
      )}
      {passkeys.isError ? (
        <Failure error={passkeys.error} again={() => void passkeys.refetch()} />
      ) : (
        <TableView
          label={t`Passkeys`}
          columns={columns}
          rows={passkeys.data?.results}
          rowId={({ id }) => id}
          empty={
            isPossible && (
              <Empty title={t`No passkeys yet`}>
                <Trans>Add a passkey to sign in with your device instead of a password.</Trans>
              </Empty>
            )
          }
        />
      )}
      {adding && <AddPasskey close={() => setAdding(false)} />}
    </Section>
  );
}

function AddPasskey({ close }: { close: () => void }) {
  useBackCloses(true, close);
  const { form, submit, pending, failure } = useApiForm({
    initialValues: { name: '' },
    send: async ({ name }) => {
      const { startRegistration } = await import('@simplewebauthn/browser');
      type Options = Parameters<typeof startRegistration>[0]['optionsJSON'];
      const optionsJSON = (await ok(api.POST('/auth/passkeys/options/'))) as unknown as Options;
      const response = await startRegistration({ optionsJSON });
      const body = { name: name.trim(), response: { ...response } };
      return ok(api.POST('/auth/passkeys/', { body }));
    },
    success: ({ name }) => t`${name} was added`,
    after: close,
  });
  return (
    <Modal opened onClose={close} title={t`Add passkey`}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label={t`Name`}
            description={t`The device, for example: My laptop.`}
            required
            withAsterisk={false}
            maxLength={100}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <FormFailure of={failure} />
          <Group justify="flex-end">
            <Button type="submit" loading={pending}>
              <Trans>Continue</Trans>
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function RemovePasskey({ of: { id, name } }: { of: Passkey }) {
  const [asking, setAsking] = useState(false);
  const remove = useChange(
    () => ok(api.DELETE('/auth/passkeys/{passkey_id}/', { params: { path: { passkey_id: id } } })),
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
        <Trans>You can no longer sign in with this passkey. Delete it from your device as well.</Trans>
      </Confirm>
    </>
  );
}
