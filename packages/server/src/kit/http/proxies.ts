/**
 * The proxies whose X-Forwarded-For is trusted (D53): none, as many as the number closest to Gatehouse, or those with
 * these addresses. There is no way to trust all, because callers could then choose their own address.
 */
export type TrustProxy = false | number | string[];
