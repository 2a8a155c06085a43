import { t } from '@lingui/core/macro';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type Answer, get, load } from './client.ts';
import { takeEarly } from './early.ts';
import { ApiError } from './error.ts';

export type Work = Answer<'/api/work/'>;

const EVERY_MS = 60_000;

const query = queryOptions({
  ...get('/api/work/'),
  refetchInterval: EVERY_MS,
  queryFn: async ({ signal }) => {
    const early = await takeEarly<Work>('work');
    // Nobody is signed in. People without their second factor have work later.
    if (early === null && (await takeEarly('me')) === null) throw new ApiError(401, t`Sign in`);
    return early ?? load('/api/work/', {}, signal);
  },
});

/** Returns what waits for the signed-in person. Undefined while it loads. The navigation and the first page share it. */
export const useWork = (): Work | undefined => useQuery(query).data;

/** Returns when that was read. */
export const useWorkReadAt = (): number => useQuery(query).dataUpdatedAt;
