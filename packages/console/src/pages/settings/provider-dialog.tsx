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
  /** Undefined for one that is being added. */
  of?: Provider;
  close: () => void;
}

const TITLES = { oidc: 'Add an OpenID Connect provider', saml: 'Add a SAML provider' };

/** Adds a provider, then says what it must be told; later, shows and changes it. */
export function ProviderDialog({ kind, of, close }: Props) {
  const { manages } = useMe();
  const [made, setMade] = useState<Provider>();
  const shown = made ?? of;
  return (
    <Modal opened onClose={close} title={shown?.name ?? TITLES[kind]} size="lg">
      {shown === undefined ? (
        <ProviderForm kind={kind} done={setMade} />
      ) : (
        <Tabs defaultValue="give" keepMounted={false}>
          <Tabs.List mb="sm">
            <Tabs.Tab value="give">Tell the provider</Tabs.Tab>
            <Tabs.Tab value="settings">Settings</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="give">
            <ToPaste of={shown} />
          </Tabs.Panel>
          <Tabs.Panel value="settings">
            <ProviderForm kind={kind} of={shown} done={close} />
            {manages && <Remove of={shown} close={close} />}
          </Tabs.Panel>
        </Tabs>
      )}
    </Modal>
  );
}

function ToPaste({ of: { type, callback_url, acs_url, sp_entity_id, metadata_url } }: { of: Provider }) {
  const row = (name: string, value: string | null) =>
    [name, value === null ? undefined : <Copied key={name} value={value} what={name} />] as const;
  return (
    <Stack gap="sm">
      <Text size="sm">
        {type === 'oidc'
          ? 'Register this address with the provider, as a redirect URI of a confidential web client.'
          : 'Give the provider our metadata, or type in the other two. It must sign the assertion, and send the email address.'}
      </Text>
      <Properties
        of={[
          row('Redirect URI', callback_url),
          row('Metadata', metadata_url),
          row('Entity ID, audience', sp_entity_id),
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
    { said: `${name} is removed`, after: close, tell: false },
  );
  return (
    <Group mt="md">
      <Button variant="subtle" color="red" onClick={() => setAsking(true)}>
        Remove this provider
      </Button>
      <Confirm
        opened={asking}
        close={() => setAsking(false)}
        title={`Remove ${name}?`}
        action="Remove"
        type={id}
        act={() => remove.mutateAsync(undefined)}
      >
        Nobody signs in through it any more. Whoever has no password and no passkey needs a one-time link.
        Sessions that it began go on until they end.
      </Confirm>
    </Group>
  );
}
