import { useQuery } from '@tanstack/react-query';
import { get } from '../../../api/client.ts';
import { type Connector, useConnector } from './connector.ts';

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
