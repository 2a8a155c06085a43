import { versionOf } from '#kit/versions.ts';
import type { OidcConfig, SamlConfig } from '../protocols/provider-config.ts';
import type { ProviderRow } from '../protocols/queries/providers.ts';
import { lastExpiry, readIdpMetadata } from '../protocols/saml-metadata.ts';
import { addressesOf, type ShownSite } from '../visit/site.ts';
import type { Provider } from './provider-schemas.ts';

/** Returns when the last certificate of a SAML provider expires. */
export const certificatesExpireAt = ({ idpMetadata }: SamlConfig): Date =>
  lastExpiry(readIdpMetadata(idpMetadata.metadata ?? '').certificates);

/** The entity tag of what can be changed, the secret included. */
export const providerVersion = (row: ProviderRow): string => {
  const { name, domain, trusts_email, approved_for_owners_at, oidc_config, saml_config } = row;
  const approved = approved_for_owners_at !== null;
  return versionOf({ name, domain, trusts_email, approved, oidc_config, saml_config });
};

const TELLS = new Map<boolean | null, Provider['tells_auth_time']>([
  [true, 'yes'],
  [false, 'no'],
]);

export function viewOf(row: ProviderRow, site: ShownSite): Provider {
  const { provider_id: id, name, domain, trusts_email, created_at } = row;
  const { approved_for_owners_at, approved_for_owners_by } = row;
  const shared = {
    id,
    name,
    email_domains: domain === '' ? [] : domain.split(','),
    trusts_email,
    approved_for_owners: approved_for_owners_at !== null,
    approved_for_owners_by,
    approved_for_owners_at,
    tells_auth_time: TELLS.get(row.tells_auth_time) ?? 'unknown',
    ...addressesOf(site, id, row.oidc_config === null ? 'saml' : 'oidc'),
    created_at,
  };
  if (row.oidc_config !== null) {
    const config = JSON.parse(row.oidc_config) as OidcConfig;
    return {
      ...shared,
      type: 'oidc',
      oidc: {
        issuer: config.issuer,
        client_id: config.clientId,
        scopes: config.scopes ?? [],
        discovery_url: config.discoveryEndpoint,
      },
      saml: null,
      sp_entity_id: null,
    };
  }
  const config = JSON.parse(row.saml_config ?? '') as SamlConfig;
  const certificate = config.cert === undefined ? null : [config.cert].flat().join('');
  return {
    ...shared,
    type: 'saml',
    oidc: null,
    saml: {
      idp_metadata:
        certificate === null ? (config.givenMetadata ?? config.idpMetadata.metadata ?? null) : null,
      entity_id: row.issuer,
      sso_url: certificate === null ? null : config.entryPoint,
      certificate,
      certificates_expire_at: certificatesExpireAt(config),
      email_attribute: config.mapping?.email ?? null,
    },
    sp_entity_id: config.issuer,
  };
}
