import { plural, t } from '@lingui/core/macro';
import { Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { EntitlementLink } from '../../access/entitlement-link.tsx';
import { type Answer, get, type Item, list } from '../../api/client.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Email } from '../../kit/controls/email.tsx';
import { Empty } from '../../kit/controls/empty.tsx';
import { Failure } from '../../kit/controls/failure.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { statusWord } from '../../kit/controls/status.tsx';
import * as column from '../../kit/table/columns.tsx';
import { filtersOf } from '../../kit/table/list-filters.tsx';
import { ListTable } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { listed } from '../../kit/text/listed.ts';
import { Name } from '../../kit/text/name.tsx';
import { PersonLink } from '../../people/person.tsx';
import type { App } from './app.ts';
import { syncSearch } from './search.ts';

const PLAN = '/api/apps/{app_id}/syncs/{sync_id}/plan/';
export type Plan = Answer<typeof PLAN>;
type Change = Item<typeof PLAN>;

/** Reads what a sync changed or would change, without its list. Asks again while the server computes it. */
export function usePlan(
  app: App,
  syncId: string,
  query: { limit: number; applied?: boolean } = { limit: 1 },
) {
  const path = { app_id: app.external_uuid, sync_id: syncId };
  const plan = useQuery({
    ...get(PLAN, { path, query }),
    refetchInterval: ({ state }) => (state.data === undefined || isReady(state.data) ? 10_000 : 2000),
  });
  const ready = plan.data !== undefined && isReady(plan.data) ? plan.data : undefined;
  return { ...plan, ready };
}

/** A plan that is still being computed has no results. */
const isReady = (plan: Plan): boolean => 'results' in plan;

type Words = Partial<Record<Change['change'], readonly [planned: string, done: string]>>;
const WORDS: Record<string, Words> = {
  account: {
    created: [t`Create account`, t`Created account`],
    changed: [t`Change account`, t`Changed account`],
    removed: [t`Remove account`, t`Removed account`],
  },
  membership: {
    added: [t`Add membership`, t`Added membership`],
    removed: [t`Remove membership`, t`Removed membership`],
  },
  group: {
    created: [t`Create group`, t`Created group`],
    changed: [t`Change group`, t`Changed group`],
    removed: [t`Remove group`, t`Removed group`],
  },
  license: {
    created: [t`Create license`, t`Created license`],
    changed: [t`Change license`, t`Changed license`],
    removed: [t`Remove license`, t`Removed license`],
  },
};

function changeWords({ change, type, resource, applied }: Change): string {
  const words = WORDS[type === 'resource' ? (resource?.type ?? '') : type]?.[change];
  return words?.[applied ? 1 : 0] ?? change;
}

export const changeColumns = (appId: string): Column<Change>[] => [
  column.text('change', t({ message: 'Change', context: 'a difference' }), changeWords, {
    csv: ({ change, type }) => `${change} ${type}`,
  }),
  column.cell(
    'account',
    t`Account`,
    { csv: ({ account }) => account?.email || account?.external_id },
    ({ account }) => account !== null && <AccountLink account={account} />,
  ),
  column.cell('person', t`Person`, { csv: ({ person }) => person?.email }, ({ account, person }) =>
    person === null ? account !== null && t`Nobody` : <PersonLink of={person} />,
  ),
  column.cell(
    'resource',
    t`Group or license`,
    { csv: ({ resource }) => resource?.name || resource?.id },
    ({ resource, type, change, applied }) =>
      resource !== null &&
      (type === 'resource' && change === 'created' && !applied ? (
        <Name of={resource.name || resource.id} />
      ) : (
        <EntitlementLink of={resource} appId={appId} />
      )),
  ),
  column.text('details', t`Details`, ({ before, after }) => detailsOf(before, after)),
];

function AccountLink({ account }: { account: NonNullable<Change['account']> }) {
  const name = account.email || account.display_name || account.external_id || '';
  if (account.id === null) return <Email of={name} />;
  return (
    <TextLink to="/accounts/$accountId" params={{ accountId: account.id }}>
      <Email of={name} />
    </TextLink>
  );
}

/** "Status: Active to Suspended". For something that appears or disappears, its status. */
function detailsOf(before: Change['before'], after: Change['after']): string {
  const word = (value: unknown) =>
    value === null || value === undefined || value === '' ? t`none` : statusWord(String(value));
  if (before === null || after === null) {
    const status = (after ?? before)?.status;
    return status === undefined ? '' : word(status);
  }
  return Object.keys(after)
    .filter((name) => before[name] !== after[name])
    .map((column) => {
      const name = NAMES[column] ?? column;
      const from = word(before[column]);
      const to = word(after[column]);
      return t`${name}: ${from} to ${to}`;
    })
    .join('; ');
}

const NAMES: Record<string, string> = {
  status: t`Status`,
  email: t`Email`,
  username: t`Username`,
  first_name: t`First name`,
  last_name: t`Last name`,
  display_name: t`Display name`,
  external_id: t`External ID`,
  name: t`Name`,
};

export const changeId = ({ type, change, account, resource }: Change) =>
  [type, change, account?.id ?? account?.external_id, account?.type, resource?.slug, resource?.id].join(' ');

/** "1 account created, 2 memberships removed." */
function resultInWords(
  { accounts, memberships, resources }: NonNullable<Plan['counts']>,
  confirmed: number,
  isPlanned: boolean,
): string {
  const parts = [
    [accounts.created, plural(accounts.created, { one: '# account created', other: '# accounts created' })],
    [accounts.changed, plural(accounts.changed, { one: '# account changed', other: '# accounts changed' })],
    [accounts.removed, plural(accounts.removed, { one: '# account removed', other: '# accounts removed' })],
    [
      memberships.added,
      plural(memberships.added, { one: '# membership added', other: '# memberships added' }),
    ],
    [
      memberships.removed,
      plural(memberships.removed, { one: '# membership removed', other: '# memberships removed' }),
    ],
    [
      resources.created,
      plural(resources.created, {
        one: '# group or license created',
        other: '# groups and licenses created',
      }),
    ],
    [
      resources.changed,
      plural(resources.changed, {
        one: '# group or license changed',
        other: '# groups and licenses changed',
      }),
    ],
    [
      resources.removed,
      plural(resources.removed, {
        one: '# group or license removed',
        other: '# groups and licenses removed',
      }),
    ],
    [confirmed, plural(confirmed, { one: '# removal confirmed', other: '# removals confirmed' })],
  ] as const;
  const said = parts.flatMap(([count, words]) => (count > 0 ? [words] : []));
  if (said.length === 0)
    return isPlanned ? t`Completing the sync now would change nothing.` : t`Nothing changed.`;
  const changes = listed(said, 'unit');
  return isPlanned ? t`${changes}. Completing the sync now would have this result.` : t`${changes}.`;
}

const TYPES = [
  { value: 'account', label: t`Accounts` },
  { value: 'membership', label: t`Memberships` },
  { value: 'resource', label: t`Groups and licenses` },
];

const { search, select } = filtersOf(syncSearch);
const FILTERS = [search('q', t`Search by name, email or ID`), select('of', t`Type`, TYPES)];

/** Everything that a sync changed, or that completing it now would change. */
export function SyncChanges({ app, syncId }: { app: App; syncId: string }) {
  const [at, go] = useAddress(syncSearch);
  const { ready, data, isError, error, refetch } = usePlan(app, syncId);
  const { name } = app;
  if (isError && data === undefined) return <Failure error={error} again={() => void refetch()} />;
  const title = ready?.basis === 'plan' ? t`Changes of this sync` : t`Changes made by this sync`;
  return (
    <Section title={title}>
      {ready === undefined ? (
        <Text role="status">
          <Loader size="xs" mr="xs" />
          {t`Computing the changes…`}
        </Text>
      ) : ready.counts === null ? (
        <Empty title={t`No history`}>{t`This sync ended before Gatehouse kept a history.`}</Empty>
      ) : (
        <>
          <Text mb="sm">
            {resultInWords(ready.counts, ready.confirmed_removals, ready.status === 'in_progress')}{' '}
            {ready.plan !== null && t`The removals have not been carried out.`}
          </Text>
          <ListTable
            address={[at, go]}
            filters={FILTERS}
            label={title}
            counted={(n) => plural(n, { one: '# change', other: '# changes' })}
            list={list(PLAN, {
              path: { app_id: app.external_uuid, sync_id: syncId },
              query: { q: at.q, type: at.of },
            })}
            columns={changeColumns(app.external_uuid)}
            rowId={changeId}
            pageSize={25}
            csv={t`changes of a sync of ${name}`}
            empty={{ title: t`No changes` }}
            unmatched={{
              title: t`No changes match these filters`,
              text: t`Clear a filter to see more changes.`,
            }}
          />
        </>
      )}
    </Section>
  );
}
