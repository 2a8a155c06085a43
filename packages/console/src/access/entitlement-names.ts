import { useQuery } from '@tanstack/react-query';
import { get } from '../api/client.ts';
import { keyOf } from './chosen.ts';

const NONE: ReadonlyMap<string, string> = new Map();

/** Reads the names of an app's first 200 groups and licenses, for what stores only IDs. Undefined while they load, none in an archived app. */
export function useEntitlementNames(appId: string): ReadonlyMap<string, string> | undefined {
  const { data, isError } = useQuery({
    ...get('/api/apps/{app_id}/resources/', { path: { app_id: appId }, query: { limit: 200 } }),
    staleTime: 60_000,
  });
  if (data === undefined) return isError ? NONE : undefined;
  return new Map(data.results.map((resource) => [keyOf(resource), resource.name || resource.id]));
}
