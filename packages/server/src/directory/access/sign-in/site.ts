import type { Visit } from './visit.ts';

/** The organization's sign-in pages at one origin. */
export type Site = Pick<Visit, 'origin' | 'organization'>;

const authUrl = ({ origin, organization }: Site) => `${origin}/org/${organization.slug}/auth`;

export const oidcCallbackUrl = (site: Site, provider: string) => `${authUrl(site)}/sso/callback/${provider}`;
/** better-auth writes this address into SAML metadata and requests. */
export const samlAcsUrl = (site: Site, provider: string) => `${authUrl(site)}/sso/saml2/sp/acs/${provider}`;
export const metadataUrl = (site: Site, provider: string) =>
  `${authUrl(site)}/sso/saml/${provider}/metadata/`;
/** Starts a sign-in from elsewhere, such as a portal's tile. */
export const startUrl = (site: Site, provider: string) => `${authUrl(site)}/start/?provider=${provider}`;
