import { choice, flag, search, text, whole } from '../../kit/browser/address.ts';

/** `user`: only keys that act for this person. `transfer`: the key to transfer. */
export const apiKeysSearch = search({ page: whole, new: flag, user: text, transfer: text });

/** `new`: the type of provider to add. `provider`: the open provider. */
export const signInSettingsSearch = search({ page: whole, new: choice('oidc', 'saml'), provider: text });
