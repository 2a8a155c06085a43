import { queryOptions, useQuery } from '@tanstack/react-query';
import { ask, base, organizationSlug } from './base.ts';
import { ApiError } from './error.ts';

export type Role = 'owner' | 'admin' | 'auditor' | 'member';

export interface Me {
  external_uuid: string;
  email: string;
  username: string;
  first_name: string;
  last_name: string;
  role: Role;
  organization: { slug: string; name: string };
  base_url: string;
  second_factor: boolean;
  has_password: boolean;
  api_key: string | null;
}

const anonymous: Me = {
  external_uuid: '',
  email: '',
  username: '',
  first_name: '',
  last_name: '',
  role: 'owner',
  organization: { slug: organizationSlug, name: organizationSlug },
  base_url: location.origin + base,
  second_factor: false,
  has_password: false,
  api_key: null,
};

/** Who is signed in. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) => {
    try {
      return (await (await ask(new Request(`${base}/api/me/`, { signal }))).json()) as Me;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return anonymous;
      throw error;
    }
  },
  staleTime: 60_000,
});

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
