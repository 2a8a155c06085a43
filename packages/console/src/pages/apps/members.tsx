import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { reasonWords } from '../../access/grant-words.ts';
import { Through } from '../../access/through.tsx';
import { Why } from '../../access/why.tsx';
import { get, type Item, list } from '../../api/client.ts';
import { PastControls } from '../../history/past-controls.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { Pending } from '../../kit/controls/pending.tsx';
import { Section } from '../../kit/controls/section.tsx';
import * as column from '../../kit/table/columns.tsx';
import { ListTable } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { GroupReach } from '../people/group-reach.tsx';
import type { App } from './app.ts';
import { LicenseTrend } from './license-trend.tsx';
import { MembersThen } from './members-then.tsx';
import { appSearch } from './search.ts';
import { HiddenMembers } from './unseen-report.tsx';

type Member = Item<'/api/apps/{app_id}/resources/{resource_id}/members/'>;

/** A group or license. */
type Resource = Pick<Item<'/api/apps/{app_id}/resources/'>, 'slug' | 'id' | 'name'>;

const columnsOf = (appId: string, resource: Resource | undefined): Column<Member>[] => [
  column.email('email', t`Account`, ({ email, username }) => email || username, {
    phone: 'title',
    csv: ({ email }) => email,
  }),
  column.text('display_name', t`Name`, { phone: 'detail' }),
  column.status('status', t`Status`),
  column.cell('user', t`Person`, { csv: ({ user }) => user }, ({ user }) =>
    user === null ? (
      t`Not linked`
    ) : (
      <TextLink to="/people/$userId" params={{ userId: user }}>
        {t`View person`}
      </TextLink>
    ),
  ),
  column.cell(
    'granted_at',
    t`Granted`,
    { csv: ({ granted_at }) => granted_at },
    ({ granted_at, last_seen_at, via }) => (
      <>
        <Moment at={granted_at} />
        <Through appId={appId} via={via} />
        {last_seen_at !== null && (
          <Text size="sm" c="dimmed">
            <Trans>
              Last seen <Moment at={last_seen_at} />
            </Trans>
          </Text>
        )}
      </>
    ),
  ),
  column.cell('why', t`Why`, { phone: 'detail', csv: reasonWords }, (member) =>
    resource === undefined ? (
      <Pending />
    ) : (
      <Why
        of={{
          ...member,
          account: member.external_uuid,
          appId,
          name: resource.name || resource.id,
          held: resource,
          since: member.granted_at,
        }}
      />
    ),
  ),
];

/** The words for groups and for licenses. */
const WORDS = {
  group: {
    one: t`Group`,
    all: t`All groups`,
    about: t`Accounts with this group`,
    none: t`No accounts have this group`,
    onlyHidden: t`All members of this group are hidden`,
    file: t`accounts with group`,
  },
  license: {
    one: t`License`,
    all: t`All licenses`,
    about: t`Accounts with this license`,
    none: t`No accounts have this license`,
    onlyHidden: t`All holders of this license are hidden`,
    file: t`accounts with license`,
  },
} as const;

interface Props {
  app: App;
  type: 'group' | 'license';
  resourceId: string;
}

/** The accounts that have one group or license. */
export function Members({ app, type, resourceId }: Props) {
  const [at, go] = useAddress(appSearch);
  const path = { app_id: app.external_uuid };
  const resource = useResource(app, resourceId);
  const words = WORDS[type];
  const name = resource && (resource.name || resource.id);
  return (
    <Section
      title={name ?? words.one}
      actions={
        <TextLink
          to="/apps/$appId"
          params={{ appId: app.external_uuid }}
          search={{ tab: `${type}s` as const, as_of: at.as_of, known_at: at.known_at }}
        >
          {words.all}
        </TextLink>
      }
    >
      <Text size="sm" c="dimmed" mb="xs">
        {words.about}
      </Text>
      {resource !== undefined && (
        <PastControls
          of={{ app: app.external_uuid, slug: resource.slug, resource: resource.id }}
          at={at}
          go={go}
        />
      )}
      {at.as_of !== undefined ? (
        resource !== undefined && <MembersThen app={app} resource={resource} type={type} at={at} go={go} />
      ) : (
        <>
          {resource !== undefined && <HiddenMembers of={resource} />}
          <ListTable
            address={[at, go]}
            label={name === undefined ? words.about : t`Accounts with ${name}`}
            counted={(n) => plural(n, { one: '# account', other: '# accounts' })}
            list={list('/api/apps/{app_id}/resources/{resource_id}/members/', {
              path: { ...path, resource_id: resourceId },
            })}
            columns={columnsOf(app.external_uuid, resource)}
            href={({ external_uuid }) => `/accounts/${external_uuid}`}
            csv={name === undefined ? words.file : t`accounts with ${name}`}
            empty={{ title: (resource?.hidden_members ?? 0) > 0 ? words.onlyHidden : words.none }}
          />
          {type === 'license' && name !== undefined && (
            <LicenseTrend app={app} license={{ id: resourceId, name }} title={t`Last 12 months`} />
          )}
        </>
      )}
      {at.as_of === undefined && name !== undefined && (
        <GroupReach appId={app.external_uuid} resourceId={resourceId} name={name} />
      )}
    </Section>
  );
}

function useResource(app: App, resourceId: string) {
  const path = { app_id: app.external_uuid };
  const { data } = useQuery(
    get('/api/apps/{app_id}/resources/', { path, query: { resource_id: resourceId } }),
  );
  return data?.results[0];
}
