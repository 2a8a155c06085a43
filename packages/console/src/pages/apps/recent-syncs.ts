import { queryOptions } from '@tanstack/react-query';
import { type Item, load } from '../../api/client.ts';

const PATH = '/api/syncs/recent/';
export type RecentSync = Item<typeof PATH>['syncs'][number];

/** The most apps that the server takes in one request. */
const BATCH = 50;

type Waiting = { appId: string; settle: (found: Promise<RecentSync[]>) => void };
let waiting: Waiting[] = [];

/** Reads the newest syncs of an app. Apps that are asked for at the same time share a request. */
export const recentSyncs = (appId: string) =>
  queryOptions({ queryKey: [PATH, appId], queryFn: () => recentOf(appId), staleTime: 10_000 });

function recentOf(appId: string): Promise<RecentSync[]> {
  if (waiting.length === 0) setTimeout(readWaiting);
  return new Promise((resolve) => {
    waiting.push({ appId, settle: resolve });
  });
}

function readWaiting(): void {
  const all = waiting;
  waiting = [];
  for (let at = 0; at < all.length; at += BATCH) {
    const some = all.slice(at, at + BATCH);
    const found = load(PATH, { query: { app_ids: some.map(({ appId }) => appId).join(',') } });
    for (const { appId, settle } of some)
      settle(found.then(({ results }) => results.find((one) => one.app_id === appId)?.syncs ?? []));
  }
}
