import type { App } from '#inventory/apps/app.ts';
import type { RequestCause } from '#kit/identity.ts';
import { changedFields } from '#log/events/changes.ts';
import type { NewEvent } from '#log/events/record.ts';
import type { Connector, Run } from './connector.ts';

type Named = Pick<App, 'id' | 'name'>;

const about = (app: Named, type: string, { actor, source }: RequestCause) => ({
  actor,
  subject: { type: 'app' as const, uuid: app.id },
  source,
  payload: { app_id: app.id, app_name: app.name, connector_type: type },
});

export const connectorAdded = (app: Named, type: string, cause: RequestCause): NewEvent => ({
  type: 'connector.created',
  ...about(app, type, cause),
});

export const connectorRemoved = (app: Named, type: string, cause: RequestCause): NewEvent => ({
  type: 'connector.deleted',
  ...about(app, type, cause),
});

type Changed = Pick<
  Connector,
  'settings' | 'schedule' | 'carries_out_tasks' | 'definition' | 'paused' | 'acts_for'
>;

/** Returns the events of a change. Of a definition, the event shows that it changed, but not its text. */
export function connectorChanged(
  app: Named,
  type: string,
  before: Changed,
  after: Changed,
  cause: RequestCause,
): NewEvent[] {
  const { payload, ...event } = about(app, type, cause);
  const changes = changedFields(before, after, ['settings', 'schedule', 'carries_out_tasks', 'acts_for']);
  if (before.definition !== after.definition) changes.push({ field: 'definition', from: null, to: null });
  const events: NewEvent[] =
    changes.length === 0 ? [] : [{ type: 'connector.changed', ...event, payload: { ...payload, changes } }];
  if (before.paused !== after.paused)
    events.push({ type: after.paused ? 'connector.paused' : 'connector.resumed', ...event, payload });
  return events;
}

/** Returns no event without changes. Secrets appear by name only. */
export function credentialsChanged(
  app: Named,
  type: string,
  { set, removed }: { set: string[]; removed: string[] },
  cause: RequestCause,
): NewEvent[] {
  if (set.length + removed.length === 0) return [];
  const { payload, ...event } = about(app, type, cause);
  return [{ type: 'connector.credentials_changed', ...event, payload: { ...payload, set, removed } }];
}

export function runEvent(
  type: 'connector.run_requested' | 'connector.run_cancelled',
  app: Named,
  connectorType: string,
  { id, kind, accepts_removals }: Pick<Run, 'id' | 'kind' | 'accepts_removals'>,
  cause: RequestCause,
): NewEvent {
  const { payload, ...event } = about(app, connectorType, cause);
  return {
    type,
    ...event,
    payload: { ...payload, run_id: id, kind, ...(accepts_removals ? { accepts_removals } : {}) },
  };
}
