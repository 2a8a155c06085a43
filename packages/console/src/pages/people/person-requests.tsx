import { plural, t } from '@lingui/core/macro';
import { type Item, list } from '../../api/client.ts';
import { useAddress } from '../../kit/browser/address.ts';
import * as column from '../../kit/table/columns.tsx';
import { ListTable } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { PersonLabel } from '../../people/person.tsx';
import { titleOf } from '../requests/ticket.ts';
import type { Person } from './person.ts';
import { personSearch } from './search.ts';

type Ticket = Item<'/api/tickets/'>;

const columns: Column<Ticket>[] = [
  column.cell('label', t`Request`, titleOf),
  column.status('status', t`Status`, ({ ticket_status }) => ticket_status),
  column.cell('requester', t`Requester`, ({ requester }) => <PersonLabel of={requester} />),
  column.moment('created_at', t`Requested`),
  column.moment('decided_at', t`Decided`, { none: t`Not yet` }),
];

/** The requests for a person's access. */
export function PersonRequests({ person }: { person: Person }) {
  const [at, go] = useAddress(personSearch);
  return (
    <ListTable
      address={[at, go]}
      label={t`Requests`}
      counted={(n) => plural(n, { one: '# request', other: '# requests' })}
      list={list('/api/tickets/', { query: { user: person.external_uuid } })}
      columns={columns}
      href={({ external_uuid }) => `/requests/${external_uuid}`}
      empty={{ title: t`No requests yet`, text: t`Requests for this person's access appear here.` }}
    />
  );
}
