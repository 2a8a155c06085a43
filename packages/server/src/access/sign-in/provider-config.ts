import { X509Certificate } from 'node:crypto';
import {
  DiscoveryError,
  deriveSAMLIdentityProviderEntityID,
  discoverOIDCConfig,
  type OIDCConfig,
  type SAMLConfig,
} from '@better-auth/sso';
import { invalid } from '../../platform/errors.ts';

const DEFAULT_SCOPES = ['openid', 'email', 'profile'];
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
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
function isAllowedAddress(address: string, ourOrigin: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  const isLocal = LOOPBACK.test(hostname) && LOOPBACK.test(new URL(ourOrigin).hostname);
  return protocol === 'https:' || (protocol === 'http:' && isLocal);
}

/** The allowed addresses as better-auth's patterns. */
export const allowedOrigins = (ourOrigin: string): string[] =>
  LOOPBACK.test(new URL(ourOrigin).hostname)
    ? [ourOrigin, 'https://*', 'http://localhost:*', 'http://127.0.0.1:*']
    : [ourOrigin, 'https://*'];

export type OidcConfig = OIDCConfig & { clientSecret: string };

/** Builds an OpenID Connect configuration. Fetches the provider's endpoints (OpenID Connect Discovery). */
export async function oidcConfig(input: OidcInput, ourOrigin: string): Promise<OidcConfig> {
  const { issuer, client_id, client_secret, scopes = DEFAULT_SCOPES, discovery_url } = input;
  if (!scopes.includes('openid')) throw invalid('oidc.scopes must include openid.');
  const isTrusted = (url: string) => isAllowedAddress(url, ourOrigin);
  for (const url of [issuer, discovery_url ?? issuer]) {
    if (!isTrusted(url)) throw invalid(`${url} is not an https address. Providers must use https.`);
  }
  try {
    const found = await discoverOIDCConfig({
      issuer,
      isTrustedOrigin: isTrusted,
      ...(discovery_url === undefined ? {} : { discoveryEndpoint: discovery_url }),
    });
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
      throw invalid(`The provider's configuration could not be read: ${error.message}`);
    throw error;
  }
}

/** Builds a SAML configuration. Throws 400 unless it describes a usable identity provider. */
export function samlConfig(input: SamlInput, spEntityId: string, ourOrigin: string): SAMLConfig {
  const { email_attribute } = input;
  const config: SAMLConfig = {
    issuer: spEntityId,
    callbackUrl: `${ourOrigin}/`,
    wantAssertionsSigned: true,
    identifierFormat: EMAIL_ADDRESS,
    ...(email_attribute === undefined ? {} : { mapping: { email: email_attribute, name: 'displayName' } }),
    ...identityProvider(input, ourOrigin),
  };
  try {
    deriveSAMLIdentityProviderEntityID(config);
  } catch {
    throw invalid('saml.idp_metadata is not the metadata of a SAML identity provider.');
  }
  return config;
}

function identityProvider(
  { idp_metadata, entity_id, sso_url, certificate }: SamlInput,
  ourOrigin: string,
): Pick<SAMLConfig, 'entryPoint' | 'idpMetadata' | 'cert'> {
  if (idp_metadata !== undefined) {
    if (/<!(DOCTYPE|ENTITY)/i.test(idp_metadata))
      throw invalid('saml.idp_metadata must not contain a DOCTYPE or ENTITY declaration.');
    if (!idp_metadata.includes(REDIRECT) || !idp_metadata.includes('X509Certificate')) {
      throw invalid(
        'saml.idp_metadata must contain a sign-in service with the HTTP-Redirect binding, and a certificate.',
      );
    }
    return { entryPoint: ourOrigin, idpMetadata: { metadata: idp_metadata } };
  }
  if (entity_id === undefined || sso_url === undefined || certificate === undefined) {
    throw invalid('Give saml.idp_metadata, or saml.entity_id, saml.sso_url and saml.certificate.');
  }
  if (!isAllowedAddress(sso_url, ourOrigin))
    throw invalid(`${sso_url} is not an https address. Providers must use https.`);
  const cert = pem(certificate);
  return { entryPoint: sso_url, cert, idpMetadata: { metadata: metadataOf(entity_id, sso_url, cert) } };
}

function metadataOf(entityId: string, ssoUrl: string, certificate: string): string {
  const escaped = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
  return `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${escaped(entityId)}">
<IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
<KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data>
<X509Certificate>${base64Of(certificate)}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>
<SingleSignOnService Binding="${REDIRECT}" Location="${escaped(ssoUrl)}"/>
</IDPSSODescriptor></EntityDescriptor>`;
}

const base64Of = (certificate: string) =>
  certificate.replace(/-----(BEGIN|END) CERTIFICATE-----/g, '').replace(/\s+/g, '');

/** Accepts a certificate with or without its BEGIN and END lines. */
function pem(certificate: string): string {
  try {
    return new X509Certificate(Buffer.from(base64Of(certificate), 'base64')).toString();
  } catch {
    throw invalid('saml.certificate is not an X.509 certificate.');
  }
}

/** Returns the authority that identifies people. Links to a provider's accounts hold as long as it stays the same. */
export const authorityOf = (config: OidcConfig | SAMLConfig) =>
  'idpMetadata' in config ? deriveSAMLIdentityProviderEntityID(config) : config.issuer;
