import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Select } from '@mantine/core';
import { api, type Item, list, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { DataTable } from '../../kit/table/data-table.tsx';
import { Filters, Search } from '../../kit/table/filters.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { Name } from '../../kit/text/name.tsx';
import { labelOf, selectOptions } from './person.ts';
import { groupsSearch } from './search.ts';

type PersonGroup = Item<'/api/person-groups/'>;

const ROLES = ['admin', 'auditor', 'member'] as const;

const columns: Column<PersonGroup>[] = [
  { id: 'name', header: t`Name`, cell: ({ display_name }) => <Name of={display_name} /> },
  { id: 'external_id', header: t`ID at the provider`, cell: ({ external_id }) => external_id ?? '' },
  {
    id: 'members',
    header: t`Members`,
    cell: ({ id, members }) => (
      <TextLink to="/groups/$groupId" params={{ groupId: id }}>
        <Plural value={members} one="# person" other="# people" />
      </TextLink>
    ),
  },
  { id: 'role', header: t`Role of members`, cell: (group) => <RoleOfMembers group={group} /> },
  { id: 'updated_at', header: t`Changed`, cell: ({ updated_at }) => <Moment at={updated_at} /> },
];

/** The groups that an identity provider keeps. Owners choose the roles that they give. */
export function GroupsPage() {
  const [at, go] = useAddress(groupsSearch);
  const groups = list('/api/person-groups/', { query: { q: at.q } });
  return (
    <>
      <PageHeader
        title={t`Groups`}
        above={
          <TextLink to="/people">
            <Trans>People</Trans>
          </TextLink>
        }
        about={t`Groups of people that an identity provider keeps through SCIM. Policies can use them, and owners can let them give roles.`}
      />
      <Filters some={at.q !== undefined} clear={() => go({ q: undefined })}>
        <Search label={t`Search by name`} value={at.q} set={(typed) => go({ q: typed })} />
      </Filters>
      <DataTable
        label={t`Groups`}
        counted={(n) => plural(n, { one: '# group', other: '# groups' })}
        list={groups}
        columns={columns}
        compared={({ display_name }) => [display_name]}
        rowId={({ id }) => id}
        page={at.page}
        onPage={(page) => go({ page })}
        empty={
          at.q === undefined ? (
            <Empty title={t`No groups yet`}>
              <Trans>Let your identity provider push groups. Settings, Organization shows the address.</Trans>
            </Empty>
          ) : (
            <Empty title={t`No groups match this search`}>
              <Trans>Clear the search to see all groups.</Trans>
            </Empty>
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
    { success: t`Role of ${display_name} saved` },
  );
  if (!isOwner) return <span>{role === null ? t`None` : labelOf(role)}</span>;
  return (
    <Select
      aria-label={t`Role of the members of ${display_name}`}
      placeholder={t`None`}
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
