import { t } from '@lingui/core/macro';
import { Alert, Stack, Text } from '@mantine/core';
import { Copied } from '../../kit/controls/copy.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import type { Provider } from './provider.ts';

type Addresses = Pick<Provider, 'start_url' | 'callback_url' | 'acs_url' | 'sp_entity_id' | 'metadata_url'>;

/** The addresses of a provider that does not exist yet. Its ID decides them. */
export function addressesOf(kind: Provider['type'], baseUrl: string, id: string): Addresses {
  const auth = `${baseUrl}/auth/sso`;
  const metadata = `${auth}/saml/${id}/metadata/`;
  const start_url = `${baseUrl}/auth/start/?provider=${id}`;
  return kind === 'oidc'
    ? {
        start_url,
        callback_url: `${auth}/callback/${id}`,
        acs_url: null,
        sp_entity_id: null,
        metadata_url: null,
      }
    : {
        start_url,
        callback_url: null,
        acs_url: `${auth}/saml2/sp/acs/${id}`,
        sp_entity_id: metadata,
        metadata_url: null,
      };
}

/** Shows the addresses to enter at the provider. */
export function ProviderSetup({ kind, addresses }: { kind: Provider['type']; addresses: Addresses }) {
  const { start_url, callback_url, acs_url, sp_entity_id, metadata_url } = addresses;
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
          row(t`Address for a portal's tile`, start_url),
        ]}
      />
      {start_url === null && (
        <Alert color="yellow">
          {t`Gatehouse does not know the address under which people reach it. Ask the operator to set GATEHOUSE_PUBLIC_URL.`}
        </Alert>
      )}
    </Stack>
  );
}
