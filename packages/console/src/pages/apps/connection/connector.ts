import { useQuery } from '@tanstack/react-query';
import { type Answer, api, get, type Item, load, ok } from '../../../api/client.ts';
import { ApiError } from '../../../api/error.ts';
import type { paths } from '../../../api/schema.ts';
import { ifMatch } from '../../../api/version.ts';

export type ConnectorType = Item<'/api/connectors/'>;
export type Connector = Answer<'/api/apps/{app_id}/connector/'>;
export type Run = Item<'/api/apps/{app_id}/connector/runs/'>;
export type RunDetails = Answer<'/api/apps/{app_id}/connector/runs/{run_id}/'>;
export type Schedule = NonNullable<Connector['schedule']>;

type Patch = paths['/api/apps/{app_id}/connector/']['patch'];
export type ConnectorChange = NonNullable<Patch['requestBody']>['content']['application/json'];

/** A step of a test, in the result of its run. */
export interface TestStep {
  step: 'reach' | 'sign_in' | 'list';
  /** The slug of the resource type. */
  type?: string;
  status: 'ok' | 'failed' | 'skipped';
  duration_ms: number;
  message: string;
}

/** The first records of a resource type, in the result of a preview. */
export interface PreviewType {
  slug: string;
  type: string;
  name: string;
  records: Record<string, unknown>[];
  more: boolean;
  skipped: { id: string; reason: string }[];
}

const listIn = <T>(result: RunDetails['result'], name: string): T[] => {
  const value = result?.[name];
  return Array.isArray(value) ? (value as T[]) : [];
};
export const testSteps = (result: RunDetails['result']) => listIn<TestStep>(result, 'steps');
export const previewTypes = (result: RunDetails['result']) => listIn<PreviewType>(result, 'types');

export const isUnfinished = ({ ended_at }: Pick<Run, 'ended_at'>) => ended_at === null;

export const typesQuery = { ...get('/api/connectors/'), staleTime: 300_000 };

const at = (appId: string) => ({ path: { app_id: appId } });

/** Reads the connector of an app, more often while it runs. */
export function useConnector(appId: string, enabled = true) {
  return useQuery({
    ...get('/api/apps/{app_id}/connector/', at(appId)),
    refetchInterval: ({ state }) => {
      const run = state.data?.last_run;
      return run !== undefined && run !== null && isUnfinished(run) ? 1500 : 10_000;
    },
    enabled,
  });
}

export const createConnector = (appId: string, body: ConnectorChange & { type: string }) =>
  ok(api.POST('/api/apps/{app_id}/connector/', { params: at(appId), body }));

export const changeConnector = (appId: string, body: ConnectorChange, version?: string) =>
  ok(
    api.PATCH('/api/apps/{app_id}/connector/', {
      params: { ...at(appId), header: ifMatch(version) },
      body,
    }),
  );

export const loadConnector = (appId: string) => load('/api/apps/{app_id}/connector/', at(appId));

export const deleteConnector = (appId: string) =>
  ok(api.DELETE('/api/apps/{app_id}/connector/', { params: at(appId) }));

export function startRun(appId: string, kind: Run['kind']): Promise<Run> {
  const params = at(appId);
  if (kind === 'test') return ok(api.POST('/api/apps/{app_id}/connector/test/', { params })) as Promise<Run>;
  if (kind === 'preview')
    return ok(api.POST('/api/apps/{app_id}/connector/preview/', { params })) as Promise<Run>;
  return ok(api.POST('/api/apps/{app_id}/connector/run/', { params, body: { kind } })) as Promise<Run>;
}

/** Starts the sync that the guard has stopped. */
export const acceptRemovals = (appId: string) =>
  ok(
    api.POST('/api/apps/{app_id}/connector/run/', {
      params: at(appId),
      body: { kind: 'sync', accept_removals: true },
    }),
  );

/** Starts a sync unless one is queued or running. */
export async function ensureSync(appId: string): Promise<void> {
  try {
    await startRun(appId, 'sync');
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 409)) throw error;
  }
}

export const cancelRun = (appId: string, runId: string) =>
  ok(
    api.POST('/api/apps/{app_id}/connector/runs/{run_id}/cancel/', {
      params: { path: { app_id: appId, run_id: runId } },
    }),
  );

/** Reads a run with its log and result, every second until it ends. */
export function useRun(appId: string, runId: string | undefined) {
  return useQuery({
    ...get('/api/apps/{app_id}/connector/runs/{run_id}/', {
      path: { app_id: appId, run_id: runId ?? '' },
    }),
    enabled: runId !== undefined,
    refetchInterval: ({ state }) => (state.data && !isUnfinished(state.data) ? false : 1000),
  });
}
