import { plural, t } from '@lingui/core/macro';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import {
  type CreatedKey,
  createKey,
  EXPIRIES,
  expiryIn,
  keyField,
  type NewKey as NewApiKey,
  SaveKey,
} from '../../api-keys/created-key.tsx';
import { apps } from '../../apps/app-fields.tsx';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { checks, select } from '../../kit/form/choice-fields.tsx';
import { Fields, useFields } from '../../kit/form/fields.tsx';
import { radios } from '../../kit/form/radio-field.tsx';
import { text } from '../../kit/form/text-fields.tsx';
import { localInput, zonedTime } from '../../kit/text/words.ts';

type Scope = NonNullable<NewApiKey['scopes']>[number];

const SCOPES = {
  bridge: t`For connectors: push records and carry out tasks.`,
  events: t`Read all events of the organization.`,
  read: t`Read accounts, tasks and requests.`,
  govern: t`Do whatever your role allows: manage people, requests, reviews and policies.`,
  scim: t`For an identity provider: keep people and groups up to date through SCIM.`,
} satisfies Record<Scope | 'scim', string>;

const ENDS = [
  EXPIRIES[7],
  EXPIRIES[30],
  EXPIRIES[90],
  { value: 'date', label: t`On a date` },
  EXPIRIES.never,
];

const expiryOf = (expiry: string, date: string) =>
  expiry === 'date' ? new Date(`${date}T23:59:59`).toISOString() : expiryIn(expiry);

const createdTitle = ({ name }: CreatedKey) => t`${name} was created`;

/** Creates an API key, and shows it once. */
export function NewKey({ close }: { close: () => void }) {
  const [created, setCreated] = useState<CreatedKey>();
  const isForm = created === undefined;
  return (
    <Modal
      opened
      onClose={close}
      title={isForm ? t`Create API key` : createdTitle(created)}
      size="lg"
      closeOnClickOutside={isForm}
      closeOnEscape={isForm}
      withCloseButton={isForm}
    >
      {isForm ? <KeyForm created={setCreated} /> : <CreatedView of={created} close={close} />}
    </Modal>
  );
}

function rightsOf({ scopes, apps }: CreatedKey): string {
  const names = scopes.join(', ');
  if (apps === null) return t`Scopes: ${names}. Apps: all.`;
  return plural(apps.length, {
    one: `Scopes: ${names}. Apps: # app.`,
    other: `Scopes: ${names}. Apps: # apps.`,
  });
}

function expiryWords({ expires_at }: CreatedKey): string {
  if (expires_at === null) return t`The key never expires.`;
  const moment = zonedTime(new Date(expires_at));
  return t`The key expires on ${moment}.`;
}

function CreatedView({ of: created, close }: { of: CreatedKey; close: () => void }) {
  return (
    <Stack gap="sm">
      <div>
        <SaveKey of={created} />
      </div>
      <Text size="sm" c="dimmed">
        {rightsOf(created)} {expiryWords(created)}
      </Text>
      <Group justify="flex-end">
        <Button onClick={close}>{t`I saved the key`}</Button>
      </Group>
    </Stack>
  );
}

const FIELDS = {
  name: text({
    label: t`Name`,
    description: t`The connector, script or monitoring system that uses the key.`,
    required: true,
    maxLength: 255,
    'data-autofocus': true,
  }),
  scopes: checks({
    label: t`Scopes`,
    data: Object.entries(SCOPES).map(([scope, description]) => ({
      value: scope as Scope,
      label: scope,
      description,
    })),
  }),
  reach: radios({
    label: t`Access to apps`,
    data: [
      { value: 'selected', label: t`Selected apps` },
      { value: 'all', label: t`All apps, including future ones` },
    ],
    initial: '',
  }),
  /** Only if `reach` is "selected". */
  apps: apps({
    label: t`Apps`,
    description: t`A key for selected apps cannot read events, people, reviews or policies, because they concern the whole organization.`,
  }),
  expiry: select({ label: t`Expires`, data: ENDS, initial: '90' }),
  /** Only if `expiry` is "date". */
  date: text({ label: t`Date`, type: 'date', required: true }),
};

function KeyForm({ created }: { created: (key: CreatedKey) => void }) {
  const form = useFields(FIELDS, {
    validate: {
      scopes: (scopes) => (scopes.length === 0 ? t`Select at least one scope.` : null),
      reach: (reach) => (reach === '' ? t`Select the apps that the key can access.` : null),
      apps: (chosen, { reach }) =>
        reach === 'selected' && chosen.length === 0 ? t`Select at least one app.` : null,
    },
    fieldOf: keyField,
    send: ({ name, scopes, reach, apps: chosen, expiry, date }) =>
      createKey({
        name,
        scopes,
        apps: reach === 'all' ? null : chosen,
        expires_at: expiryOf(expiry, date),
      }),
    after: created,
  });
  const { reach, expiry } = form.values;
  return (
    <DialogForm {...form} action={t`Create key`}>
      <Fields of={form} only={['name', 'scopes', 'reach', reach === 'selected' && 'apps']} />
      <Group gap="sm" align="flex-end">
        <Fields
          of={form}
          only={['expiry', expiry === 'date' && 'date']}
          props={{ date: { min: localInput(new Date().toISOString()).slice(0, 10) } }}
        />
      </Group>
    </DialogForm>
  );
}
