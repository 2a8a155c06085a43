import { t } from '@lingui/core/macro';
import type { Item } from '../../api/client.ts';
import type { paths } from '../../api/schema.ts';
import { type Look, Status, statusWord } from '../../kit/controls/status.tsx';
import { listed } from '../../kit/text/listed.ts';
import { formatTag } from '../../language/language.ts';
import type { CATEGORIES } from '../events/search.ts';

export type Webhook = Item<'/api/webhooks/'>;
export type Delivery = Item<'/api/webhooks/{webhook_id}/deliveries/'>;
export type NewWebhook = NonNullable<
  paths['/api/webhooks/']['post']['requestBody']
>['content']['application/json'];

const LOOKS = {
  active: ['good', t`Active`],
  failing: ['warn', t`Failing`],
  paused: ['held', t`Paused`],
  disabled: ['bad', t`Disabled`],
} satisfies Record<Webhook['status'], [Look, string]>;

export function WebhookStatus({ of: { status } }: { of: Webhook }) {
  const [look, word] = LOOKS[status];
  return <Status of={status} look={look} word={word} />;
}

const OUTCOMES = {
  delivered: ['good', t`Delivered`],
  failed: ['bad', t`Failed`],
  skipped: ['warn', t`Events missing`],
} satisfies Record<Delivery['outcome'], [Look, string]>;

export const outcomes = Object.entries(OUTCOMES).map(([value, [, label]]) => ({ value, label }));

export function DeliveryStatus({ of: { outcome } }: { of: Delivery }) {
  const [look, word] = OUTCOMES[outcome];
  return <Status of={outcome} look={look} word={word} />;
}

const CATALOGS: Record<string, string> = {
  contract: t`access and activity`,
  configuration: t`settings and decisions`,
  all: t`all catalogs`,
};

export const CATEGORY_WORDS = {
  authentication: t`authentication`,
  authorization: t`authorization`,
  application: t`application`,
  task: t`task`,
  user_lifecycle: t`lifecycle of people`,
  configuration: t`configuration`,
} satisfies Record<(typeof CATEGORIES)[number], string>;

const lower = (severity: string) => statusWord(severity).toLocaleLowerCase(formatTag);

/** "account.*, critical or high" */
export function filterWords({ filters }: Pick<Webhook, 'filters'>): string {
  const { catalog, event_type, event_type_prefix, category, severity, actor_uuid, subject_uuid, actor_ip } =
    filters;
  const parts = [
    event_type,
    event_type_prefix === undefined ? undefined : `${event_type_prefix}*`,
    category === undefined ? undefined : ((CATEGORY_WORDS as Record<string, string>)[category] ?? category),
    severity === undefined ? undefined : listed(severity.split(',').map(lower), 'disjunction'),
    subject_uuid === undefined ? undefined : t`about ${subject_uuid}`,
    actor_uuid === undefined ? undefined : t`by ${actor_uuid}`,
    actor_ip === undefined ? undefined : t`from ${actor_ip}`,
    catalog === undefined ? undefined : (CATALOGS[catalog] ?? catalog),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? t`Access and activity` : parts.join(', ');
}
