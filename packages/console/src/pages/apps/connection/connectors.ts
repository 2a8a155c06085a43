import { useQuery } from '@tanstack/react-query';
import { everything, get, type Item, list } from '../../../api/client.ts';
import { type Connector, useConnector } from './connector.ts';

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

/** Whether an app has a connector. Undefined while this loads. */
export function useHasConnector(appId: string, enabled = true): boolean | undefined {
  const found = useQuery({
    ...get('/api/app-connectors/', { query: { app: appId } }),
    enabled,
  });
  return found.data && found.data.count > 0;
}

interface Found {
  /** null: the app has none. undefined while this loads. */
  connector: Connector | null | undefined;
  error: unknown;
  again: () => void;
}

/** Reads the connector of an app that may have none. */
export function useConnectorOf(appId: string): Found {
  const states = useQuery(get('/api/app-connectors/', { query: { app: appId } }));
  const has = states.data === undefined ? undefined : states.data.count > 0;
  const connector = useConnector(appId, has === true);
  const failed = states.data === undefined && states.isError ? states : connector;
  return {
    connector: has === false ? null : connector.data,
    error: failed.data === undefined ? failed.error : null,
    again: () => void failed.refetch(),
  };
}
