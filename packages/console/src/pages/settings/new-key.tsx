import { Alert, Button, Checkbox, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { api, ok, useChange } from '../../api/client.ts';
import { detailOf } from '../../api/error.ts';
import { AppsPicker } from '../../parts/apps-picker.tsx';
import { CodeBlock } from '../../parts/code.tsx';
import { exact } from '../../parts/words.ts';

const SCOPES = [
  { value: 'bridge', label: 'bridge', means: 'Connectors: push records, carry out tasks.' },
  { value: 'events', label: 'events', means: 'Read every event of the organization.' },
  { value: 'read', label: 'read', means: 'Read accounts, tasks and requests.' },
  {
    value: 'govern',
    label: 'govern',
    means: 'Whatever your own role may: people, requests, reviews, policies.',
  },
] as const;
type Scope = (typeof SCOPES)[number]['value'];

const EXPIRIES = [
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: 'date', label: 'At the end of a day' },
  { value: 'never', label: 'Never' },
];

function expiryOf(choice: string, date: string): string | null {
  if (choice === 'never') return null;
  if (choice === 'date') return `${date}T23:59:59Z`;
  return new Date(Date.now() + Number(choice) * 86_400_000).toISOString();
}

/** Makes a key, and shows it this once. */
export function NewKey({ opened, close }: { opened: boolean; close: () => void }) {
  const create = useChange(
    (body: { name: string; scopes: Scope[]; apps: string[] | null; expires_at: string | null }) =>
      ok(api.POST('/api/api-keys/', { body })),
    { tell: false },
  );
  const over = () => {
    close();
    create.reset();
  };
  const made = create.data;
  return (
    <Modal
      opened={opened}
      onClose={over}
      title={made === undefined ? 'New API key' : `${made.name} is ready`}
      size="lg"
      closeOnClickOutside={made === undefined}
      closeOnEscape={made === undefined}
      withCloseButton={made === undefined}
    >
      {made === undefined ? (
        <Form create={create.mutate} pending={create.isPending} error={create.error} />
      ) : (
        <Stack gap="sm">
          <Text size="sm">
            Keep it now. Gatehouse keeps only its fingerprint: nobody, you neither, can see it again.
          </Text>
          <CodeBlock text={made.key} what="API key" />
          <Text size="sm" c="dimmed">
            Scopes {made.scopes.join(', ')}.{' '}
            {made.apps === null ? 'All apps.' : `Apps chosen: ${made.apps.length}.`}{' '}
            {made.expires_at === null
              ? 'It never expires.'
              : `It expires on ${exact(new Date(made.expires_at))}.`}
          </Text>
          <Group justify="flex-end">
            <Button onClick={over}>I have kept it</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

interface FormProps {
  create: (body: { name: string; scopes: Scope[]; apps: string[] | null; expires_at: string | null }) => void;
  pending: boolean;
  error: unknown;
}

function Form({ create, pending, error }: FormProps) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<Scope[]>(['bridge', 'events', 'read']);
  const [all, setAll] = useState(true);
  const [apps, setApps] = useState<string[]>([]);
  const [expiry, setExpiry] = useState('90');
  const [date, setDate] = useState('');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    create({ name: name.trim(), scopes, apps: all ? null : apps, expires_at: expiryOf(expiry, date) });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="Name"
          description="What it is for: the connector, the script, the monitoring system."
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          required
          maxLength={255}
          data-autofocus
        />
        <Checkbox.Group
          label="Scopes"
          value={scopes}
          onChange={(next) => setScopes(next as Scope[])}
          {...(scopes.length === 0 ? { error: 'Choose at least one.' } : {})}
        >
          <Stack gap={6} mt={4}>
            {SCOPES.map(({ value, label, means }) => (
              <Checkbox key={value} value={value} label={label} description={means} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Checkbox
          label="For all apps, those to come too"
          checked={all}
          onChange={({ currentTarget }) => setAll(currentTarget.checked)}
        />
        {!all && (
          <AppsPicker
            label="Apps"
            description="A key for some apps reads no events: those are the whole organization's."
            value={apps}
            set={setApps}
          />
        )}
        <Group gap="sm" align="flex-end">
          <Select
            label="Expires"
            data={EXPIRIES}
            value={expiry}
            onChange={(next) => setExpiry(next ?? '90')}
            allowDeselect={false}
          />
          {expiry === 'date' && (
            <TextInput
              label="Day, in UTC"
              type="date"
              min={new Date().toISOString().slice(0, 10)}
              value={date}
              onChange={({ currentTarget }) => setDate(currentTarget.value)}
              required
            />
          )}
        </Group>
        {error !== null && (
          <Alert color="red" role="alert">
            {detailOf(error)}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={pending} disabled={scopes.length === 0}>
            Create key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
