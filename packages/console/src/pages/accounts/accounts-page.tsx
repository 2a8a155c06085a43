import { Button } from '@mantine/core';
import { useState } from 'react';
import { type Item, list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../parts/address.ts';
import { AppFilter } from '../../parts/app-picker.tsx';
import { type Bulk, BulkJob } from '../../parts/bulk-job.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { DataTable, type Selection } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { FilterSelect, Filters, Search } from '../../parts/filters.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Status, statusWord } from '../../parts/status.tsx';
import type { Column } from '../../parts/table-view.tsx';
import { counted, personName } from '../../parts/words.ts';
import { type Action, accountName, makeTask } from './account.ts';
import { accountsSearch, SORTS, STATUSES } from './search.ts';

type Account = Item<'/api/accounts/'>;

const count = (refs: Account['memberships']) =>
  Object.values(refs).reduce((sum, { length }) => sum + length, 0);
const names = (refs: Account['memberships']) =>
  Object.values(refs)
    .flat()
    .map(({ id, name }) => name || id)
    .join('; ');

const columns: Column<Account>[] = [
  { id: 'name', header: 'Account', cell: accountName, csv: accountName },
  { id: 'email', header: 'Email', sort: 'email', cell: ({ email }) => email, csv: ({ email }) => email },
  { id: 'app', header: 'App', cell: ({ app }) => app.name, csv: ({ app }) => app.name },
  {
    id: 'status',
    header: 'Status',
    cell: ({ status }) => <Status of={status} />,
    csv: ({ status }) => status,
  },
  {
    id: 'user',
    header: 'Person',
    cell: ({ person }) =>
      person === null ? (
        'nobody'
      ) : (
        <TextLink to="/people/$userId" params={{ userId: person.external_uuid }}>
          {personName(person)}
        </TextLink>
      ),
    csv: ({ person }) => person?.email ?? '',
  },
  {
    id: 'memberships',
    header: 'Groups',
    right: true,
    cell: ({ memberships }) => count(memberships),
    csv: ({ memberships }) => names(memberships),
  },
  {
    id: 'assignments',
    header: 'Licenses',
    right: true,
    cell: ({ assignments }) => count(assignments),
    csv: ({ assignments }) => names(assignments),
  },
  {
    id: 'last_seen_at',
    header: 'Last seen',
    cell: ({ last_seen_at }) => <Moment at={last_seen_at} />,
    csv: ({ last_seen_at }) => last_seen_at,
  },
];

const STATUS_OPTIONS = STATUSES.map((value) => ({ value, label: statusWord(value) }));
const LINKED = [
  { value: 'true', label: "Somebody's" },
  { value: 'false', label: "Nobody's" },
];
const NO_FILTER = { q: undefined, app: undefined, status: undefined, linked: undefined };

export function AccountsPage() {
  const [at, go] = useAddress(accountsSearch);
  const { manages, readsAll } = useMe();
  // Here, and not with the buttons: they go once nothing is chosen any more.
  const [job, setJob] = useState<Bulk<Account>>();
  const { q, app, status, linked, sort } = at;
  const some = q !== undefined || app !== undefined || status !== undefined || linked !== undefined;
  return (
    <>
      <PageHeader
        title="Accounts"
        about={
          readsAll
            ? 'Who can sign in to which app, as the last sync of each app saw it.'
            : 'Your accounts in the apps of this organization.'
        }
      />
      <Filters some={some} clear={() => go(NO_FILTER)}>
        <Search label="Part of an email" value={q} set={(typed) => go({ q: typed })} />
        <AppFilter value={app} set={(chosen) => go({ app: chosen })} />
        <FilterSelect
          label="Status"
          options={STATUS_OPTIONS}
          value={status}
          set={(value) => go({ status: STATUSES.find((one) => one === value) })}
        />
        {readsAll && (
          <FilterSelect
            label="Person"
            options={LINKED}
            value={linked?.toString()}
            set={(value) => go({ linked: value === undefined ? undefined : value === 'true' })}
          />
        )}
      </Filters>
      <DataTable
        label="Accounts"
        noun="account"
        list={list('/api/accounts/', { query: { email: q, app, status, linked, sort } })}
        columns={columns}
        rowId={({ external_uuid }) => external_uuid}
        rowName={(account) => `${accountName(account)} in ${account.app.name}`}
        href={({ external_uuid }) => `/accounts/${external_uuid}`}
        page={at.page}
        onPage={(page) => go({ page })}
        sort={sort}
        onSort={(by) => go({ sort: SORTS.find((one) => one === by) })}
        csv="accounts"
        {...(manages
          ? { actions: (selection: Selection<Account>) => <Actions of={selection} begin={setJob} /> }
          : {})}
        empty={
          some ? (
            <Empty title="No account fits these filters">Take one of them away.</Empty>
          ) : (
            <Empty title="No accounts yet">
              {readsAll
                ? 'They come with the first sync of an app.'
                : 'Ask for access to an app; once it is granted, your account stands here.'}
            </Empty>
          )
        }
      />
      <BulkJob job={job} close={() => setJob(undefined)} />
    </>
  );
}

interface Verb {
  action: Action;
  /** "Suspend" */
  word: string;
  /** What becomes of each of them. */
  effect: string;
  destroys?: boolean;
}

const VERBS: readonly Verb[] = [
  {
    action: 'suspend_account',
    word: 'Suspend',
    effect: 'Nobody can use them until they are unsuspended. What they have they keep.',
  },
  {
    action: 'unsuspend_account',
    word: 'Unsuspend',
    effect: 'They can be used again, with what they had.',
  },
  {
    action: 'delete_account',
    word: 'Delete',
    effect: 'Each loses its groups and licenses and is deleted in its app. This cannot be taken back.',
    destroys: true,
  },
];

/** What administrators can do with chosen accounts: one task for each. */
function Actions({ of: selection, begin }: { of: Selection<Account>; begin: (job: Bulk<Account>) => void }) {
  const [verb, ask] = useState<Verb>();
  // The words stay while the dialog fades away.
  const [{ word, effect, action, destroys = false }, show] = useState<Verb>(VERBS[0] as Verb);
  const what = counted(selection.count, 'account');
  const start = async () => {
    begin({
      title: `${word} ${what}`,
      rows: selection.rows,
      act: (account) => makeTask(account, action),
      name: (account) => `${accountName(account)} in ${account.app.name}`,
    });
    selection.clear();
  };
  return (
    <>
      {VERBS.map((one) => (
        <Button
          key={one.action}
          {...(one.destroys === true ? { color: 'red', variant: 'outline' } : { variant: 'default' })}
          onClick={() => {
            show(one);
            ask(one);
          }}
        >
          {one.word}
        </Button>
      ))}
      <Confirm
        opened={verb !== undefined}
        close={() => ask(undefined)}
        title={`${word} ${what}?`}
        action={`${word} ${what}`}
        harmless={!destroys}
        {...(destroys ? { type: `delete ${selection.count}` } : {})}
        act={start}
      >
        A task for the connector is made for each of them. {effect}
      </Confirm>
    </>
  );
}
