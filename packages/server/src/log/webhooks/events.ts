import { type RequestCause, SYSTEM } from '#kit/identity.ts';
import { changedFields } from '#log/events/changes.ts';
import type { NewEvent } from '#log/events/record.ts';
import { hostOf } from './destination.ts';
import type { Settings } from './webhook.ts';

type Named = { id: string } & Pick<Settings, 'name' | 'url'>;

const about = ({ id, name, url }: Named, { actor, source }: RequestCause) => ({
  actor,
  subject: { type: 'system' as const, uuid: id },
  source,
  payload: { webhook_id: id, name, host: hostOf(url) },
});

export const webhookCreated = (webhook: Named, cause: RequestCause): NewEvent => ({
  type: 'webhook.created',
  ...about(webhook, cause),
});

/** Returns no event if nothing differs. Of an address, the event shows the host. */
export function webhookUpdated(
  id: string,
  before: Settings,
  after: Settings,
  cause: RequestCause,
): NewEvent[] {
  const changes = changedFields(before, after, ['name', 'filters', 'enabled']);
  if (before.url !== after.url)
    changes.push({ field: 'url', from: hostOf(before.url), to: hostOf(after.url) });
  if (changes.length === 0) return [];
  const { payload, ...event } = about({ id, ...after }, cause);
  return [{ type: 'webhook.updated', ...event, payload: { ...payload, changes } }];
}

export const webhookDeleted = (webhook: Named, cause: RequestCause): NewEvent => ({
  type: 'webhook.deleted',
  ...about(webhook, cause),
});

export function secretRotated(webhook: Named, previousValidUntil: Date, cause: RequestCause): NewEvent {
  const { payload, ...event } = about(webhook, cause);
  return {
    type: 'webhook.secret_rotated',
    ...event,
    payload: { ...payload, previous_valid_until: previousValidUntil.toISOString() },
  };
}

export function webhookReplayed(webhook: Named, fromEvent: string | null, cause: RequestCause): NewEvent {
  const { payload, ...event } = about(webhook, cause);
  return { type: 'webhook.replayed', ...event, payload: { ...payload, from_event: fromEvent } };
}

export const webhookDisabled = ({ id, name, url }: Named, reason: string): NewEvent => ({
  type: 'webhook.disabled',
  actor: SYSTEM,
  subject: { type: 'system', uuid: id },
  source: { type: 'system', uuid: id },
  payload: { webhook_id: id, name, host: hostOf(url), reason },
});

export const webhookFailing = ({ id, name, url }: Named, reason: string): NewEvent => ({
  type: 'webhook.failing',
  actor: SYSTEM,
  subject: { type: 'system', uuid: id },
  source: { type: 'system', uuid: id },
  payload: { webhook_id: id, name, host: hostOf(url), reason },
});

export function eventSkipped(
  webhook: Named,
  skipped: { event_id: string; event_type: string },
  cause: RequestCause,
): NewEvent {
  const { payload, ...event } = about(webhook, cause);
  return {
    type: 'webhook.event_skipped',
    ...event,
    payload: { ...payload, skipped_event: skipped.event_id, skipped_type: skipped.event_type },
  };
}
