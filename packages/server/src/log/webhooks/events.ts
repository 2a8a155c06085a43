import { type Actor, type RequestCause, SYSTEM } from '#kit/identity.ts';
import { changedFields } from '#log/events/changes.ts';
import type { NewEvent } from '#log/events/record.ts';
import { hostOf } from './destination.ts';
import type { Settings } from './webhook.ts';

type Named = { id: string } & Pick<Settings, 'name' | 'url'>;

/** Returns an event about a webhook, except for its type. The payload has the host only: the rest of the address may be secret. */
const about = <C extends { actor: Actor; source: object }, T extends object>(
  { id, name, url }: Named,
  { actor, source }: C,
  more: T,
) => ({
  actor,
  subject: { type: 'system' as const, uuid: id },
  source: source as C['source'],
  payload: { webhook_id: id, name, host: hostOf(url), ...more },
});

/** The cause of what the deliveries of a webhook lead to. */
const byItself = ({ id }: Named) => ({ actor: SYSTEM, source: { type: 'system' as const, uuid: id } });

export const webhookCreated = (webhook: Named, cause: RequestCause): NewEvent => ({
  type: 'webhook.created',
  ...about(webhook, cause, {}),
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
  return [{ type: 'webhook.updated', ...about({ id, ...after }, cause, { changes }) }];
}

export const webhookDeleted = (webhook: Named, cause: RequestCause): NewEvent => ({
  type: 'webhook.deleted',
  ...about(webhook, cause, {}),
});

export const secretRotated = (webhook: Named, previousValidUntil: Date, cause: RequestCause): NewEvent => ({
  type: 'webhook.secret_rotated',
  ...about(webhook, cause, { previous_valid_until: previousValidUntil.toISOString() }),
});

export const webhookReplayed = (webhook: Named, fromEvent: string | null, cause: RequestCause): NewEvent => ({
  type: 'webhook.replayed',
  ...about(webhook, cause, { from_event: fromEvent }),
});

export const webhookDisabled = (webhook: Named, reason: string): NewEvent => ({
  type: 'webhook.disabled',
  ...about(webhook, byItself(webhook), { reason }),
});

export const webhookFailing = (webhook: Named, reason: string): NewEvent => ({
  type: 'webhook.failing',
  ...about(webhook, byItself(webhook), { reason }),
});

export const eventSkipped = (
  webhook: Named,
  skipped: { event_id: string; event_type: string },
  cause: RequestCause,
): NewEvent => ({
  type: 'webhook.event_skipped',
  ...about(webhook, cause, { skipped_event: skipped.event_id, skipped_type: skipped.event_type }),
});
