import { Alert, Button, Group, Modal, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { api, get, type Item, ok, useChange } from '../../api/client.ts';
import { detailOf } from '../../api/error.ts';
import { AppPicker } from '../../parts/app-picker.tsx';
import { PersonPicker } from '../../parts/person.tsx';
import {
  type Chosen,
  changesOf,
  chosenOf,
  HeldPicker,
  idsBySlug,
  ResourcePicker,
} from '../../parts/resource-picker.tsx';
import { AccountPicker } from './account-picker.tsx';
import { ACTIONS, actionWord } from './task.ts';

type Account = Item<'/api/accounts/'>;
type Action = (typeof ACTIONS)[number];

/** An administrator's own decision (governance.md "Manual actions"); shows the task afterwards. */
export function NewTask({ opened, close }: { opened: boolean; close: () => void }) {
  return (
    <Modal opened={opened} onClose={close} title="New task" size="lg">
      <TaskForm />
    </Modal>
  );
}

function TaskForm() {
  const [app, setApp] = useState<string | null>(null);
  const [action, setAction] = useState<Action>('create_account');
  return (
    <Stack gap="sm">
      <AppPicker label="App" value={app} set={setApp} required data-autofocus />
      <Select
        label="Task"
        data={ACTIONS.map((value) => ({ value, label: actionWord(value) }))}
        value={action}
        onChange={(next) => next !== null && setAction(next)}
        allowDeselect={false}
      />
      {app !== null && <TaskFields key={`${app} ${action}`} app={app} action={action} />}
    </Stack>
  );
}

function TaskFields({ app, action }: { app: string; action: Action }) {
  const navigate = useNavigate();
  const [user, setUser] = useState<string | null>(null);
  const [account, setAccount] = useState<Account>();
  const [resourceType, setResourceType] = useState<string | null>(null);
  const [added, add] = useState<Chosen[]>([]);
  const [removed, remove] = useState<Chosen[]>([]);
  const [when, setWhen] = useState('');
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const creates = action === 'create_account';
  const updates = action === 'update_account';
  const deletes = action === 'delete_account';
  const name = account === undefined ? '' : account.email || account.username || account.external_uuid;

  const create = useChange(
    () =>
      ok(
        api.POST('/api/tasks/', {
          body: {
            app,
            action,
            user: creates ? user : null,
            account: account?.external_uuid ?? null,
            resource_type: resourceType,
            memberships: creates ? idsBySlug(added, 'group') : null,
            assignments: creates ? idsBySlug(added, 'license') : null,
            changes: updates ? changesOf(added, removed) : null,
            execute_after: when === '' ? null : new Date(when).toISOString(),
            reason: reason.trim() || null,
          },
        }),
      ),
    {
      tell: false,
      said: 'Task created',
      after: ({ external_uuid }) =>
        void navigate({ to: '/tasks/$taskId', params: { taskId: external_uuid } }),
    },
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    create.mutate(undefined);
  };
  const ready =
    (creates ? user !== null : account !== undefined) &&
    (!updates || added.length + removed.length > 0) &&
    (!deletes || typed.trim() === name);

  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {creates ? (
          <>
            <PersonPicker label="Person" value={user} set={setUser} required />
            <AccountType app={app} value={resourceType} set={setResourceType} />
          </>
        ) : (
          <AccountPicker
            app={app}
            value={account}
            set={(next) => {
              setAccount(next);
              add([]);
              remove([]);
            }}
          />
        )}
        {(creates || (updates && account !== undefined)) && (
          <ResourcePicker
            label={creates ? 'Groups and licenses' : 'Give'}
            appId={app}
            held={account === undefined ? [] : chosenOf(account)}
            value={added}
            set={add}
          />
        )}
        {updates && account !== undefined && (
          <HeldPicker label="Take away" held={chosenOf(account)} value={removed} set={remove} />
        )}
        <TextInput
          type="datetime-local"
          label="When"
          description="In your own time. Empty: now."
          value={when}
          onChange={({ currentTarget }) => setWhen(currentTarget.value)}
        />
        <Textarea
          label="Reason"
          description="Stands in the task and in the log."
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
          maxLength={2000}
          rows={2}
        />
        {deletes && account !== undefined && (
          <TextInput
            label={`Type ${name} to confirm`}
            description="The account and all that it has is deleted in the app. This cannot be taken back."
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            autoComplete="off"
          />
        )}
        {create.isError && (
          <Alert color="red" role="alert">
            {detailOf(create.error)}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button
            type="submit"
            loading={create.isPending}
            disabled={!ready}
            {...(deletes ? { color: 'red' } : {})}
          >
            {actionWord(action)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Of an app with several types of accounts, the one to create. */
function AccountType({
  app,
  value,
  set,
}: {
  app: string;
  value: string | null;
  set: (slug: string | null) => void;
}) {
  const { data } = useQuery(
    get('/api/apps/{app_id}/resource-types/', { path: { app_id: app }, query: { limit: 200 } }),
  );
  const types = (data?.results ?? []).filter(({ type }) => type === 'account');
  if (types.length < 2) return null;
  return (
    <Select
      label="Type of account"
      data={types.map(({ slug, name }) => ({ value: slug, label: name }))}
      value={value}
      onChange={set}
      required
    />
  );
}
