/** The kinds of decisions that give access (D73). */
export const GRANT_KINDS = ['request', 'policy', 'manual', 'restore', 'business_role', 'emergency'] as const;
export type GrantKind = (typeof GRANT_KINDS)[number];
