import { plural, t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { get, type Item, list } from '../../api/client.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { TextLink } from '../../kit/controls/links.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import * as column from '../../kit/table/columns.tsx';
import { ListTable } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { personName } from '../../kit/text/words.ts';
import { groupNames } from '../../people/group-names.ts';
import { labelOf } from '../../people/labels.ts';
import { PersonLabel } from '../../people/person.tsx';
import { groupSearch } from './search.ts';

type Member = Item<'/api/person-groups/{group_id}/members/'>;

const columns: Column<Member>[] = [
  column.cell('name', t`Person`, { csv: personName }, (person) => <PersonLabel of={person} />),
  column.email('email', t`Email`),
  column.status('status', t`Status`),
  column.code('role', t`Role`, labelOf),
];

/** The members of a group that an identity provider keeps. */
export function GroupPage() {
  const { groupId } = useParams({ from: '/in/groups/$groupId' });
  const [at, go] = useAddress(groupSearch);
  const name = useNameOf(groupId);
  return (
    <>
      <PageHeader
        title={name ?? t`Group`}
        isName={name !== undefined}
        above={<TextLink to="/groups">{t`People groups`}</TextLink>}
      />
      <ListTable
        address={[at, go]}
        label={name === undefined ? t`Members of this group` : t`Members of ${name}`}
        counted={(n) => plural(n, { one: '# person', other: '# people' })}
        list={list('/api/person-groups/{group_id}/members/', { path: { group_id: groupId } })}
        columns={columns}
        href={({ external_uuid }) => `/people/${external_uuid}`}
        csv={name === undefined ? t`Members of this group` : t`Members of ${name}`}
        empty={{
          title: t`No members yet`,
          text: t`The identity provider has not added anybody to this group.`,
        }}
      />
    </>
  );
}

/** The API has no endpoint for one group, so this reads the first 200 and leaves the rest unnamed. */
function useNameOf(groupId: string): string | undefined {
  const { data } = useQuery(get('/api/person-groups/', { query: { limit: 200 } }));
  return groupNames(data?.results ?? []).get(groupId);
}
