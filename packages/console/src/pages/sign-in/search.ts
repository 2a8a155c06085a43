import { search, text } from '../../parts/address.ts';

/** `return`: where the person was; `error`: why an identity provider sent them back. */
export const signInSearch = search({ return: text, error: text });
