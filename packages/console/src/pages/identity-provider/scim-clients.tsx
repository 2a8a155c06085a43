import { plural, t } from '@lingui/core/macro';
import { Alert, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Answer, get } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { Unready } from '../../kit/controls/unready.tsx';
import * as column from '../../kit/table/columns.tsx';
import { type Column, TableView } from '../../kit/table/table-view.tsx';
import { grouped } from '../../kit/text/words.ts';
import { PersonName } from '../../people/person.tsx';
import { ReleaseClient } from './release-client.tsx';
import { clientName, type ScimClient } from './scim-client.ts';

type Clients = Answer<'/api/scim-clients/'>;

/** The clients that keep people and groups up to date: what each manages, and what of its requests was not applied. */
export function ScimClients() {
  const clients = useQuery({
    ...get('/api/scim-clients/', { query: { limit: 200 } }),
    refetchInterval: 30_000,
  });
  return (
    <Section title={t`SCIM clients`}>
      {clients.data === undefined ? <Unready of={clients} height={240} /> : <List of={clients.data} />}
    </Section>
  );
}

function List({ of: { results } }: { of: Clients }) {
  const [released, release] = useState<ScimClient>();
  return (
    <>
      <WithoutKey of={results} />
      {results.length === 0 ? (
        <Empty title={t`No SCIM clients yet`}>
          {t`Select your identity provider above to let it keep people and groups up to date.`}
        </Empty>
      ) : (
        results.map((client) => <Client key={client.key.id} of={client} release={() => release(client)} />)
      )}
      {released !== undefined && <ReleaseClient client={released} close={() => release(undefined)} />}
    </>
  );
}

/** Shows the number of people whom nobody keeps up to date any more, although only an identity provider may change them. */
function WithoutKey({ of: clients }: { of: readonly ScimClient[] }) {
  const withoutKey = clients.filter(({ key }) => !key.live);
  const people = withoutKey.reduce((sum, client) => sum + client.people, 0);
  const groups = withoutKey.reduce((sum, client) => sum + client.groups, 0);
  if (people + groups === 0) return null;
  const lost = plural(people, { one: '# person', other: '# people' });
  const kept = plural(groups, { one: '# group', other: '# groups' });
  return (
    <Alert color="yellow" mb="md" title={t`${lost} and ${kept} belong to clients whose key no longer works`}>
      {t`Nobody keeps them up to date, and their fields cannot be edited here. Release them from these clients, or give the identity provider a new key.`}
    </Alert>
  );
}

function Client({ of: client, release }: { of: ScimClient; release: () => void }) {
  const { owns } = useMe();
  const { key, people, groups, kept_ids: keptIds, last_request_at, refused, holds, ignored } = client;
  const keepsAnything = people + groups + keptIds > 0;
  return (
    <Section
      title={clientName(client)}
      actions={
        owns &&
        keepsAnything && (
          <Button
            variant="default"
            onClick={release}
            aria-label={t`Release people of ${{ client: clientName(client) }}`}
          >
            {t`Release people…`}
          </Button>
        )
      }
    >
      <Properties
        of={[
          [t`Status`, <KeyStatus key="status" of={key} />],
          [t`Acts for`, key.user === null ? undefined : <PersonName key="user" id={key.user} />],
          [t`People`, grouped(people)],
          [t`Groups`, grouped(groups)],
          [t`Kept IDs of released or deleted people`, keptIds === 0 ? undefined : grouped(keptIds)],
          [t`Last request`, <Moment key="last" at={last_request_at} />],
          [
            t`Refused in 24 hours`,
            refused === 0 ? (
              grouped(refused)
            ) : (
              <TextLink key="refused" to="/events" search={{ type: 'scim.request_refused' }}>
                {plural(refused, { one: '# request', other: '# requests' })}
              </TextLink>
            ),
          ],
          [
            t`Open holds`,
            holds === 0 ? (
              grouped(holds)
            ) : (
              <TextLink key="holds" to="/holds" search={{ status: 'open', client: key.id }}>
                {plural(holds, { one: '# hold', other: '# holds' })}
              </TextLink>
            ),
          ],
        ]}
      />
      <Ignored of={ignored} name={clientName(client)} />
    </Section>
  );
}

function KeyStatus({ of: { live, revoked_at, expires_at, name } }: { of: ScimClient['key'] }) {
  if (live) return <Status of="active" look="good" word={t`Active`} />;
  if (name === null) return <Status of="deleted" look="idle" word={t`Key deleted`} />;
  if (revoked_at !== null) return <Status of="revoked" look="idle" word={t`Key revoked`} />;
  if (expires_at !== null && new Date(expires_at) <= new Date())
    return <Status of="expired" look="idle" word={t`Key expired`} />;
  return <Status of="inactive" look="idle" word={t`Person deactivated`} />;
}

type IgnoredAttribute = ScimClient['ignored'][number];

const ignoredColumns: Column<IgnoredAttribute>[] = [
  column.title('attribute', t`Attribute`, { phone: 'title' }),
  column.text('reason', t`Reason`, { phone: 'detail', fill: true }),
  column.count('count', t`Times`, { phone: 'detail' }),
  column.moment('last', t`Last time`, ({ last_at }) => last_at),
];

/** The attributes that were left as they were, although requests named them. */
function Ignored({ of: ignored, name }: { of: IgnoredAttribute[]; name: string }) {
  if (ignored.length === 0) return null;
  return (
    <>
      <Group mt="sm" mb={4}>
        <Text size="sm" fw={600}>
          {t`Attributes that were not applied`}
        </Text>
      </Group>
      <TableView
        label={t`Attributes of ${name} that were not applied`}
        columns={ignoredColumns}
        rows={ignored}
        rowId={({ attribute }) => attribute}
        empty={null}
      />
    </>
  );
}
