import type { Principal } from '#kit/identity.ts';

/** The caller's base_url (D1). */
export const baseUrl = (origin: string, { orgSlug }: Principal) => `${origin}/org/${orgSlug}`;
