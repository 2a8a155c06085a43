import { plural, t } from '@lingui/core/macro';
import { Plural } from '@lingui/react/macro';
import { Select } from '@mantine/core';
import { api, type Item, list, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { TextLink } from '../../kit/controls/links.tsx';
import * as column from '../../kit/table/columns.tsx';
import { filtersOf } from '../../kit/table/list-filters.tsx';
import { ListPage } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { labelOf } from '../../people/labels.ts';
import { selectOptions } from './person.ts';
import { groupsSearch } from './search.ts';

type PersonGroup = Item<'/api/person-groups/'>;

const ROLES = ['admin', 'auditor', 'member'] as const;

const columns: Column<PersonGroup>[] = [
  column.name('name', t`Name`, ({ display_name }) => display_name),
  column.text('external_id', t`ID at the provider`),
  column.cell('members', t`Members`, ({ id, members }) => (
    <TextLink to="/groups/$groupId" params={{ groupId: id }}>
      <Plural value={members} one="# person" other="# people" />
    </TextLink>
  )),
  column.cell('role', t`Role of members`, (group) => <RoleOfMembers group={group} />),
  column.moment('updated_at', t`Changed`),
];

const FILTERS = [filtersOf(groupsSearch).search('q', t`Search by name`)];

/** The groups that an identity provider keeps. Owners choose the roles that they give. */
export function GroupsPage() {
  const [at, go] = useAddress(groupsSearch);
  const groups = list('/api/person-groups/', { query: { q: at.q } });
  return (
    <ListPage
      title={t`People groups`}
      above={<TextLink to="/people">{t`People`}</TextLink>}
      about={t`Groups of people that an identity provider keeps through SCIM. Policies can use them, and owners can let them give roles.`}
      address={[at, go]}
      filters={FILTERS}
      counted={(n) => plural(n, { one: '# group', other: '# groups' })}
      list={groups}
      columns={columns}
      empty={{
        title: t`No groups yet`,
        text: t`Let your identity provider push groups. Settings, Organization shows the address.`,
      }}
      unmatched={{ title: t`No groups match this search`, text: t`Clear the search to see all groups.` }}
    />
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
