import { useQuery } from '@tanstack/react-query';
import { get } from '../../../api/client.ts';
import { isUnfinished, type Run } from './connector.ts';

/** Returns the newest run of a kind, read more often while it is unfinished. */
export function useLatestRun(appId: string, kind: Run['kind']): Run | undefined {
  const runs = useQuery({
    ...get('/api/apps/{app_id}/connector/runs/', { path: { app_id: appId }, query: { kind, limit: 1 } }),
    refetchInterval: ({ state }) => (state.data?.results.some(isUnfinished) ? 1000 : 10_000),
  });
  return runs.data?.results[0];
}
