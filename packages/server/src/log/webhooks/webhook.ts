import type { Static } from 'typebox';
import type { Filters } from '#log/events/filters.ts';
import type { WebhookItem } from './schemas.ts';

/** The settings that an administrator chooses for a webhook. */
export interface Settings {
  name: string;
  url: string;
  filters: Filters;
  enabled: boolean;
}

type Shown = Static<typeof WebhookItem>;
type Failure = NonNullable<Shown['failure']>;

/**
 * A webhook as SQL returns it. `attempts` and the fields that begin with `last_` are about the next event. `failing_event` is null
 * without failed attempts, or if the delivery log no longer has the event.
 */
export interface Webhook
  extends Settings,
    Pick<Shown, 'id' | 'disabled_reason' | 'position' | 'last_delivered_at' | 'created_at' | 'updated_at'>,
    Pick<Failure, 'attempts' | 'first_failed_at' | 'next_attempt_at'> {
  last_status: Failure['status'];
  last_error: Failure['error'];
  failing_event: { event_id: string; event_type: string } | null;
  previous_valid_until: Shown['previous_secret_valid_until'];
}

function statusOf({ enabled, disabled_reason, attempts }: Webhook): Shown['status'] {
  if (!enabled) return disabled_reason === null ? 'paused' : 'disabled';
  return attempts === 0 ? 'active' : 'failing';
}

export function webhookItem(webhook: Webhook): Shown {
  const {
    attempts,
    first_failed_at,
    next_attempt_at,
    last_status: status,
    last_error: error,
    failing_event,
    ...rest
  } = webhook;
  const { previous_valid_until, ...shown } = rest;
  return {
    ...shown,
    status: statusOf(webhook),
    failure:
      error === null
        ? null
        : {
            attempts,
            first_failed_at,
            next_attempt_at,
            status,
            error,
            event_id: failing_event?.event_id ?? null,
            event_type: failing_event?.event_type ?? null,
          },
    previous_secret_valid_until: previous_valid_until,
  };
}
