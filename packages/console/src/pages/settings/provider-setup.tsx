import { t } from '@lingui/core/macro';
import { Stack, Text } from '@mantine/core';
import { Copied } from '../../kit/controls/copy.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import type { Provider } from './provider.ts';

type Addresses = Pick<Provider, 'callback_url' | 'acs_url' | 'sp_entity_id' | 'metadata_url'>;

/** The addresses of a provider that does not exist yet. Its ID decides them. */
export function addressesOf(kind: Provider['type'], baseUrl: string, id: string): Addresses {
  const auth = `${baseUrl}/auth/sso`;
  const metadata = `${auth}/saml/${id}/metadata/`;
  return kind === 'oidc'
    ? { callback_url: `${auth}/callback/${id}`, acs_url: null, sp_entity_id: null, metadata_url: null }
    : {
        callback_url: null,
        acs_url: `${auth}/saml2/sp/acs/${id}`,
        sp_entity_id: metadata,
        metadata_url: null,
      };
}

/** Shows the addresses to enter at the provider. */
export function ProviderSetup({ kind, addresses }: { kind: Provider['type']; addresses: Addresses }) {
  const { callback_url, acs_url, sp_entity_id, metadata_url } = addresses;
  const row = (name: string, value: string | null) =>
    [name, value === null ? undefined : <Copied key={name} value={value} what={name} />] as const;
  return (
    <Stack gap="sm">
      <Text size="sm">
        {kind === 'oidc'
          ? t`Register this redirect URI with the provider, for a confidential web client.`
          : t`Enter the entity ID and the ACS URL at the provider. It must sign assertions and send the email address.`}
      </Text>
      <Properties
        of={[
          row(t`Redirect URI`, callback_url),
          row(t`Metadata URL`, metadata_url),
          row(t`Entity ID (audience)`, sp_entity_id),
          row(t`ACS URL (HTTP-POST)`, acs_url),
        ]}
      />
    </Stack>
  );
}
