import { search, text } from '../../kit/browser/address.ts';

/**
 * `return`: where to go after sign-in. `error`: why the sign-in through a provider failed. `provider`: the one that sent a response that
 * nobody requested.
 */
export const signInSearch = search({ return: text, error: text, provider: text });

/** `return`: where to go afterwards. */
export const switchSearch = search({ return: text });
