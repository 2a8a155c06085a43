import type { OIDCConfig, SAMLConfig } from '@better-auth/sso';
import { Type } from 'typebox';
import { isAllowedAddress, isLoopback, withOutbound } from '#kit/net/outbound.ts';
import { runInWorker } from '#kit/workers/pool.ts';
import { signInRefusals } from '../sentences.ts';
import {
  type IdentityProviderFacts,
  readCertificates,
  readIdpMetadata,
  writeIdpMetadata,
} from './saml-metadata.ts';
import type { run as readMetadataInWorker } from './saml-metadata.worker.ts';
import { XmlRefusal } from './strict-xml.ts';

/** The protocol of an identity provider. */
export const ProviderType = Type.Enum(['oidc', 'saml']);

const DEFAULT_SCOPES = ['openid', 'email', 'profile'];
const EMAIL_ADDRESS = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

export interface OidcInput {
  issuer: string;
  client_id: string;
  client_secret: string;
  scopes?: string[];
  discovery_url?: string;
}

export interface SamlInput {
  idp_metadata?: string;
  entity_id?: string;
  sso_url?: string;
  certificate?: string;
  email_attribute?: string;
}

/** Providers must use https. While developing on one machine, a provider on that machine may use http. */
export const outboundRules = (ourOrigin: string) => ({
  allowLoopback: isLoopback(new URL(ourOrigin).hostname),
});

const isAllowed = (address: string, ourOrigin: string): boolean =>
  URL.canParse(address) && isAllowedAddress(new URL(address), outboundRules(ourOrigin).allowLoopback);

/** The allowed addresses as better-auth's patterns. */
export const allowedOrigins = (ourOrigin: string): string[] =>
  isAllowed('http://localhost', ourOrigin)
    ? [ourOrigin, 'https://*', 'http://localhost:*', 'http://127.0.0.1:*']
    : [ourOrigin, 'https://*'];

export type OidcConfig = OIDCConfig & { clientSecret: string };

/** Builds an OpenID Connect configuration. Fetches the provider's endpoints (OpenID Connect Discovery). */
export async function oidcConfig(input: OidcInput, ourOrigin: string): Promise<OidcConfig> {
  const { issuer, client_id, client_secret, scopes = DEFAULT_SCOPES, discovery_url } = input;
  if (!scopes.includes('openid')) throw signInRefusals.oidc_without_openid();
  const isTrusted = (url: string) => isAllowed(url, ourOrigin);
  for (const url of [issuer, discovery_url ?? issuer]) {
    if (!isTrusted(url)) throw signInRefusals.provider_address_not_https({ url });
  }
  const { DiscoveryError, discoverOIDCConfig } = await import('@better-auth/sso');
  let unreached: string | undefined;
  const onFailure = (reason: string) => {
    unreached = reason;
  };
  try {
    const found = await withOutbound({ ...outboundRules(ourOrigin), onFailure }, () =>
      discoverOIDCConfig({
        issuer,
        isTrustedOrigin: isTrusted,
        ...(discovery_url === undefined ? {} : { discoveryEndpoint: discovery_url }),
      }),
    );
    return {
      issuer: found.issuer,
      clientId: client_id,
      clientSecret: client_secret,
      pkce: true,
      scopes,
      discoveryEndpoint: found.discoveryEndpoint,
      authorizationEndpoint: found.authorizationEndpoint,
      tokenEndpoint: found.tokenEndpoint,
      jwksEndpoint: found.jwksEndpoint,
      userInfoEndpoint: found.userInfoEndpoint,
      tokenEndpointAuthentication: found.tokenEndpointAuthentication,
    };
  } catch (error) {
    if (error instanceof DiscoveryError)
      throw signInRefusals.provider_unreadable({ reason: unreached ?? error.message });
    throw error;
  }
}

export type SamlConfig = SAMLConfig & {
  /** The metadata as an owner entered it. better-auth gets only the facts that Gatehouse has read from it. */
  givenMetadata?: string;
};

/** Builds a SAML configuration. Throws 400 unless it describes a usable identity provider. */
export async function samlConfig(
  input: SamlInput,
  spEntityId: string,
  ourOrigin: string,
): Promise<SamlConfig> {
  const { idp_metadata, email_attribute } = input;
  const facts = idp_metadata === undefined ? manualFacts(input) : await readMetadata(idp_metadata);
  for (const location of facts.locations) {
    if (!isAllowed(location, ourOrigin)) throw signInRefusals.provider_address_not_https({ url: location });
  }
  return {
    issuer: spEntityId,
    callbackUrl: `${ourOrigin}/`,
    wantAssertionsSigned: true,
    identifierFormat: EMAIL_ADDRESS,
    ...(email_attribute === undefined ? {} : { mapping: { email: email_attribute, name: 'displayName' } }),
    entryPoint: facts.ssoUrl,
    ...(idp_metadata === undefined ? { cert: facts.certificates } : { givenMetadata: idp_metadata }),
    idpMetadata: { metadata: readable(writeIdpMetadata(facts)) },
  } as SamlConfig;
}

/**
 * Returns metadata that Gatehouse wrote. Throws 400 if it cannot read it again, such as with an entity id of spaces: everybody who lists
 * the providers would get an error.
 */
function readable(metadata: string): string {
  try {
    readIdpMetadata(metadata);
    return metadata;
  } catch (error) {
    if (!(error instanceof XmlRefusal)) throw error;
    throw signInRefusals.provider_metadata_unreadable({ reason: error.message });
  }
}

const readMetadata = (xml: string) =>
  runInWorker<typeof readMetadataInWorker>(new URL('./saml-metadata.worker.ts', import.meta.url), xml);

function manualFacts({ entity_id, sso_url, certificate }: SamlInput): IdentityProviderFacts {
  if (entity_id === undefined || sso_url === undefined || certificate === undefined) {
    throw signInRefusals.saml_settings_missing();
  }
  try {
    const certificates = readCertificates(certificate);
    return { entityId: entity_id, ssoUrl: sso_url, locations: [sso_url], certificates };
  } catch (error) {
    if (error instanceof XmlRefusal) throw signInRefusals.saml_certificate_refused({ reason: error.message });
    throw error;
  }
}

/** Returns the authority that identifies people. Links to a provider's accounts hold as long as it stays the same. */
export async function authorityOf(config: OidcConfig | SamlConfig): Promise<string> {
  if (!('idpMetadata' in config)) return config.issuer;
  const { deriveSAMLIdentityProviderEntityID } = await import('@better-auth/sso');
  return deriveSAMLIdentityProviderEntityID(config);
}
