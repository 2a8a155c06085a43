import { type Item, list } from '../../api/client.ts';
import { useAddress } from '../../parts/address.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Status } from '../../parts/status.tsx';
import type { Column } from '../../parts/table-view.tsx';
import type { Person } from './person.ts';
import { personSearch } from './search.ts';

type Ticket = Item<'/api/tickets/'>;

const columns: Column<Ticket>[] = [
  { id: 'label', header: 'Request', cell: ({ label }) => label },
  { id: 'status', header: 'Status', cell: ({ ticket_status }) => <Status of={ticket_status} /> },
  { id: 'requester', header: 'Requester', cell: ({ requester }) => requester.email },
  { id: 'created_at', header: 'Requested', cell: ({ created_at }) => <Moment at={created_at} /> },
  {
    id: 'decided_at',
    header: 'Decided',
    cell: ({ decided_at }) => <Moment at={decided_at} none="Not yet" />,
  },
];

/** The requests for a person's access. */
export function PersonRequests({ person }: { person: Person }) {
  const [at, go] = useAddress(personSearch);
  return (
    <DataTable
      label="Requests"
      noun="request"
      list={list('/api/tickets/', { query: { user: person.external_uuid } })}
      columns={columns}
      rowId={({ external_uuid }) => external_uuid}
      href={({ external_uuid }) => `/requests/${external_uuid}`}
      page={at.page}
      onPage={(page) => go({ page })}
      empty={<Empty title="No requests yet">Requests for this person's access appear here.</Empty>}
    />
  );
}
