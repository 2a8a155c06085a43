import { useQuery } from '@tanstack/react-query';
import { get, useChange } from '../../../api/client.ts';
import { isUnfinished, startRun, useRun } from './connector.ts';

/** The newest test or preview of an app, and how to start another one. */
export function useTrial(appId: string, kind: 'test' | 'preview') {
  const runs = useQuery(
    get('/api/apps/{app_id}/connector/runs/', { path: { app_id: appId }, query: { kind, limit: 1 } }),
  );
  const newest = runs.data?.results[0];
  const run = useRun(appId, newest?.id);
  const start = useChange(() => startRun(appId, kind));
  const busy = start.isPending || (newest !== undefined && isUnfinished(run.data ?? newest));
  return { run: run.data, newest, busy, isLoading: runs.isPending, start: () => start.mutate(undefined) };
}
