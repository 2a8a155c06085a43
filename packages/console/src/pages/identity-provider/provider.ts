import type { Item } from '../../api/client.ts';
import type { Protocol } from './search.ts';

export type Provider = Item<'/api/sign-in-providers/'>;

/** The issuer of OpenID Connect, or the entity ID of SAML. */
export const issuerOf = ({ oidc, saml }: Provider): string => oidc?.issuer ?? saml?.entity_id ?? '';

// oxlint-disable-next-line lingui/no-unlocalized-strings -- names of protocols stay as they are.
export const PROTOCOL_NAMES: Record<Protocol, string> = { oidc: 'OpenID Connect', saml: 'SAML' };
