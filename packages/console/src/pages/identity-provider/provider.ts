import type { Item } from '../../api/client.ts';

export type Provider = Item<'/api/sign-in-providers/'>;

/** The issuer of OpenID Connect, or the entity ID of SAML. */
export const issuerOf = ({ oidc, saml }: Provider): string => oidc?.issuer ?? saml?.entity_id ?? '';
