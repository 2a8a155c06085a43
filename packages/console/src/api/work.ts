import { queryOptions, useQuery } from '@tanstack/react-query';
import { type Answer, get, load } from './client.ts';
import { takeEarly } from './early.ts';

export type Work = Answer<'/api/work/'>;

const EVERY_MS = 60_000;

const query = queryOptions({
  ...get('/api/work/'),
  refetchInterval: EVERY_MS,
  queryFn: async ({ signal }) => (await takeEarly<Work>('work')) ?? load('/api/work/', {}, signal),
});

/** Returns what waits for the signed-in person. Undefined while it loads. The navigation and the first page share it. */
export const useWork = (): Work | undefined => useQuery(query).data;

/** Returns when that was read. */
export const useWorkReadAt = (): number => useQuery(query).dataUpdatedAt;
