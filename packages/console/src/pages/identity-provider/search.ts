import { choice, search, text, whole } from '../../kit/browser/address.ts';

export const PRODUCTS = ['okta', 'entra', 'google', 'keycloak', 'other'] as const;
export type ProductId = (typeof PRODUCTS)[number];
export const PROTOCOLS = ['oidc', 'saml'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

/** `product`: the product to set up. `provider`: the open sign-in provider. */
export const identityProviderSearch = search({
  page: whole,
  product: choice(...PRODUCTS),
  protocol: choice(...PROTOCOLS),
  provider: text,
});

/** Reads an address of the former page of sign-in. */
export const formerSignInSearch = search({ page: whole, new: choice(...PROTOCOLS), provider: text });
