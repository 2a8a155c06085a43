import { useQuery } from '@tanstack/react-query';
import { everything, get, type Item, list } from '../api/client.ts';

export type ConnectorState = Item<'/api/app-connectors/'>;

/** Reads the states of all connectors by app, for the list of apps. */
export function useConnectorStates(enabled: boolean): ReadonlyMap<string, ConnectorState> {
  const states = useQuery({
    queryKey: ['/api/app-connectors/', 'all'],
    queryFn: async ({ signal }) => {
      const found = new Map<string, ConnectorState>();
      for await (const one of everything(list('/api/app-connectors/'), signal)) found.set(one.app_id, one);
      return found;
    },
    enabled,
    refetchInterval: 30_000,
  });
  return states.data ?? NONE;
}

const NONE: ReadonlyMap<string, ConnectorState> = new Map();

const useStates = (appId: string, enabled: boolean) =>
  useQuery({ ...get('/api/app-connectors/', { query: { app: appId } }), enabled });

/** Whether an app has a connector. Undefined while this loads. */
export function useHasConnector(appId: string, enabled = true): boolean | undefined {
  const { data, isFetching } = useStates(appId, enabled);
  return isFetching ? undefined : data && data.count > 0;
}

/** The state of an app's connector. Undefined if it has none, and while this loads. */
export const useConnectorState = (appId: string, enabled: boolean): ConnectorState | undefined =>
  useStates(appId, enabled).data?.results[0];
