import { search, text } from '../../kit/browser/address.ts';

/** `return`: where to go after sign-in. `error`: why the sign-in through a provider failed. */
export const signInSearch = search({ return: text, error: text });
