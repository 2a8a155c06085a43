import { Button, Select } from '@mantine/core';
import { IconPlus, IconUpload } from '@tabler/icons-react';
import { type Item, list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../parts/address.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { FilterSelect, Filters, Search } from '../../parts/filters.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { usePeople } from '../../parts/person.tsx';
import { Status, statusWord } from '../../parts/status.tsx';
import type { Column } from '../../parts/table-view.tsx';
import { personName } from '../../parts/words.ts';
import { ExportPeople } from './export-people.tsx';
import { ImportPeople } from './import-people.tsx';
import { optionsOf, wordOf } from './person.ts';
import { NewPersonDialog } from './person-dialogs.tsx';
import { IDENTITY_TYPES, peopleSearch, ROLES, SORTS, STATUSES } from './search.ts';

type Person = Item<'/api/users/'>;

const said = (value: unknown) => (typeof value === 'string' ? value : '');

const columns: Column<Person>[] = [
  { id: 'name', header: 'Name', cell: personName },
  { id: 'email', header: 'Email', sort: 'email', cell: ({ email }) => email },
  { id: 'title', header: 'Title', cell: ({ attributes }) => said(attributes.title) },
  { id: 'department', header: 'Department', cell: ({ attributes }) => said(attributes.department) },
  { id: 'status', header: 'Status', cell: ({ status }) => <Status of={status} /> },
  { id: 'role', header: 'Role', cell: ({ role }) => wordOf(role) },
  { id: 'identity_type', header: 'Kind', cell: ({ identity_type }) => wordOf(identity_type) },
];

const STATUS_OPTIONS = STATUSES.map((value) => ({ value, label: statusWord(value) }));
const NO_FILTER = {
  q: undefined,
  status: undefined,
  role: undefined,
  identity_type: undefined,
  manager: undefined,
};

export function PeoplePage() {
  const [at, go] = useAddress(peopleSearch);
  const { manages, readsAll } = useMe();
  const { q, status, role, identity_type, manager } = at;
  const query = { q, status, role, identity_type, manager };
  const some = Object.values(query).some((value) => value !== undefined);
  const people = list('/api/users/', { query: { ...query, sort: at.sort } });
  const close = () => go({ new: undefined });
  return (
    <>
      <PageHeader
        title="People"
        about={
          readsAll
            ? 'Who works here: the people whose access Gatehouse governs.'
            : 'What Gatehouse knows of you.'
        }
        actions={
          <>
            {readsAll && <ExportPeople list={people} />}
            {manages && (
              <>
                <Button
                  variant="default"
                  leftSection={<IconUpload size={15} aria-hidden />}
                  onClick={() => go({ new: 'import' })}
                >
                  Import CSV
                </Button>
                <Button
                  leftSection={<IconPlus size={15} aria-hidden />}
                  onClick={() => go({ new: 'person' })}
                >
                  New person
                </Button>
              </>
            )}
          </>
        }
      />
      <Filters some={some} clear={() => go(NO_FILTER)}>
        <Search label="Part of a name or an email" value={q} set={(typed) => go({ q: typed })} />
        <FilterSelect
          label="Status"
          options={STATUS_OPTIONS}
          value={status}
          set={(value) => go({ status: STATUSES.find((one) => one === value) })}
        />
        <FilterSelect
          label="Role"
          options={optionsOf(ROLES)}
          value={role}
          set={(value) => go({ role: ROLES.find((one) => one === value) })}
        />
        <FilterSelect
          label="Kind"
          options={optionsOf(IDENTITY_TYPES)}
          value={identity_type}
          set={(value) => go({ identity_type: IDENTITY_TYPES.find((one) => one === value) })}
        />
        <ManagerFilter value={manager} set={(value) => go({ manager: value })} />
      </Filters>
      <DataTable
        label="People"
        noun="person"
        nouns="people"
        list={people}
        columns={columns}
        rowId={({ external_uuid }) => external_uuid}
        href={({ external_uuid }) => `/people/${external_uuid}`}
        sort={at.sort}
        onSort={(by) => go({ sort: SORTS.find((one) => one === by) })}
        page={at.page}
        onPage={(page) => go({ page })}
        empty={
          some ? (
            <Empty title="Nobody fits these filters">Take one of them away.</Empty>
          ) : (
            <Empty title="Nobody yet">Add the first person, or import them all from a CSV file.</Empty>
          )
        }
      />
      {manages && (
        <>
          <NewPersonDialog opened={at.new === 'person'} close={close} />
          <ImportPeople opened={at.new === 'import'} close={close} />
        </>
      )}
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
      w={200}
    />
  );
}
