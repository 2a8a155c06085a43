import { Select } from '@mantine/core';
import { api, type Item, list, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../parts/address.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Filters, Search } from '../../parts/filters.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import type { Column } from '../../parts/table-view.tsx';
import { counted } from '../../parts/words.ts';
import { labelOf, selectOptions } from './person.ts';
import { groupsSearch } from './search.ts';

type PersonGroup = Item<'/api/person-groups/'>;

const ROLES = ['admin', 'auditor', 'member'] as const;

const columns: Column<PersonGroup>[] = [
  { id: 'name', header: 'Name', cell: ({ display_name }) => display_name },
  {
    id: 'members',
    header: 'Members',
    cell: ({ id, members }) => (
      <TextLink to="/groups/$groupId" params={{ groupId: id }}>
        {counted(members, 'person', 'people')}
      </TextLink>
    ),
  },
  { id: 'role', header: 'Role of members', cell: (group) => <RoleOfMembers group={group} /> },
  { id: 'updated_at', header: 'Changed', cell: ({ updated_at }) => <Moment at={updated_at} /> },
];

/** The groups that an identity provider keeps. Owners choose the roles that they give. */
export function GroupsPage() {
  const [at, go] = useAddress(groupsSearch);
  const groups = list('/api/person-groups/', { query: { q: at.q } });
  return (
    <>
      <PageHeader
        title="Groups"
        above={<TextLink to="/people">People</TextLink>}
        about="Groups of people that an identity provider keeps through SCIM. Policies can use them, and owners can let them give roles."
      />
      <Filters some={at.q !== undefined} clear={() => go({ q: undefined })}>
        <Search label="Search by name" value={at.q} set={(typed) => go({ q: typed })} />
      </Filters>
      <DataTable
        label="Groups"
        noun="group"
        nouns="groups"
        list={groups}
        columns={columns}
        rowId={({ id }) => id}
        page={at.page}
        onPage={(page) => go({ page })}
        empty={
          at.q === undefined ? (
            <Empty title="No groups yet">
              Let your identity provider push groups. Settings, Organization shows the address.
            </Empty>
          ) : (
            <Empty title="No groups match this search">Clear the search to see all groups.</Empty>
          )
        }
      />
    </>
  );
}

function RoleOfMembers({ group: { id, display_name, role } }: { group: PersonGroup }) {
  const isOwner = useMe().role === 'owner';
  const change = useChange(
    (next: (typeof ROLES)[number] | null) =>
      ok(
        api.PUT('/api/person-groups/{group_id}/role/', {
          params: { path: { group_id: id } },
          body: { role: next },
        }),
      ),
    { success: `Role of ${display_name} saved` },
  );
  if (!isOwner) return <span>{role === null ? 'None' : labelOf(role)}</span>;
  return (
    <Select
      aria-label={`Role of the members of ${display_name}`}
      placeholder="None"
      data={selectOptions(ROLES)}
      value={role}
      onChange={(next) => change.mutate(ROLES.find((one) => one === next) ?? null)}
      disabled={change.isPending}
      clearable
      size="xs"
      w={170}
    />
  );
}
