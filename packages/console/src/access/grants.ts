import { useQuery } from '@tanstack/react-query';
import { get, type Item, type Query } from '../api/client.ts';

export type Grant = Item<'/api/grants/'>;

/** The most grants of which the details are read. The others are shown without. */
const LIMIT = 200;

/** Reads the grants in force on accounts, as far as the person may see them. */
export function useGrants(of: Pick<Query<'/api/grants/'>, 'account' | 'user' | 'as_of' | 'known_at'>) {
  const { data } = useQuery({
    ...get('/api/grants/', { query: { ...of, limit: LIMIT } }),
    staleTime: 30_000,
  });
  return data?.results;
}
