import { Button, Group, Modal, Stack, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import { api, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Copied } from '../../parts/copy.tsx';
import { Properties } from '../../parts/properties.tsx';
import type { Provider } from './provider.ts';
import { ProviderForm } from './provider-form.tsx';

interface Props {
  kind: 'oidc' | 'saml';
  /** Undefined to add a provider. */
  of?: Provider;
  close: () => void;
}

const TITLES = { oidc: 'Add OpenID Connect provider', saml: 'Add SAML provider' };

/** Adds a provider, then shows what to enter at the provider. Later shows and changes its settings. */
export function ProviderDialog({ kind, of, close }: Props) {
  const { manages } = useMe();
  const [created, setCreated] = useState<Provider>();
  const shown = created ?? of;
  return (
    <Modal opened onClose={close} title={shown?.name ?? TITLES[kind]} size="lg">
      {shown === undefined ? (
        <ProviderForm kind={kind} after={setCreated} />
      ) : (
        <Tabs defaultValue="setup" keepMounted={false}>
          <Tabs.List mb="sm">
            <Tabs.Tab value="setup">Provider setup</Tabs.Tab>
            <Tabs.Tab value="settings">Settings</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="setup">
            <ProviderSetup of={shown} />
          </Tabs.Panel>
          <Tabs.Panel value="settings">
            <ProviderForm kind={kind} of={shown} after={close} />
            {manages && <Remove of={shown} close={close} />}
          </Tabs.Panel>
        </Tabs>
      )}
    </Modal>
  );
}

function ProviderSetup({
  of: { type, callback_url, acs_url, sp_entity_id, metadata_url },
}: {
  of: Provider;
}) {
  const row = (name: string, value: string | null) =>
    [name, value === null ? undefined : <Copied key={name} value={value} what={name} />] as const;
  return (
    <Stack gap="sm">
      <Text size="sm">
        {type === 'oidc'
          ? 'Register this redirect URI with the provider, for a confidential web client.'
          : 'Enter the metadata URL at the provider, or the entity ID and the ACS URL. The provider must sign assertions and send the email address.'}
      </Text>
      <Properties
        of={[
          row('Redirect URI', callback_url),
          row('Metadata URL', metadata_url),
          row('Entity ID (audience)', sp_entity_id),
          row('ACS URL (HTTP-POST)', acs_url),
        ]}
      />
    </Stack>
  );
}

function Remove({ of: { id, name }, close }: { of: Provider; close: () => void }) {
  const [asking, setAsking] = useState(false);
  const remove = useChange(
    () => ok(api.DELETE('/api/sign-in-providers/{provider}/', { params: { path: { provider: id } } })),
    { success: `${name} was removed`, after: close, showFailure: false },
  );
  return (
    <Group mt="md">
      <Button variant="subtle" color="red" onClick={() => setAsking(true)}>
        Remove provider
      </Button>
      <Confirm
        opened={asking}
        close={() => setAsking(false)}
        title={`Remove ${name}?`}
        action="Remove"
        type={id}
        act={() => remove.mutateAsync(undefined)}
      >
        People can no longer sign in through this provider. People without a password or passkey need a
        one-time link. Existing sessions continue until they expire.
      </Confirm>
    </Group>
  );
}
