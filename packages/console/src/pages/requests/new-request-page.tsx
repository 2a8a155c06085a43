import { Button, Group, Radio, Skeleton, Stack, Text, Textarea, TextInput } from '@mantine/core';
import '@mantine/core/styles/Radio.css';
import { IconAppWindow } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, get, type Item, ok } from '../../api/client.ts';
import { type Me, useMe } from '../../api/me.ts';
import { useAddress } from '../../parts/address.ts';
import { AppPicker } from '../../parts/app-picker.tsx';
import { Empty } from '../../parts/empty.tsx';
import { picker, useApiForm } from '../../parts/form.ts';
import { FormFailure } from '../../parts/form-failure.tsx';
import { TextLink } from '../../parts/links.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { PersonPicker } from '../../parts/person.tsx';
import {
  type Chosen,
  chosenOf,
  HeldPicker,
  idsBySlug,
  ResourcePicker,
} from '../../parts/resource-picker.tsx';
import { RequestApp } from '../apps/request-app.tsx';
import { useAccount } from './account.ts';
import { ApprovalPreview } from './approval-preview.tsx';
import classes from './new-request.module.css';
import { newRequestSearch } from './search.ts';
import { shortLabel, type Ticket } from './ticket.ts';
import { useIsDisconnected, Warnings } from './warnings.tsx';

export function NewRequestPage() {
  const { me, role } = useMe();
  const [at, go] = useAddress(newRequestSearch);
  return (
    <>
      <PageHeader
        title="New request"
        above={<TextLink to="/requests">Requests</TextLink>}
        actions={
          role !== 'auditor' && (
            <Button
              variant="default"
              leftSection={<IconAppWindow size={15} aria-hidden />}
              onClick={() => go({ connect: true })}
            >
              Request missing app
            </Button>
          )
        }
      />
      {role === 'auditor' && <Empty title="Auditors cannot request access" />}
      {role !== 'auditor' && me !== undefined && <RequestForm me={me} />}
      <RequestApp opened={at.connect === true} close={() => go({ connect: undefined })} />
    </>
  );
}

/** The beneficiary and the app are part of the address. Choosing others starts a new form. */
function RequestForm({ me }: { me: Me }) {
  const [at, go] = useAddress(newRequestSearch);
  const { manages } = useMe();
  const user = at.user ?? me.external_uuid;
  const [requester, setRequester] = useState<string | null>(null);
  const forAnother = manages && user !== me.external_uuid;
  return (
    <Stack gap="md" className={classes.form ?? ''}>
      {manages && (
        <PersonPicker
          label="Beneficiary"
          description="The person who needs access."
          value={user}
          set={(next) => go({ user: next === me.external_uuid ? undefined : (next ?? undefined) })}
          required
        />
      )}
      {forAnother && (
        <PersonPicker
          label="Requester"
          description="The person who makes the request. Nobody can approve their own request."
          value={requester ?? user}
          set={setRequester}
          required
        />
      )}
      <AppPicker
        label="App"
        value={at.app ?? null}
        set={(next) => go({ app: next ?? undefined, type: undefined })}
        connected
        required
      />
      {at.app !== undefined && (
        <RequestFields
          key={`${at.app} ${user}`}
          app={at.app}
          user={user}
          requester={forAnother ? (requester ?? user) : null}
          readable={manages || user === me.external_uuid}
        />
      )}
    </Stack>
  );
}

interface FieldsProps {
  app: string;
  user: string;
  /** Null for the user who is signed in. */
  requester: string | null;
  /** Whether the user may read the beneficiary's existing access. */
  readable: boolean;
}

interface Values {
  chosen: Chosen[];
  /** Dates of the browser's time zone; empty means none. */
  start_time: string;
  end_time: string;
  initial_comment: string;
}

function RequestFields({ app, user, requester, readable }: FieldsProps) {
  const [at, go] = useAddress(newRequestSearch);
  const navigate = useNavigate();
  const { account, isPending } = useAccount(readable ? app : null, user);
  const nextEnd = useNextEnd(app, user, readable);
  const extend = at.type === 'extend' && nextEnd !== undefined;
  const type = extend ? 'EXTEND_ACCESS' : account === undefined ? 'NEW_ACCESS' : 'MODIFY_ACCESS';

  const { form, submit, pending, failure } = useApiForm<Values, Ticket>({
    initialValues: { chosen: [], start_time: '', end_time: '', initial_comment: '' },
    send: ({ chosen, start_time, end_time, initial_comment }) =>
      ok(
        api.POST('/api/tickets/', {
          body: {
            app,
            user,
            requester,
            type,
            memberships: idsBySlug(chosen, 'group'),
            assignments: idsBySlug(chosen, 'license'),
            start_time: extend || start_time === '' ? null : new Date(`${start_time}T00:00`).toISOString(),
            end_time: end_time === '' ? null : new Date(`${end_time}T23:59:59`).toISOString(),
            initial_comment: initial_comment.trim(),
          },
        }),
      ),
    fieldOf: (path) => (/^(memberships|assignments)\b/.test(path) ? 'chosen' : path),
    success: (ticket) => `${shortLabel(ticket)} created`,
    after: ({ external_uuid }) =>
      void navigate({ to: '/requests/$ticketId', params: { ticketId: external_uuid } }),
  });
  const { chosen, start_time } = form.values;
  const isDisconnected = useIsDisconnected(app);
  const nothingChosen = type === 'MODIFY_ACCESS' && chosen.length === 0;
  const switchTo = (next: string) => {
    form.setFieldValue('chosen', []);
    go({ type: next === 'extend' ? 'extend' : undefined });
  };

  if (isPending) return <Skeleton height={160} />;
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {nextEnd !== undefined && (
          <Radio.Group label="Type" value={extend ? 'extend' : 'more'} onChange={switchTo}>
            <Group mt={6} gap="lg">
              <Radio value="more" label="Additional access" />
              <Radio value="extend" label={`Extension of access that ends on ${dayOf(nextEnd)}`} />
            </Group>
          </Radio.Group>
        )}
        <AccessPicker app={app} account={account} extend={extend} {...picker(form.getInputProps('chosen'))} />
        <Group gap="md" align="flex-start" grow>
          {!extend && (
            <TextInput
              type="date"
              label="Start date"
              description="Leave empty to start on approval."
              {...form.getInputProps('start_time')}
              min={today()}
            />
          )}
          <TextInput
            type="date"
            label="End date"
            description={
              extend ? 'The new last day of access.' : 'The last day of access. Leave empty for no end date.'
            }
            {...form.getInputProps('end_time')}
            min={extend ? dayOf(nextEnd) : start_time || today()}
            required={extend}
          />
        </Group>
        <Textarea
          label="Reason"
          description="The approvers can read it."
          {...form.getInputProps('initial_comment')}
          required
          maxLength={2000}
          rows={3}
        />
        <Warnings app={app} user={user} chosen={chosen} />
        <ApprovalPreview appId={app} userId={user} />
        <FormFailure of={failure} />
        <Group justify="flex-end" gap="sm">
          {nothingChosen && (
            <Text size="sm" c="dimmed">
              Choose at least one group or license.
            </Text>
          )}
          <Button type="submit" loading={pending} disabled={nothingChosen || isDisconnected}>
            Request access
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface AccessPickerProps {
  app: string;
  account: Item<'/api/accounts/'> | undefined;
  extend: boolean;
  value: Chosen[];
  set: (chosen: Chosen[]) => void;
}

/** Offers the app's groups and licenses, or, for an extension, those that the account already has. */
function AccessPicker({ app, account, extend, ...field }: AccessPickerProps) {
  const held = account === undefined ? [] : chosenOf(account);
  if (extend) {
    return (
      <HeldPicker
        label="Groups and licenses to extend"
        description="Leave empty to extend all access that has an end date."
        held={held}
        {...field}
      />
    );
  }
  return (
    <ResourcePicker
      label="Groups and licenses"
      description={
        account === undefined
          ? 'The request includes a new account in the app.'
          : 'Groups and licenses that the account already has are not listed.'
      }
      appId={app}
      held={held}
      {...field}
    />
  );
}

const today = () => dayOf(new Date());
/** The date in the browser's time zone, in the format of date fields. */
const dayOf = (moment: Date) => moment.toLocaleDateString('sv');

/** Returns the earliest future end of the person's approved access to an app. */
function useNextEnd(app: string, user: string, enabled: boolean): Date | undefined {
  const { data } = useQuery({
    ...get('/api/tickets/', { query: { app, user, ticket_status: 'APPROVED', limit: 100 } }),
    enabled,
  });
  const ends = (data?.results ?? []).flatMap(({ end_time }) =>
    end_time === null ? [] : [new Date(end_time)],
  );
  return ends.filter((end) => end > new Date()).sort((one, other) => one.getTime() - other.getTime())[0];
}
