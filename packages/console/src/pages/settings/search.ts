import { flag, search, text, whole } from '../../kit/browser/address.ts';

/** `user`: only keys that act for this person. `transfer`: the key to transfer. */
export const apiKeysSearch = search({ page: whole, new: flag, user: text, transfer: text });
