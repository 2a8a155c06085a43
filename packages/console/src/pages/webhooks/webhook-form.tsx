import { t } from '@lingui/core/macro';
import { Button, Group, MultiSelect, Select, Stack, TextInput } from '@mantine/core';
import { load } from '../../api/client.ts';
import { useEventTypes } from '../../events/event-types.ts';
import { statusWord } from '../../kit/controls/status.tsx';
import { type Edits, editsFrom, type Row } from '../../kit/form/edits.ts';
import { useApiForm } from '../../kit/form/form.ts';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import { CATEGORIES, SEVERITIES } from '../events/search.ts';
import { CATEGORY_WORDS, type NewWebhook, type Webhook } from './webhook.tsx';

interface Props<T> {
  of?: Webhook;
  action: string;
  send: (body: NewWebhook, version: string | undefined) => Promise<T>;
  after: (result: T) => void;
}

const CATALOGS = [
  { value: 'contract', label: t`Access and activity` },
  { value: 'configuration', label: t`Settings and decisions` },
  { value: 'all', label: t`Both` },
];
const categories = CATEGORIES.map((value) => ({ value, label: CATEGORY_WORDS[value] }));
const severities = SEVERITIES.map((value) => ({ value, label: statusWord(value) }));

const valuesOf = (webhook: Webhook | undefined) => {
  const { catalog, event_type, event_type_prefix, category, severity, subject_uuid } = webhook?.filters ?? {};
  return {
    name: webhook?.name ?? '',
    url: webhook?.url ?? '',
    catalog: catalog ?? null,
    type: event_type ?? event_type_prefix ?? null,
    category: category ?? null,
    severity: severity?.split(',') ?? [],
    subject: subject_uuid ?? '',
  };
};
type Values = ReturnType<typeof valuesOf>;

/** Filters that the form does not show stay as they are. */
function bodyOf(
  { name, url, catalog, type, category, severity, subject }: Values,
  before: Webhook | undefined,
) {
  const { actor_uuid, actor_ip } = before?.filters ?? {};
  const filters = {
    catalog: catalog ?? undefined,
    [type?.endsWith('.') ? 'event_type_prefix' : 'event_type']: type ?? undefined,
    category: category ?? undefined,
    severity: severity.length === 0 ? undefined : severity.join(','),
    subject_uuid: subject.trim() === '' ? undefined : subject.trim(),
    actor_uuid,
    actor_ip,
  };
  return { name: name.trim(), url: url.trim(), filters };
}

/** Returns the rows to compare if somebody else has changed the webhook. */
function rowsOf(values: Values): Row[] {
  const text = (label: string, value: string) => ({ label, value, show: value });
  const chosen = (options: { value: string; label: string }[], value: string | null) =>
    options.find((one) => one.value === value)?.label ?? '';
  return [
    text(t`Name`, values.name.trim()),
    text(t`Address`, values.url.trim()),
    text(t`Event type`, values.type ?? ''),
    text(t`Catalog`, chosen(CATALOGS, values.catalog)),
    text(t`Category`, chosen(categories, values.category)),
    text(t`Severity`, values.severity.map((one) => chosen(severities, one)).join(', ')),
    text(t`Subject ID`, values.subject.trim()),
  ];
}

const editsOf = (webhook: Webhook): Edits<Values> =>
  editsFrom(
    webhook,
    () => load('/api/webhooks/{webhook_id}/', { path: { webhook_id: webhook.id } }),
    valuesOf,
    rowsOf,
  );

/** The settings of a webhook. */
export function WebhookForm<T>({ of, action, send, after }: Props<T>) {
  const types = useEventTypes();
  const { form, submit, pending, failure } = useApiForm({
    initialValues: valuesOf(of),
    send: (values, version) => send(bodyOf(values, of) as NewWebhook, version),
    ...(of === undefined ? {} : { edits: editsOf(of) }),
    after,
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput label={t`Name`} required maxLength={255} data-autofocus {...form.getInputProps('name')} />
        <TextInput
          label={t`Address`}
          description={t`An https address of your receiver. Redirects are not followed.`}
          placeholder="https://"
          required
          maxLength={2048}
          {...form.getInputProps('url')}
        />
        <Select
          label={t`Event type`}
          description={t`Without a type, the receiver gets all events that match the other filters.`}
          placeholder={t`Any type`}
          data={types}
          searchable
          clearable
          {...form.getInputProps('type')}
        />
        <Group gap="sm" grow align="flex-start">
          <Select
            label={t`Catalog`}
            placeholder={t`Access and activity`}
            data={CATALOGS}
            clearable
            {...form.getInputProps('catalog')}
          />
          <Select
            label={t`Category`}
            placeholder={t`Any category`}
            data={categories}
            clearable
            {...form.getInputProps('category')}
          />
        </Group>
        <MultiSelect
          label={t`Severity`}
          data={severities}
          clearable
          {...(form.values.severity.length === 0 ? { placeholder: t`Any severity` } : {})}
          {...form.getInputProps('severity')}
        />
        <TextInput
          label={t`Subject ID`}
          description={t`Only events about this person, app, account, task or request.`}
          maxLength={36}
          {...form.getInputProps('subject')}
        />
        <FormFailure of={failure} />
        <Group justify="flex-end">
          <Button type="submit" loading={pending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
