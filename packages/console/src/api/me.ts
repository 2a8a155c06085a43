import { useQuery } from '@tanstack/react-query';
import { type Answer, get } from './client.ts';

export type Me = Answer<'/api/me/'>;
export type Role = Me['role'];

/** Who is signed in. */
export const meQuery = { ...get('/api/me/'), staleTime: 60_000 };

/** What the role of who is signed in allows (governance.md "Roles"); nothing until that is known. */
export function useMe() {
  const { data: me } = useQuery(meQuery);
  const role = me?.role;
  return {
    me,
    role,
    /** Owners and administrators. */
    manages: role === 'owner' || role === 'admin',
    /** They, and auditors. */
    readsAll: role === 'owner' || role === 'admin' || role === 'auditor',
  };
}
