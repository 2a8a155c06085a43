import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { get, type Item } from '../../api/client.ts';

export type Session = Item<'/api/apps/{app_id}/syncs/'>;

/** Something still happens by itself; a held session waits for a person. */
export const isRunning = ({ status, held }: Session) =>
  status === 'in_progress' || (status === 'completing' && held === undefined);

/** How the state of a session is shown: a held one is `completing` to the API. */
export const sessionStatus = ({ status, held }: Session) => (held === undefined ? status : 'held');

/** The newest sessions of an app; read again quickly while one is running. What changes with them is read again, too. */
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
