import { t } from '@lingui/core/macro';
import { load } from '../../api/client.ts';
import { useEventTypes } from '../../events/event-types.ts';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { statusWord } from '../../kit/controls/status.tsx';
import { multi, select } from '../../kit/form/choice-fields.tsx';
import { Fields, FieldsRow, useFields } from '../../kit/form/fields.tsx';
import { text } from '../../kit/form/text-fields.tsx';
import { CATEGORIES, SEVERITIES } from '../events/search.ts';
import { CATEGORY_WORDS, type NewWebhook, type Webhook } from './webhook.tsx';

interface Props<T> {
  of?: Webhook;
  action: string;
  send: (body: NewWebhook, version: string | undefined) => Promise<T>;
  after: (result: T) => void;
}

const FIELDS = {
  name: text({ label: t`Name`, required: true, maxLength: 255, 'data-autofocus': true }),
  url: text({
    label: t`Address`,
    description: t`An https address of your receiver. Redirects are not followed.`,
    placeholder: 'https://',
    required: true,
    maxLength: 2048,
  }),
  type: select({
    label: t`Event type`,
    description: t`Without a type, the receiver gets all events that match the other filters.`,
    placeholder: t`Any type`,
    initial: null,
    searchable: true,
    clearable: true,
  }),
  catalog: select({
    label: t`Catalog`,
    placeholder: t`Access and activity`,
    data: [
      { value: 'contract', label: t`Access and activity` },
      { value: 'configuration', label: t`Settings and decisions` },
      { value: 'all', label: t`Both` },
    ],
    initial: null,
    clearable: true,
  }),
  category: select({
    label: t`Category`,
    placeholder: t`Any category`,
    data: CATEGORIES.map((value) => ({ value, label: CATEGORY_WORDS[value] })),
    initial: null,
    clearable: true,
  }),
  severity: multi({
    label: t`Severity`,
    data: SEVERITIES.map((value) => ({ value, label: statusWord(value) })),
    empty: t`Any severity`,
    clearable: true,
  }),
  subject: text({
    label: t`Subject ID`,
    description: t`Only events about this person, app, account, task or request.`,
    maxLength: 36,
  }),
};

/** The settings of a webhook. Filters that the form does not show stay as they are. */
export function WebhookForm<T>({ of, action, send, after }: Props<T>) {
  const types = useEventTypes();
  const form = useFields(FIELDS, {
    of,
    read: () => load('/api/webhooks/{webhook_id}/', { path: { webhook_id: of?.id ?? '' } }),
    from: ({ name, url, filters }: Webhook) => ({
      name,
      url,
      type: filters.event_type ?? filters.event_type_prefix,
      catalog: filters.catalog,
      category: filters.category,
      severity: filters.severity?.split(','),
      subject: filters.subject_uuid,
    }),
    send: ({ name, url, type, catalog, category, severity, subject }, { version }) => {
      const filters = {
        catalog: catalog ?? undefined,
        [type?.endsWith('.') ? 'event_type_prefix' : 'event_type']: type ?? undefined,
        category: category ?? undefined,
        severity: severity.length === 0 ? undefined : severity.join(','),
        subject_uuid: subject || undefined,
        actor_uuid: of?.filters.actor_uuid,
        actor_ip: of?.filters.actor_ip,
      };
      return send({ name, url, filters } as NewWebhook, version);
    },
    after,
  });
  return (
    <DialogForm {...form} action={action}>
      <Fields of={form} only={['name', 'url', 'type']} props={{ type: { data: types } }} />
      <FieldsRow of={form} only={['catalog', 'category']} />
      <Fields of={form} only={['severity', 'subject']} />
    </DialogForm>
  );
}
