import type { Visit } from './visit.ts';

/** The organization's sign-in pages at one origin. */
export type Site = Pick<Visit, 'origin' | 'organization'>;

/** The organization's sign-in pages as its administrators see them. Null: nobody knows under which origin people reach them. */
export interface ShownSite {
  slug: string;
  origin: string | null;
}

const authUrl = ({ origin, slug }: { origin: string; slug: string }) => `${origin}/org/${slug}/auth`;
const oidcCallbackUrl = (auth: string, provider: string) => `${auth}/sso/callback/${provider}`;
/** better-auth writes this address into SAML metadata and requests. */
const acsUrl = (auth: string, provider: string) => `${auth}/sso/saml2/sp/acs/${provider}`;
const metadataUrlIn = (auth: string, provider: string) => `${auth}/sso/saml/${provider}/metadata/`;
/** Starts a sign-in from elsewhere, such as a portal's tile. */
const startUrl = (auth: string, provider: string) => `${auth}/start/?provider=${provider}`;

export const samlAcsUrl = (site: Site, provider: string) => acsUrl(authOf(site), provider);
export const metadataUrl = (site: Site, provider: string) => metadataUrlIn(authOf(site), provider);

const authOf = ({ origin, organization: { slug } }: Site) => authUrl({ origin, slug });

interface ProviderAddresses {
  start_url: string | null;
  callback_url: string | null;
  acs_url: string | null;
  metadata_url: string | null;
}

/** Returns the addresses to register with a provider. All are null if nobody knows the origin. */
export function addressesOf(
  { origin, slug }: ShownSite,
  provider: string,
  type: 'oidc' | 'saml',
): ProviderAddresses {
  if (origin === null) return { start_url: null, callback_url: null, acs_url: null, metadata_url: null };
  const auth = authUrl({ origin, slug });
  const isSaml = type === 'saml';
  return {
    start_url: startUrl(auth, provider),
    callback_url: isSaml ? null : oidcCallbackUrl(auth, provider),
    acs_url: isSaml ? acsUrl(auth, provider) : null,
    metadata_url: isSaml ? metadataUrlIn(auth, provider) : null,
  };
}
