import { t } from '@lingui/core/macro';
import { Plural } from '@lingui/react/macro';
import { Group, Skeleton, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { get, list } from '../../api/client.ts';
import { detailOf } from '../../api/error.ts';
import { useMe } from '../../api/me.ts';
import { RestoreLink } from '../../history/restore-link.tsx';
import { OpenHolds } from '../../holds/open-holds.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Pending } from '../../kit/controls/pending.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { TabList } from '../../kit/controls/tab-list.tsx';
import { UnreadyPage } from '../../kit/controls/unready.tsx';
import { fieldTitle } from '../../kit/text/field-words.ts';
import { localTime, personName } from '../../kit/text/words.ts';
import { Absences } from '../../people/absences.tsx';
import { groupNames } from '../../people/group-names.ts';
import { labelOf } from '../../people/labels.ts';
import { PersonName } from '../../people/person.tsx';
import { Departure } from './departure.tsx';
import { LeaverBanner } from './leaver-banner.tsx';
import { PersonPasskeys } from './passkeys.tsx';
import classes from './people.module.css';
import { attributeText, mayChange, type Person } from './person.ts';
import { PersonAccess } from './person-access.tsx';
import { PersonActions } from './person-actions.tsx';
import { PersonActivity } from './person-activity.tsx';
import { PersonTimeline } from './person-timeline.tsx';
import { PersonWork } from './person-work.tsx';
import { PersonProviderLinks } from './provider-links.tsx';
import { FORMER_NAMES, FORMER_TABS, type PersonTab, personSearch } from './search.ts';

interface PanelProps {
  person: Person;
}

const TABS: Record<PersonTab, { name: string; panel: (props: PanelProps) => ReactNode }> = {
  access: { name: t`Access`, panel: PersonAccess },
  timeline: { name: t`Timeline`, panel: PersonTimeline },
  activity: { name: t`Activity`, panel: PersonActivity },
  work: { name: t`Requests and tasks`, panel: PersonWork },
};
const TAB_NAMES = Object.keys(TABS) as PersonTab[];

export function PersonPage() {
  const { userId } = useParams({ from: '/in/people/$userId' });
  const [at] = useAddress(personSearch);
  const { readsAll } = useMe();
  const person = useQuery(get('/api/users/{user_id}/', { path: { user_id: userId } }));
  const above = readsAll ? <TextLink to="/people">{t`People`}</TextLink> : undefined;
  if (person.data === undefined)
    return <UnreadyPage title={t`Person`} above={above} of={person} height={160} />;
  const former = FORMER_NAMES.find((name) => name === at.tab);
  if (former !== undefined) return <Navigate replace to="." search={{ ...at, ...FORMER_TABS[former] }} />;
  return <Loaded key={userId} person={person.data} above={above} />;
}

function Loaded({ person, above }: PanelProps & { above: ReactNode }) {
  const [at, go] = useAddress(personSearch);
  const { role, readsAll } = useMe();
  const tab = TAB_NAMES.find((name) => name === at.tab) ?? 'access';
  const Panel = TABS[tab].panel;
  const isPast = tab === 'access' && at.as_of !== undefined;
  const then = useQuery({
    ...get('/api/users/{user_id}/', { path: { user_id: person.external_uuid }, query: { as_of: at.as_of } }),
    enabled: isPast,
  });
  const shown = isPast ? then.data : person;
  const changes = mayChange(role, person) && !isPast && person.merged_into === undefined;
  return (
    <>
      <PageHeader
        title={personName(person)}
        isName
        above={above}
        beside={
          shown && (
            <Group gap="xs">
              <Status of={shown.status} />
              {shown.on_leave === true && <Status of="on_leave" />}
            </Group>
          )
        }
        about={
          shown &&
          [shown.attributes.title, shown.attributes.department]
            .filter((part) => typeof part === 'string')
            .join(', ')
        }
        actions={
          <>
            <RestoreLink of={{ user: person.external_uuid }} asOf={isPast ? at.as_of : undefined} />
            {changes && (
              <PersonActions person={person} ask={at.ask} set={(ask) => go({ ask, page: at.page })} />
            )}
          </>
        }
      />
      {!isPast && (
        <>
          <LeaverBanner userId={person.external_uuid} />
          <Departure of={person} />
          <OpenHolds user={person.external_uuid} />
        </>
      )}
      <div className={classes.columns}>
        <div className={classes.main}>
          <Tabs
            value={tab}
            onChange={(next) =>
              go({ tab: next === 'access' ? undefined : TAB_NAMES.find((name) => name === next) })
            }
          >
            <TabList current={tab} mb="md">
              {TAB_NAMES.map((name) => (
                <Tabs.Tab key={name} value={name}>
                  {TABS[name].name}
                </Tabs.Tab>
              ))}
            </TabList>
            <Tabs.Panel value={tab}>
              <Panel person={person} />
            </Tabs.Panel>
          </Tabs>
          {(changes || readsAll) && <Absences userId={person.external_uuid} changes={changes} />}
          {changes && <PersonPasskeys person={person} />}
          {changes && <PersonProviderLinks person={person} />}
        </div>
        <aside className={classes.side}>
          <Section
            title={
              isPast && at.as_of !== undefined
                ? t`Profile on ${{ time: localTime(new Date(at.as_of)) }}`
                : t`Profile`
            }
          >
            {shown !== undefined ? (
              <Profile person={shown} />
            ) : then.isError ? (
              <Text size="sm">{detailOf(then.error)}</Text>
            ) : (
              <Skeleton height={120} />
            )}
          </Section>
        </aside>
      </div>
    </>
  );
}

function Profile({ person }: PanelProps) {
  const { readsAll } = useMe();
  const {
    email,
    username,
    role,
    identity_type,
    domain_type,
    manager,
    start_date,
    end_date,
    leave_from,
    leave_until,
    merged_into,
    succeeded_by,
  } = person;
  const { groups, sources = {} } = person;
  const from = (field: string, value: ReactNode) => <Sourced value={value} source={sources[field]} />;
  return (
    <Properties
      of={[
        [t`Email`, from('email', email)],
        [t`Username`, username === email ? undefined : from('username', username)],
        [t`Email passed to`, succeeded_by && <PersonName key="succeeded" id={succeeded_by} none={t`None`} />],
        [t`Merged into`, merged_into && <PersonName key="merged" id={merged_into} none={t`None`} />],
        [t`Role`, from('role', labelOf(role))],
        [t`Identity`, `${labelOf(identity_type)}, ${labelOf(domain_type).toLowerCase()}`],
        [t`Manager`, from('manager', <PersonName id={manager} />)],
        [
          t`Groups`,
          groups === undefined || groups.length === 0
            ? undefined
            : [...groupNames(groups).values()].join(', '),
        ],
        // Members may not read other people, and so do not learn who reports to them.
        [t`Reports`, readsAll ? <Reports key="reports" person={person} /> : undefined],
        [t`Owned accounts`, readsAll ? <OwnedAccounts key="owned" person={person} /> : undefined],
        [t`Start date`, start_date ?? undefined],
        [t`End date`, end_date ?? undefined],
        [t`Leave`, leave_from == null ? undefined : from('leave_from', leaveWords(leave_from, leave_until))],
        ...Object.entries(person.attributes).map(
          ([name, value]) =>
            [fieldTitle(`attributes.${name}`), from(`attributes.${name}`, attributeText(value))] as const,
        ),
        [t`Added`, <Moment key="added" at={person.created_at} />],
      ]}
    />
  );
}

/** The days of the present or next leave. */
const leaveWords = (from: string, until: string | null | undefined) =>
  until == null ? t`from ${from}, without a known end` : t`from ${from} to ${until}`;

/** A value, and where it comes from if not from Gatehouse. */
function Sourced({ value, source }: { value: ReactNode; source: 'scim' | 'group' | undefined }) {
  if (source === undefined) return value;
  return (
    <Group gap={6} component="span">
      {value}
      <Text span size="xs" c="dimmed">
        {source === 'scim' ? t`from SCIM` : t`from a group`}
      </Text>
    </Group>
  );
}

function Reports({ person: { external_uuid } }: PanelProps) {
  const source = list('/api/users/', { query: { manager: external_uuid } });
  const { data } = useQuery({
    queryKey: [...source.key, 'count'],
    queryFn: ({ signal }) => source.page({ limit: 1, offset: 0 }, signal),
  });
  if (data === undefined) return <Pending />;
  if (data.count === 0) return <span>{t`None`}</span>;
  return (
    <TextLink to="/people" search={{ manager: external_uuid }}>
      <Plural value={{ count: data.count }} one="# person" other="# people" />
    </TextLink>
  );
}

/** The service and shared accounts for which the person answers. */
function OwnedAccounts({ person: { external_uuid } }: PanelProps) {
  const source = list('/api/accounts/', { query: { owner: external_uuid } });
  const { data } = useQuery({
    queryKey: [...source.key, 'count'],
    queryFn: ({ signal }) => source.page({ limit: 1, offset: 0 }, signal),
  });
  if (data === undefined) return <Pending />;
  if (data.count === 0) return <span>{t`None`}</span>;
  return (
    <TextLink to="/accounts" search={{ owner: external_uuid }}>
      <Plural
        value={{ count: data.count }}
        one="# service or shared account"
        other="# service or shared accounts"
      />
    </TextLink>
  );
}
