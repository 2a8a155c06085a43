import { Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Answer, get, type Item, list } from '../../api/client.ts';
import { useAddress } from '../../parts/address.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { FilterSelect, Filters, Search } from '../../parts/filters.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Section } from '../../parts/section.tsx';
import { statusWord } from '../../parts/status.tsx';
import type { Column } from '../../parts/table-view.tsx';
import { counted, personName } from '../../parts/words.ts';
import type { App } from './app.ts';
import { appSearch } from './search.ts';

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

const NOUNS = { account: 'account', membership: 'membership', resource: 'group or license' } as const;
const DONE = { created: 'Created', changed: 'Changed', added: 'Added', removed: 'Removed' } as const;
const PLANNED = { created: 'Create', changed: 'Change', added: 'Add', removed: 'Remove' } as const;

export const changeColumns: Column<Change>[] = [
  {
    id: 'change',
    header: 'Change',
    cell: ({ change, type, resource, applied }) =>
      `${(applied ? DONE : PLANNED)[change]} ${type === 'resource' ? resource?.type : NOUNS[type]}`,
    csv: ({ change, type }) => `${change} ${type}`,
  },
  {
    id: 'account',
    header: 'Account',
    cell: ({ account }) => account !== null && <AccountLink account={account} />,
    csv: ({ account }) => account?.email || account?.external_id,
  },
  {
    id: 'person',
    header: 'Person',
    cell: ({ account, person }) =>
      person === null ? (
        account !== null && 'Not linked'
      ) : (
        <TextLink to="/people/$userId" params={{ userId: person.external_uuid }}>
          {personName(person)}
        </TextLink>
      ),
    csv: ({ person }) => person?.email,
  },
  {
    id: 'resource',
    header: 'Group or license',
    cell: ({ resource }) => resource?.name || resource?.id,
    csv: ({ resource }) => resource?.name || resource?.id,
  },
  {
    id: 'details',
    header: 'Details',
    cell: ({ before, after }) => detailsOf(before, after),
    csv: ({ before, after }) => detailsOf(before, after),
  },
];

function AccountLink({ account }: { account: NonNullable<Change['account']> }) {
  const name = account.email || account.display_name || account.external_id;
  if (account.id === null) return name;
  return (
    <TextLink to="/accounts/$accountId" params={{ accountId: account.id }}>
      {name}
    </TextLink>
  );
}

/** "Status: Active to Suspended". For something that appears or disappears, its status. */
function detailsOf(before: Change['before'], after: Change['after']): string {
  const word = (value: unknown) =>
    value === null || value === undefined || value === '' ? 'none' : statusWord(String(value));
  if (before === null || after === null) {
    const status = (after ?? before)?.status;
    return status === undefined ? '' : word(status);
  }
  return Object.keys(after)
    .filter((name) => before[name] !== after[name])
    .map((name) => `${nameOf(name)}: ${word(before[name])} to ${word(after[name])}`)
    .join('; ');
}

const nameOf = (column: string) => column.charAt(0).toUpperCase() + column.slice(1).replaceAll('_', ' ');

export const changeId = ({ type, change, account, resource }: Change) =>
  [type, change, account?.id ?? account?.external_id, account?.type, resource?.slug, resource?.id].join(' ');

/** "1 account created, 2 memberships removed." */
function resultInWords(
  { accounts, memberships, resources }: NonNullable<Plan['counts']>,
  isPlanned: boolean,
): string {
  const parts = [
    [accounts.created, 'account', 'accounts', 'created'],
    [accounts.changed, 'account', 'accounts', 'changed'],
    [accounts.removed, 'account', 'accounts', 'removed'],
    [memberships.added, 'membership', 'memberships', 'added'],
    [memberships.removed, 'membership', 'memberships', 'removed'],
    [resources.created, 'group or license', 'groups and licenses', 'created'],
    [resources.changed, 'group or license', 'groups and licenses', 'changed'],
    [resources.removed, 'group or license', 'groups and licenses', 'removed'],
  ] as const;
  const said = parts.filter(([n]) => n > 0).map(([n, one, many, verb]) => `${counted(n, one, many)} ${verb}`);
  if (said.length === 0)
    return isPlanned ? 'Completing the sync now would change nothing.' : 'Nothing changed.';
  return `${said.join(', ')}.${isPlanned ? ' Completing the sync now would have this result.' : ''}`;
}

const TYPES = [
  { value: 'account', label: 'Accounts' },
  { value: 'membership', label: 'Memberships' },
  { value: 'resource', label: 'Groups and licenses' },
];

/** Everything that a sync changed, or that completing it now would change. */
export function SyncChanges({ app, syncId }: { app: App; syncId: string }) {
  const [at, go] = useAddress(appSearch);
  const { ready, data, isError, error, refetch } = usePlan(app, syncId);
  const back = (
    <TextLink to="/apps/$appId" params={{ appId: app.external_uuid }} search={{ tab: 'syncs' }}>
      All syncs
    </TextLink>
  );
  if (isError && data === undefined) return <Failure error={error} again={() => void refetch()} />;
  const title = ready?.basis === 'plan' ? 'Changes of this sync' : 'What this sync changed';
  return (
    <Section title={title} actions={back}>
      {ready === undefined ? (
        <Text role="status">
          <Loader size="xs" mr="xs" />
          Computing the changes…
        </Text>
      ) : ready.counts === null ? (
        <Empty title="No history">This sync ended before Gatehouse kept a history.</Empty>
      ) : (
        <>
          <Text mb="sm">
            {resultInWords(ready.counts, ready.status === 'in_progress')}
            {ready.plan !== null && ' The removals have not been carried out.'}
          </Text>
          <Filters
            some={at.q !== undefined || at.of !== undefined}
            clear={() => go({ q: undefined, of: undefined })}
          >
            <Search label="Search by name, email or ID" value={at.q} set={(q) => go({ q })} />
            <FilterSelect
              label="Type"
              options={TYPES}
              value={at.of}
              set={(of) => go({ of: of as typeof at.of })}
            />
          </Filters>
          <DataTable
            label={title}
            noun="change"
            list={list(PLAN, {
              path: { app_id: app.external_uuid, sync_id: syncId },
              query: { q: at.q, type: at.of },
            })}
            columns={changeColumns}
            rowId={changeId}
            page={at.page}
            onPage={(page) => go({ page })}
            csv={`changes of a sync of ${app.name}`}
            empty={<Empty title="No changes">No change matches.</Empty>}
          />
        </>
      )}
    </Section>
  );
}
