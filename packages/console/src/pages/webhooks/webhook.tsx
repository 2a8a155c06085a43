import type { Item } from '../../api/client.ts';
import type { paths } from '../../api/schema.ts';
import { type Look, Status } from '../../parts/status.tsx';

export type Webhook = Item<'/api/webhooks/'>;
export type Delivery = Item<'/api/webhooks/{webhook_id}/deliveries/'>;
export type NewWebhook = NonNullable<
  paths['/api/webhooks/']['post']['requestBody']
>['content']['application/json'];

const LOOKS = {
  active: ['good', 'Active'],
  failing: ['warn', 'Failing'],
  paused: ['held', 'Paused'],
  disabled: ['bad', 'Disabled'],
} satisfies Record<Webhook['status'], [Look, string]>;

export function WebhookStatus({ of: { status } }: { of: Webhook }) {
  const [look, word] = LOOKS[status];
  return <Status of={status} look={look} word={word} />;
}

const OUTCOMES = {
  delivered: ['good', 'Delivered'],
  failed: ['bad', 'Failed'],
  skipped: ['warn', 'Events missing'],
} satisfies Record<Delivery['outcome'], [Look, string]>;

export const outcomes = Object.entries(OUTCOMES).map(([value, [, label]]) => ({ value, label }));

export function DeliveryStatus({ of: { outcome } }: { of: Delivery }) {
  const [look, word] = OUTCOMES[outcome];
  return <Status of={outcome} look={look} word={word} />;
}

const CATALOGS: Record<string, string> = {
  contract: 'access and activity',
  configuration: 'settings and decisions',
  all: 'all catalogs',
};

/** "account.*, critical or high" */
export function filterWords({ filters }: Pick<Webhook, 'filters'>): string {
  const { catalog, event_type, event_type_prefix, category, severity, actor_uuid, subject_uuid, actor_ip } =
    filters;
  const parts = [
    event_type,
    event_type_prefix === undefined ? undefined : `${event_type_prefix}*`,
    category?.replaceAll('_', ' '),
    severity?.split(',').join(' or '),
    subject_uuid === undefined ? undefined : `about ${subject_uuid}`,
    actor_uuid === undefined ? undefined : `by ${actor_uuid}`,
    actor_ip === undefined ? undefined : `from ${actor_ip}`,
    catalog === undefined ? undefined : (CATALOGS[catalog] ?? catalog),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? 'Access and activity' : parts.join(', ');
}
