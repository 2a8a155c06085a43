import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { get, type Item } from '../../api/client.ts';

export type Session = Item<'/api/apps/{app_id}/syncs/'>;

export const syncAddress = (appId: string, syncId: string) => `/apps/${appId}/syncs/${syncId}`;

/** The number of records that the connector pushed. */
export const pushedBy = ({ progress }: Pick<Session, 'progress'>) =>
  progress.reduce((sum, { synced_count }) => sum + synced_count, 0);

/** Whether a session progresses without a person. A held session waits for an administrator. */
export const isRunning = ({ status, held }: Session) =>
  status === 'in_progress' || (status === 'completing' && held === undefined);

/** The status on screen. The API reports a held session as `completing`. */
export const sessionStatus = ({ status, held }: Session) => (held === undefined ? status : 'held');

/** Reads an app's newest sessions, more often while one is running, and refreshes the page when the latest one changes. */
export function useNewestSessions(appId: string, enabled = true) {
  const client = useQueryClient();
  const sessions = useQuery({
    ...get('/api/apps/{app_id}/syncs/', { path: { app_id: appId }, query: { limit: 5 } }),
    refetchInterval: ({ state }) => (state.data?.results.some(isRunning) ? 1500 : 5000),
    enabled,
  });
  const latest = sessions.data?.results[0];
  const state = latest && `${latest.sync_id} ${sessionStatus(latest)}`;
  const seen = useRef(state);
  useEffect(() => {
    if (seen.current !== state && sessions.isFetchedAfterMount) void client.invalidateQueries();
    seen.current = state;
  }, [client, state, sessions.isFetchedAfterMount]);
  return sessions;
}
