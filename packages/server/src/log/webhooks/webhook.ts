import { FILTER_NAMES, type Filters } from '#log/events/filters.ts';

/** The filters of the events API, except for those by the time of the event and by a single sync. */
export const WEBHOOK_FILTERS = FILTER_NAMES.filter(
  (name): name is Exclude<keyof Filters, `occurred_at__${string}` | 'sync_uuid'> =>
    !name.startsWith('occurred_at') && name !== 'sync_uuid',
);

/** The settings that an administrator chooses for a webhook. */
export interface Settings {
  name: string;
  url: string;
  filters: Filters;
  enabled: boolean;
}

export interface Webhook extends Settings {
  id: string;
  /** Why Gatehouse disabled it. Null if a person did. */
  disabled_reason: string | null;
  /** Events recorded up to here are delivered, or do not match the filters. */
  position: Date;
  last_delivered_at: Date | null;
  /** Failed attempts to deliver the next event. */
  attempts: number;
  first_failed_at: Date | null;
  next_attempt_at: Date | null;
  last_status: number | null;
  last_error: string | null;
  /** The event that could not be delivered. Null without failed attempts, or if the delivery log no longer has one. */
  failing_event: { event_id: string; event_type: string } | null;
  /** Null unless the previous secret still signs. */
  previous_valid_until: Date | null;
  created_at: Date;
  updated_at: Date;
}

export type WebhookStatus = 'active' | 'failing' | 'paused' | 'disabled';

export function statusOf({ enabled, disabled_reason, attempts }: Webhook): WebhookStatus {
  if (!enabled) return disabled_reason === null ? 'paused' : 'disabled';
  return attempts === 0 ? 'active' : 'failing';
}

/** An attempt to deliver, or a notice that events are missing. */
export interface Delivery {
  id: string;
  event_id: string | null;
  event_type: string | null;
  attempt: number;
  outcome: DeliveryOutcome;
  status: number | null;
  duration_ms: number | null;
  error: string | null;
  response: string | null;
  at: Date;
}

export const DELIVERY_OUTCOMES = ['delivered', 'failed', 'skipped'] as const;
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];
