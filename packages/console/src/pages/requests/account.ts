import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';

/** Reads a person's account in an app. Reads nothing if either ID is null. */
export function useAccount(appId: string | null, userId: string | null) {
  const enabled = appId !== null && userId !== null;
  const { data, isPending } = useQuery({
    ...get('/api/accounts/', { query: { app: appId ?? '', user: userId ?? '', limit: 20 } }),
    enabled,
  });
  const live = data?.results.filter(({ status }) => status !== 'INACTIVE');
  return { account: enabled ? (live ?? [])[0] : undefined, isPending: enabled && isPending };
}
