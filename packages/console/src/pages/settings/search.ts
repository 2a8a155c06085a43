import { choice, flag, search, text, whole } from '../../parts/address.ts';

export const apiKeysSearch = search({ page: whole, new: flag });

/** `new`: which kind is being added; `provider`: which one is open. */
export const signInSettingsSearch = search({ page: whole, new: choice('oidc', 'saml'), provider: text });
