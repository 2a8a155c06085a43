import { useQuery } from '@tanstack/react-query';
import { type Answer, get } from './client.ts';

export type Me = Answer<'/api/me/'>;
export type Role = Me['role'];

/** The person who is signed in. */
export const meQuery = { ...get('/api/me/'), staleTime: 60_000 };

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
