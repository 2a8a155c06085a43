import { t } from '@lingui/core/macro';
import { Alert, Button, Group, Modal, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Chosen, changesOf, chosenOf, idsBySlug } from '../../access/chosen.ts';
import { HeldPicker, ResourcePicker } from '../../access/resource-picker.tsx';
import { api, get, type Item, ok } from '../../api/client.ts';
import { AppPicker } from '../../apps/app-picker.tsx';
import { NobodyCarriesOut } from '../../apps/nobody-carries-out.tsx';
import { picker, useApiForm } from '../../kit/form/form.ts';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import { IconAlertTriangle } from '../../kit/icons/icons.ts';
import { PersonPicker } from '../../people/person.tsx';
import { DeletionUnderWay, deletionIn, useRemovals } from '../../tasks/under-way.tsx';
import { AccountPicker } from './account-picker.tsx';
import { ACTIONS, type Action, actionWord } from './task.ts';

type Account = Item<'/api/accounts/'>;

/** Creates a manual task (protocol 12) and opens it. */
export function NewTask({ opened, close }: { opened: boolean; close: () => void }) {
  return (
    <Modal opened={opened} onClose={close} title={t`Create task`} size="lg">
      <TaskForm />
    </Modal>
  );
}

function TaskForm() {
  const [app, setApp] = useState<string | null>(null);
  const [action, setAction] = useState<Action>('create_account');
  return (
    <Stack gap="sm">
      <AppPicker label={t`App`} value={app} set={setApp} required data-autofocus />
      <Select
        label={t`Task`}
        data={ACTIONS.map((value) => ({ value, label: actionWord(value) }))}
        value={action}
        onChange={(next) => next !== null && setAction(next)}
        allowDeselect={false}
      />
      {app !== null && <NobodyCarriesOut key={app} appId={app} />}
      {app !== null && <TaskFields key={`${app} ${action}`} app={app} action={action} />}
    </Stack>
  );
}

interface Values {
  user: string | null;
  account: Account | undefined;
  resource_type: string | null;
  added: Chosen[];
  removed: Chosen[];
  /** In local time, as the field writes it. */
  execute_after: string;
  reason: string;
  confirmation: string;
}

const NOTHING: Values = {
  user: null,
  account: undefined,
  resource_type: null,
  added: [],
  removed: [],
  execute_after: '',
  reason: '',
  confirmation: '',
};

function bodyOf(app: string, action: Action, values: Values) {
  const { user, account, resource_type, added, removed, execute_after, reason } = values;
  const creates = action === 'create_account';
  return {
    app,
    action,
    user: creates ? user : null,
    account: account?.external_uuid ?? null,
    resource_type,
    memberships: creates ? idsBySlug(added, 'group') : null,
    assignments: creates ? idsBySlug(added, 'license') : null,
    changes: action === 'update_account' ? changesOf(added, removed) : null,
    execute_after: execute_after === '' ? null : new Date(execute_after).toISOString(),
    reason: reason.trim() || null,
  };
}

/** Groups and licenses have one field each for additions and removals. */
function fieldOf(path: string): string {
  if (/^changes\..*\.removed\b/.test(path)) return 'removed';
  return /^(memberships|assignments|changes)\b/.test(path) ? 'added' : path;
}

function TaskFields({ app, action }: { app: string; action: Action }) {
  const navigate = useNavigate();
  const { form, submit, pending, failure } = useApiForm({
    initialValues: NOTHING,
    fieldOf,
    send: (values) => ok(api.POST('/api/tasks/', { body: bodyOf(app, action, values) })),
    success: t`Task created`,
    after: ({ external_uuid }) => void navigate({ to: '/tasks/$taskId', params: { taskId: external_uuid } }),
  });
  const { user, account, added, removed, confirmation } = form.values;
  const creates = action === 'create_account';
  const updates = action === 'update_account';
  const deletes = action === 'delete_account';
  const name = account === undefined ? '' : account.email || account.username || account.external_uuid;
  const removals = useRemovals(deletes ? account?.external_uuid : undefined);
  const deletion = removals && deletionIn(removals);
  const ready =
    !(deletes && deletion !== undefined) &&
    (creates ? user !== null : account !== undefined) &&
    (!updates || added.length + removed.length > 0) &&
    (!deletes || confirmation.trim() === name);

  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {creates ? (
          <>
            <PersonPicker label={t`Person`} required {...picker(form.getInputProps('user'))} />
            <AccountType app={app} {...picker(form.getInputProps('resource_type'))} />
          </>
        ) : (
          <AccountPicker
            app={app}
            {...picker(form.getInputProps('account'))}
            set={(next) => form.setValues({ account: next, added: [], removed: [] })}
          />
        )}
        {(creates || (updates && account !== undefined)) && (
          <ResourcePicker
            label={creates ? t`Groups and licenses` : t`Add`}
            appId={app}
            held={account === undefined ? [] : chosenOf(account)}
            {...picker(form.getInputProps('added'))}
          />
        )}
        {updates && account !== undefined && (
          <HeldPicker label={t`Remove`} held={chosenOf(account)} {...picker(form.getInputProps('removed'))} />
        )}
        <TextInput
          type="datetime-local"
          label={t`Start`}
          description={t`In your local time. Leave empty to start now.`}
          {...form.getInputProps('execute_after')}
        />
        <Textarea
          label={t`Reason`}
          description={t`Recorded on the task and in the event log.`}
          maxLength={2000}
          rows={2}
          {...form.getInputProps('reason')}
        />
        {deletes && account !== undefined && (
          <TextInput
            label={t`Type ${name} to confirm`}
            description={t`The connector deletes the account and all its access in the app. This cannot be undone.`}
            autoComplete="off"
            {...form.getInputProps('confirmation')}
          />
        )}
        {deletes && deletion !== undefined && (
          <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
            <DeletionUnderWay of={deletion} />
          </Alert>
        )}
        <FormFailure of={failure} />
        <Group justify="flex-end">
          <Button type="submit" loading={pending} disabled={!ready} {...(deletes ? { color: 'red' } : {})}>
            {actionWord(action)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface AccountTypeProps {
  app: string;
  value: string | null;
  set: (slug: string | null) => void;
  error?: string;
}

/** Selects the account type, if the app has several. */
function AccountType({ app, value, set, ...field }: AccountTypeProps) {
  const { data } = useQuery(
    get('/api/apps/{app_id}/resource-types/', { path: { app_id: app }, query: { limit: 200 } }),
  );
  const types = (data?.results ?? []).filter(({ type }) => type === 'account');
  if (types.length < 2) return null;
  return (
    <Select
      {...field}
      label={t`Account type`}
      data={types.map(({ slug, name }) => ({ value: slug, label: name }))}
      value={value}
      onChange={set}
      required
    />
  );
}
