import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type Item, list } from '../../api/client.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { DataTable } from '../../kit/table/data-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { PersonLabel } from '../../people/person.tsx';
import { titleOf } from '../requests/ticket.ts';
import type { Person } from './person.ts';
import { personSearch } from './search.ts';

type Ticket = Item<'/api/tickets/'>;

const columns: Column<Ticket>[] = [
  { id: 'label', header: t`Request`, cell: titleOf },
  { id: 'status', header: t`Status`, cell: ({ ticket_status }) => <Status of={ticket_status} /> },
  { id: 'requester', header: t`Requester`, cell: ({ requester }) => <PersonLabel of={requester} /> },
  { id: 'created_at', header: t`Requested`, cell: ({ created_at }) => <Moment at={created_at} /> },
  {
    id: 'decided_at',
    header: t`Decided`,
    cell: ({ decided_at }) => <Moment at={decided_at} none={t`Not yet`} />,
  },
];

/** The requests for a person's access. */
export function PersonRequests({ person }: { person: Person }) {
  const [at, go] = useAddress(personSearch);
  return (
    <DataTable
      label={t`Requests`}
      counted={(n) => plural(n, { one: '# request', other: '# requests' })}
      list={list('/api/tickets/', { query: { user: person.external_uuid } })}
      columns={columns}
      rowId={({ external_uuid }) => external_uuid}
      href={({ external_uuid }) => `/requests/${external_uuid}`}
      page={at.page}
      onPage={(page) => go({ page })}
      empty={
        <Empty title={t`No requests yet`}>
          <Trans>Requests for this person's access appear here.</Trans>
        </Empty>
      }
    />
  );
}
