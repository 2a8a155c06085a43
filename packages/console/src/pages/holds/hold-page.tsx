import { plural, t } from '@lingui/core/macro';
import { Alert, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { get, type Item, list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { heldReasons, heldTasks } from '../../holds/held-tasks.ts';
import { clientWord, type Hold, holdAbout, holdTitle, KIND_WORDS, shareWords } from '../../holds/hold.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { UnreadyPage } from '../../kit/controls/unready.tsx';
import * as column from '../../kit/table/columns.tsx';
import { DataTable } from '../../kit/table/data-table.tsx';
import { ListTable } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { Name } from '../../kit/text/name.tsx';
import { grouped, personName } from '../../kit/text/words.ts';
import { PersonLink, PersonName } from '../../people/person.tsx';
import { columns as taskColumns } from '../tasks/columns.tsx';
import { HoldDecision } from './hold-decision.tsx';
import { Waiting } from './hold-preview.tsx';
import { HoldState } from './hold-status.tsx';
import { holdSearch } from './search.ts';

/** While the tasks of a decided hold are released or canceled. */
const SETTLING_MS = 2000;

/** A change of many people that waits for a decision: who made it, whom it concerns, and what waits. */
export function HoldPage() {
  const { holdId } = useParams({ from: '/in/holds/$holdId' });
  const hold = useQuery({
    ...get('/api/holds/{hold_id}/', { path: { hold_id: holdId } }),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && data.status !== 'open' && data.tasks > 0 ? SETTLING_MS : 15_000,
  });
  const above = <TextLink to="/holds">{t`Holds`}</TextLink>;
  if (hold.data === undefined) return <UnreadyPage title={t`Hold`} above={above} of={hold} height={240} />;
  return <HoldView hold={hold.data} above={above} />;
}

function HoldView({ hold, above }: { hold: Hold; above: ReactNode }) {
  const [at, go] = useAddress(holdSearch);
  const { manages } = useMe();
  const isOpen = hold.status === 'open';
  return (
    <>
      <PageHeader
        title={holdTitle(hold)}
        isName
        above={above}
        beside={<HoldState of={hold} />}
        about={holdAbout(hold)}
        actions={
          manages &&
          isOpen && (
            <>
              <Button variant="default" onClick={() => go({ ask: 'discard', page: at.page })}>
                {t`Discard…`}
              </Button>
              <Button color="red" onClick={() => go({ ask: 'confirm', page: at.page })}>
                {t`Confirm…`}
              </Button>
            </>
          )
        }
      />
      <Settling hold={hold} />
      <Section title={t`Details`}>
        <Details hold={hold} />
      </Section>
      {isOpen && (
        <Section title={t`What waits`}>
          {hold.app !== null && <WhyTheyWait app={hold.app.id} />}
          <Waiting hold={hold} />
        </Section>
      )}
      {hold.kind !== 'app' && <People hold={hold} />}
      <Tasks hold={hold} />
      <HoldDecision hold={hold} ask={at.ask} close={() => go({ ask: undefined, page: at.page })} />
    </>
  );
}

/** Why the tasks of an app wait. */
function WhyTheyWait({ app }: { app: string }) {
  const { data } = useQuery(heldTasks(app));
  return data === undefined
    ? null
    : heldReasons(data).map((reason) => (
        <Text key={reason} size="sm" mb="xs">
          {reason}
        </Text>
      ));
}

/** Shows that the decision is still being carried out. */
function Settling({ hold: { status, tasks } }: { hold: Hold }) {
  if (status === 'open' || tasks === 0) return null;
  return (
    <Alert color="blue" variant="light" mb="md" role="status">
      {status === 'confirmed'
        ? plural(tasks, {
            one: '# task is still to be released.',
            other: '# tasks are still to be released.',
          })
        : plural(tasks, {
            one: '# task is still to be canceled.',
            other: '# tasks are still to be canceled.',
          })}
    </Alert>
  );
}

function Details({ hold }: { hold: Hold }) {
  const { kind, client, group, app, percent, affected, of, window_seconds, tasks } = hold;
  const { created_at, decided_at, decided_by, reason } = hold;
  const hours = window_seconds / 3600;
  const [count, all] = [grouped(affected), grouped(of)];
  const share = shareWords(hold);
  return (
    <Properties
      of={[
        [t`Kind`, KIND_WORDS[kind]],
        [t`Client`, client === null ? undefined : <Client key="client" of={client} />],
        [
          t`Group`,
          group === null ? undefined : (
            <TextLink key="group" to="/groups/$groupId" params={{ groupId: group.external_uuid }}>
              <Name of={group.name} />
            </TextLink>
          ),
        ],
        [
          t`App`,
          app === null ? undefined : (
            <TextLink key="app" to="/apps/$appId" params={{ appId: app.id }}>
              <Name of={app.name} />
            </TextLink>
          ),
        ],
        [t`Share`, share === undefined ? t`${count} of ${all}` : t`${count} of ${all} (${share})`],
        [t`Limit`, percent === null ? undefined : t`More than ${percent}%`],
        [t`Counted over`, plural(hours, { one: '# hour', other: '# hours' })],
        [t`Waiting tasks`, grouped(tasks)],
        [t`Since`, <Moment key="since" at={created_at} />],
        [t`Decided`, decided_at === null ? t`Not yet` : <Moment key="decided" at={decided_at} />],
        [
          t`Decided by`,
          decided_by === null ? undefined : <PersonName key="by" id={decided_by.external_uuid} />,
        ],
        [t`Reason`, reason ?? undefined],
      ]}
    />
  );
}

/** The client, as a link to where it is managed. */
function Client({ of: client }: { of: NonNullable<Hold['client']> }) {
  const word = clientWord(client);
  if (client.type === 'import')
    return (
      <TextLink to="/people/$userId" params={{ userId: client.external_uuid }}>
        <Name of={word} />
      </TextLink>
    );
  return (
    <TextLink to={client.type === 'scim' ? '/settings/identity-provider' : '/settings/api-keys'}>
      <Name of={word} />
    </TextLink>
  );
}

type HoldPerson = Item<'/api/holds/{hold_id}/people/'>;

const nameOf = ({ user }: HoldPerson) => (user.email === '' ? t`Deleted person` : personName(user));

const CHANGES: Record<HoldPerson['type'], string> = {
  left: t`Left`,
  succeeded: t`Lost the email to a successor`,
  successor: t`Successor with the same email`,
};

const peopleColumns: Column<HoldPerson>[] = [
  column.cell('name', t`Person`, { phone: 'title', csv: nameOf }, (person) =>
    person.status === 'deleted' ? nameOf(person) : <PersonLink of={person.user} />,
  ),
  column.email('email', t`Email`, ({ user }) => user.email),
  column.cell('status', t`Status`, { phone: 'detail', csv: ({ status }) => status }, ({ status }) =>
    status === 'deleted' ? <Status of="deleted" look="idle" word={t`Deleted`} /> : <Status of={status} />,
  ),
  column.cell(
    'change',
    t({ message: 'Change', context: 'of a person' }),
    { csv: ({ type }) => type },
    ({ type }) => CHANGES[type],
  ),
  column.moment('at', t`Time`),
];

function People({ hold: { external_uuid } }: { hold: Hold }) {
  const [at, go] = useAddress(holdSearch);
  return (
    <Section title={t`People`}>
      <ListTable
        address={[at, go]}
        label={t`People of this hold`}
        counted={(n) => plural(n, { one: '# person', other: '# people' })}
        list={list('/api/holds/{hold_id}/people/', { path: { hold_id: external_uuid } })}
        columns={peopleColumns}
        rowId={({ user }) => user.external_uuid}
        rowName={nameOf}
        pageSize={25}
        csv="held-people"
        empty={{
          title: t`Everybody is back`,
          text: t`Nobody of this change is still deactivated or out of the group.`,
        }}
      />
    </Section>
  );
}

function Tasks({ hold: { external_uuid, app, status } }: { hold: Hold }) {
  const [at, go] = useAddress(holdSearch);
  if (status !== 'open') return null;
  const query = app === null ? { hold: external_uuid } : { app: app.id, waits_for: 'confirmation' as const };
  return (
    <Section title={t`Tasks that wait`}>
      <DataTable
        label={t`Tasks that wait`}
        counted={(n) => plural(n, { one: '# task', other: '# tasks' })}
        list={list('/api/tasks/', { query })}
        columns={taskColumns}
        href={({ external_uuid: id }) => `/tasks/${id}`}
        page={at.tasks}
        onPage={(tasks) => go({ tasks, page: at.page })}
        pageSize={25}
        csv="held-tasks"
        empty={
          <Empty title={t`No tasks wait`}>{t`Policies create their tasks when the hold is confirmed.`}</Empty>
        }
      />
    </Section>
  );
}
