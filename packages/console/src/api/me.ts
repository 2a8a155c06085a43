import { t } from '@lingui/core/macro';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { loseSession } from './base.ts';
import { type Answer, get, load } from './client.ts';
import { takeEarly } from './early.ts';
import { ApiError } from './error.ts';

export type Me = Answer<'/api/me/'>;
export type Role = Me['role'];

/** The person who is signed in. */
export const meQuery = queryOptions({
  ...get('/api/me/'),
  staleTime: 60_000,
  queryFn: async ({ signal }) => {
    const early = await takeEarly<Me>('me');
    if (early === null && !(await loseSession())) throw new ApiError(401, t`Sign in`);
    return early ?? load('/api/me/', {}, signal);
  },
});

/** Returns what the signed-in person's role allows (protocol 16). Allows nothing until the role is loaded. */
export function useMe() {
  const { data: me } = useQuery(meQuery);
  const role = me?.role;
  return {
    me,
    role,
    /** Owners, who alone change sign-in providers. */
    owns: role === 'owner',
    /** Owners and administrators. */
    manages: role === 'owner' || role === 'admin',
    /** Owners, administrators and auditors. */
    readsAll: role === 'owner' || role === 'admin' || role === 'auditor',
  };
}
