import { t } from '@lingui/core/macro';
import { Alert, Modal, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { held, resources } from '../../access/access-fields.tsx';
import { changesOf, chosenOf, idsBySlug } from '../../access/chosen.ts';
import { api, get, type Item, ok } from '../../api/client.ts';
import { AppPicker } from '../../apps/app-picker.tsx';
import { NobodyCarriesOut } from '../../apps/nobody-carries-out.tsx';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { asIs, type Input, orNull } from '../../kit/form/field.ts';
import { Fields, useFields } from '../../kit/form/fields.tsx';
import { picker } from '../../kit/form/form.ts';
import { moment, text } from '../../kit/form/text-fields.tsx';
import { IconAlertTriangle } from '../../kit/icons/icons.ts';
import { person } from '../../people/person-fields.tsx';
import { taskReason } from '../../tasks/task-reason.ts';
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

const FIELDS = {
  user: person({ label: t`Person`, required: true }),
  resource_type: {
    ...asIs<string | null>(t`Account type`, null),
    control: (input: Input & { app: string }) => <AccountType {...picker(input)} />,
  },
  account: {
    ...asIs<Account | undefined>(t`Account`, undefined),
    control: (input: Input & { app: string }) => <AccountPicker {...picker(input)} />,
  },
  added: resources({ label: t`Add` }),
  removed: held({ label: t`Remove` }),
  execute_after: orNull(
    moment({ label: t`Start`, description: t`In your local time. Leave empty to start now.` }),
  ),
  reason: taskReason,
  confirmation: text({
    label: '',
    description: t`The connector deletes the account and all its access in the app. This cannot be undone.`,
    autoComplete: 'off',
  }),
};

/** Groups and licenses have one field each for additions and removals. */
function fieldOf(path: string): string {
  if (/^changes\..*\.removed\b/.test(path)) return 'removed';
  return /^(memberships|assignments|changes)\b/.test(path) ? 'added' : path;
}

function TaskFields({ app, action }: { app: string; action: Action }) {
  const navigate = useNavigate();
  const creates = action === 'create_account';
  const updates = action === 'update_account';
  const deletes = action === 'delete_account';
  const form = useFields(FIELDS, {
    fieldOf,
    send: ({ user, account, added, removed, confirmation: _, ...body }) =>
      ok(
        api.POST('/api/tasks/', {
          body: {
            ...body,
            app,
            action,
            user: creates ? user : null,
            account: account?.external_uuid ?? null,
            memberships: creates ? idsBySlug(added, 'group') : null,
            assignments: creates ? idsBySlug(added, 'license') : null,
            changes: updates ? changesOf(added, removed) : null,
          },
        }),
      ),
    success: t`Task created`,
    after: ({ external_uuid }) => void navigate({ to: '/tasks/$taskId', params: { taskId: external_uuid } }),
  });
  const { user, account, added, removed, confirmation } = form.values;
  const name = account === undefined ? '' : account.email || account.username || account.external_uuid;
  const has = account === undefined ? [] : chosenOf(account);
  const changes = updates && account !== undefined;
  const removals = useRemovals(deletes ? account?.external_uuid : undefined);
  const deletion = removals && deletionIn(removals);
  const ready =
    !(deletes && deletion !== undefined) &&
    (creates ? user !== null : account !== undefined) &&
    (!updates || added.length + removed.length > 0) &&
    (!deletes || confirmation.trim() === name);
  const choose = (next: Account | undefined) =>
    form.form.setValues({ account: next, added: [], removed: [] });
  return (
    <DialogForm {...form} action={actionWord(action)} disabled={!ready} danger={deletes}>
      <Fields
        of={form}
        only={[
          creates && 'user',
          creates && 'resource_type',
          !creates && 'account',
          (creates || changes) && 'added',
          changes && 'removed',
          'execute_after',
          'reason',
          deletes && account !== undefined && 'confirmation',
        ]}
        props={{
          resource_type: { app },
          account: { app, onChange: choose },
          added: { appId: app, held: has, ...(creates && { label: t`Groups and licenses` }) },
          removed: { held: has },
          confirmation: { label: t`Type ${name} to confirm` },
        }}
      />
      {deletes && deletion !== undefined && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
          <DeletionUnderWay of={deletion} />
        </Alert>
      )}
    </DialogForm>
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
