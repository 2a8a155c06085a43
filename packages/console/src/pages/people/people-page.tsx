import { Button, Select, Tabs } from '@mantine/core';
import { IconPlus, IconUpload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type Item, list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../parts/address.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { FilterSelect, Filters, Search } from '../../parts/filters.tsx';
import { ButtonLink } from '../../parts/links.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { usePeople } from '../../parts/person.tsx';
import { Status, statusWord } from '../../parts/status.tsx';
import type { Column } from '../../parts/table-view.tsx';
import { personName } from '../../parts/words.ts';
import { Duplicates } from './duplicates.tsx';
import { ExportPeople } from './export-people.tsx';
import { Leavers } from './leavers.tsx';
import { labelOf, selectOptions } from './person.ts';
import { NewPersonDialog } from './person-dialogs.tsx';
import { IDENTITY_TYPES, PEOPLE_TABS, peopleSearch, ROLES, SORTS, SOURCES, STATUSES } from './search.ts';
import { UnlinkedAccounts } from './unlinked-accounts.tsx';

type Person = Item<'/api/users/'>;

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

const SOURCE_LABELS = { scim: 'Identity provider', gatehouse: 'Gatehouse' };

const sourceOf = (sources: Person['sources']) =>
  Object.values(sources ?? {}).includes('scim') ? 'scim' : 'gatehouse';

const columns: Column<Person>[] = [
  { id: 'name', header: 'Name', cell: personName },
  { id: 'email', header: 'Email', sort: 'email', cell: ({ email }) => email },
  { id: 'title', header: 'Title', cell: ({ attributes }) => textOf(attributes.title) },
  { id: 'department', header: 'Department', cell: ({ attributes }) => textOf(attributes.department) },
  { id: 'status', header: 'Status', cell: ({ status }) => <Status of={status} /> },
  { id: 'role', header: 'Role', cell: ({ role }) => labelOf(role) },
  { id: 'identity_type', header: 'Identity type', cell: ({ identity_type }) => labelOf(identity_type) },
  { id: 'source', header: 'Source', cell: ({ sources }) => SOURCE_LABELS[sourceOf(sources)] },
];

const STATUS_OPTIONS = STATUSES.map((value) => ({ value, label: statusWord(value) }));
const SOURCE_OPTIONS = SOURCES.map((value) => ({ value, label: SOURCE_LABELS[value] }));
const NO_FILTER = {
  q: undefined,
  status: undefined,
  role: undefined,
  identity_type: undefined,
  manager: undefined,
  source: undefined,
};

type Tab = (typeof PEOPLE_TABS)[number] | 'all';

const TABS: Record<Tab, { name: string; panel: () => ReactNode }> = {
  all: { name: 'All', panel: AllPeople },
  duplicates: { name: 'Duplicates', panel: Duplicates },
  unlinked: { name: 'Unlinked accounts', panel: UnlinkedAccounts },
  leavers: { name: 'Leavers with access', panel: Leavers },
};

export function PeoplePage() {
  const [at, go] = useAddress(peopleSearch);
  const { manages, readsAll } = useMe();
  const tab = readsAll ? (at.tab ?? 'all') : 'all';
  const { panel: Panel } = TABS[tab];
  return (
    <>
      <PageHeader
        title="People"
        about={readsAll ? 'The people whose access Gatehouse governs.' : 'Your entry in Gatehouse.'}
        actions={
          tab === 'all' && (
            <>
              {readsAll && <ExportPeople list={listOf(at)} />}
              {manages && (
                <>
                  <ButtonLink
                    to="/people/upload"
                    variant="default"
                    leftSection={<IconUpload size={15} aria-hidden />}
                  >
                    Import people
                  </ButtonLink>
                  <Button
                    leftSection={<IconPlus size={15} aria-hidden />}
                    onClick={() => go({ new: 'person' })}
                  >
                    Add person
                  </Button>
                </>
              )}
            </>
          )
        }
      />
      {readsAll ? (
        <Tabs
          value={tab}
          onChange={(next) =>
            go({
              ...NO_FILTER,
              app: undefined,
              dismissed: undefined,
              tab: PEOPLE_TABS.find((id) => id === next),
            })
          }
        >
          <Tabs.List mb="md">
            {(Object.keys(TABS) as Tab[]).map((id) => (
              <Tabs.Tab key={id} value={id}>
                {TABS[id].name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value={tab}>
            <Panel />
          </Tabs.Panel>
        </Tabs>
      ) : (
        <Panel />
      )}
    </>
  );
}

const listOf = ({ q, status, role, identity_type, manager, source, sort }: ReturnType<typeof peopleSearch>) =>
  list('/api/users/', { query: { q, status, role, identity_type, manager, source, sort } });

function AllPeople() {
  const [at, go] = useAddress(peopleSearch);
  const { manages } = useMe();
  const { q, status, role, identity_type, manager, source } = at;
  const query = { q, status, role, identity_type, manager, source };
  const some = Object.values(query).some((value) => value !== undefined);
  const close = () => go({ new: undefined });
  return (
    <>
      <Filters some={some} clear={() => go(NO_FILTER)}>
        <Search label="Search by name or email" value={q} set={(typed) => go({ q: typed })} />
        <FilterSelect
          label="Status"
          options={STATUS_OPTIONS}
          value={status}
          set={(value) => go({ status: STATUSES.find((one) => one === value) })}
        />
        <FilterSelect
          label="Role"
          options={selectOptions(ROLES)}
          value={role}
          set={(value) => go({ role: ROLES.find((one) => one === value) })}
        />
        <FilterSelect
          label="Identity type"
          options={selectOptions(IDENTITY_TYPES)}
          value={identity_type}
          set={(value) => go({ identity_type: IDENTITY_TYPES.find((one) => one === value) })}
        />
        <FilterSelect
          label="Source"
          options={SOURCE_OPTIONS}
          value={source}
          set={(value) => go({ source: SOURCES.find((one) => one === value) })}
        />
        <ManagerFilter value={manager} set={(value) => go({ manager: value })} />
      </Filters>
      <DataTable
        label="People"
        noun="person"
        nouns="people"
        list={listOf(at)}
        columns={columns}
        rowId={({ external_uuid }) => external_uuid}
        href={({ external_uuid }) => `/people/${external_uuid}`}
        sort={at.sort}
        onSort={(by) => go({ sort: SORTS.find((one) => one === by) })}
        page={at.page}
        onPage={(page) => go({ page })}
        empty={
          some ? (
            <Empty title="No people match these filters">Clear the filters to see all people.</Empty>
          ) : (
            <Empty title="No people yet">Add a person, or import people from a spreadsheet.</Empty>
          )
        }
      />
      {manages && <NewPersonDialog opened={at.new === 'person'} close={close} />}
    </>
  );
}

function ManagerFilter({ value, set }: { value: string | undefined; set: (value?: string) => void }) {
  const people = usePeople(value === undefined ? [] : [value]);
  return (
    <Select
      aria-label="Manager"
      placeholder="Manager"
      data={people.options}
      value={value ?? null}
      onChange={(next) => set(next ?? undefined)}
      onSearchChange={people.search}
      filter={({ options }) => options}
      nothingFoundMessage={people.nothing}
      searchable
      clearable
      w={150}
    />
  );
}
