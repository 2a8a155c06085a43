import { choice, flag, search, text, whole } from '../../parts/address.ts';

export const apiKeysSearch = search({ page: whole, new: flag });

/** `new`: the type of provider to add. `provider`: the open provider. */
export const signInSettingsSearch = search({ page: whole, new: choice('oidc', 'saml'), provider: text });
