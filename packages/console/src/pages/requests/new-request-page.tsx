import { Alert, Button, Group, Radio, Skeleton, Stack, Text, Textarea, TextInput } from '@mantine/core';
import '@mantine/core/styles/Radio.css';
import { IconAppWindow } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { api, get, type Item, ok, useChange } from '../../api/client.ts';
import { detailOf } from '../../api/error.ts';
import { type Me, useMe } from '../../api/me.ts';
import { useAddress } from '../../parts/address.ts';
import { AppPicker } from '../../parts/app-picker.tsx';
import { Empty } from '../../parts/empty.tsx';
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
import { AskForApp } from '../apps/ask-for-app.tsx';
import { useAccount } from './account.ts';
import classes from './new-request.module.css';
import { newRequestSearch } from './search.ts';
import { shortLabel } from './ticket.ts';
import { WhoDecides } from './who-decides.tsx';

export function NewRequestPage() {
  const { me, role } = useMe();
  const [at, go] = useAddress(newRequestSearch);
  return (
    <>
      <PageHeader
        title="Ask for access"
        above={<TextLink to="/requests">Requests</TextLink>}
        actions={
          role !== 'auditor' && (
            <Button
              variant="default"
              leftSection={<IconAppWindow size={15} aria-hidden />}
              onClick={() => go({ connect: true })}
            >
              The application is not here
            </Button>
          )
        }
      />
      {role === 'auditor' && (
        <Empty title="Auditors change nothing">They do not ask for access either.</Empty>
      )}
      {role !== 'auditor' && me !== undefined && <RequestForm me={me} />}
      <AskForApp opened={at.connect === true} close={() => go({ connect: undefined })} />
    </>
  );
}

/** For whom and to what, in the address; then what exactly. */
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
          label="For"
          description="Who needs the access."
          value={user}
          set={(next) => go({ user: next === me.external_uuid ? undefined : (next ?? undefined) })}
          required
        />
      )}
      {forAnother && (
        <PersonPicker
          label="In the name of"
          description="Whose request it is. Nobody decides about their own."
          value={requester ?? user}
          set={setRequester}
          required
        />
      )}
      <AppPicker
        label="App"
        value={at.app ?? null}
        set={(next) => go({ app: next ?? undefined, type: undefined })}
        required
      />
      {at.app !== undefined && (
        <RequestFields
          key={`${at.app} ${user}`}
          app={at.app}
          user={user}
          requester={forAnother ? (requester ?? user) : null}
          known={manages || user === me.external_uuid}
        />
      )}
    </Stack>
  );
}

interface Fields {
  app: string;
  user: string;
  /** Null: who is signed in. */
  requester: string | null;
  /** Whether what the person has may be read. */
  known: boolean;
}

function RequestFields({ app, user, requester, known }: Fields) {
  const [at, go] = useAddress(newRequestSearch);
  const navigate = useNavigate();
  const [chosen, choose] = useState<Chosen[]>([]);
  const [start, setStart] = useState('');
  const [end, setEnd] = useState('');
  const [reason, setReason] = useState('');
  const { account, isPending } = useAccount(known ? app : null, user);
  const ending = useEnding(app, user, known);
  const longer = at.type === 'extend' && ending !== undefined;
  const type = longer ? 'EXTEND_ACCESS' : account === undefined ? 'NEW_ACCESS' : 'MODIFY_ACCESS';
  const nothing = type === 'MODIFY_ACCESS' && chosen.length === 0;

  const ask = useChange(
    () =>
      ok(
        api.POST('/api/tickets/', {
          body: {
            app,
            user,
            requester,
            type,
            memberships: idsBySlug(chosen, 'group'),
            assignments: idsBySlug(chosen, 'license'),
            start_time: longer || start === '' ? null : new Date(`${start}T00:00`).toISOString(),
            end_time: end === '' ? null : new Date(`${end}T23:59:59`).toISOString(),
            initial_comment: reason.trim(),
          },
        }),
      ),
    {
      tell: false,
      said: (ticket) => `${shortLabel(ticket)} is on its way`,
      after: ({ external_uuid }) =>
        void navigate({ to: '/requests/$ticketId', params: { ticketId: external_uuid } }),
    },
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    ask.mutate(undefined);
  };
  const switchTo = (next: string) => {
    choose([]);
    go({ type: next === 'extend' ? 'extend' : undefined });
  };

  if (isPending) return <Skeleton height={160} />;
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {ending !== undefined && (
          <Radio.Group label="What is needed" value={longer ? 'extend' : 'more'} onChange={switchTo}>
            <Group mt={6} gap="lg">
              <Radio value="more" label="More access" />
              <Radio value="extend" label={`What is there, for longer than until ${dayOf(ending)}`} />
            </Group>
          </Radio.Group>
        )}
        <What app={app} account={account} longer={longer} chosen={chosen} choose={choose} />
        <Group gap="md" align="flex-start" grow>
          {!longer && (
            <TextInput
              type="date"
              label="From"
              description="Empty: once it is approved."
              value={start}
              min={today()}
              onChange={({ currentTarget }) => setStart(currentTarget.value)}
            />
          )}
          <TextInput
            type="date"
            label="Until the end of"
            description={longer ? 'The new last day.' : 'Empty: for good.'}
            value={end}
            min={longer ? dayOf(ending) : start || today()}
            onChange={({ currentTarget }) => setEnd(currentTarget.value)}
            required={longer}
          />
        </Group>
        <Textarea
          label="Reason"
          description="Whoever decides reads it."
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
          required
          maxLength={2000}
          rows={3}
        />
        <WhoDecides appId={app} userId={user} />
        {ask.isError && (
          <Alert color="red" role="alert">
            {detailOf(ask.error)}
          </Alert>
        )}
        <Group justify="flex-end" gap="sm">
          {nothing && (
            <Text size="sm" c="dimmed">
              Choose a group or a license first.
            </Text>
          )}
          <Button type="submit" loading={ask.isPending} disabled={nothing}>
            Ask for access
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface WhatProps {
  app: string;
  account: Item<'/api/accounts/'> | undefined;
  longer: boolean;
  chosen: Chosen[];
  choose: (chosen: Chosen[]) => void;
}

/** The groups and licenses: those that the app has, or, to keep for longer, those that the account has. */
function What({ app, account, longer, chosen, choose }: WhatProps) {
  const held = account === undefined ? [] : chosenOf(account);
  if (longer) {
    return (
      <HeldPicker
        label="Only these"
        description="Leave it empty for all of the access that has an end."
        held={held}
        value={chosen}
        set={choose}
      />
    );
  }
  return (
    <ResourcePicker
      label="Groups and licenses"
      description={
        account === undefined
          ? 'An account is made; what is chosen here comes with it.'
          : 'There is an account already. What it has is not offered again.'
      }
      appId={app}
      held={held}
      value={chosen}
      set={choose}
    />
  );
}

const today = () => dayOf(new Date());
/** In the time of whoever looks, as date fields want it. */
const dayOf = (moment: Date) => moment.toLocaleDateString('sv');

/** When the next end of approved access comes, if there is one ahead. */
function useEnding(app: string, user: string, enabled: boolean): Date | undefined {
  const { data } = useQuery({
    ...get('/api/tickets/', { query: { app, user, ticket_status: 'APPROVED', limit: 100 } }),
    enabled,
  });
  const ends = (data?.results ?? []).flatMap(({ end_time }) =>
    end_time === null ? [] : [new Date(end_time)],
  );
  return ends.filter((end) => end > new Date()).sort((one, other) => one.getTime() - other.getTime())[0];
}
