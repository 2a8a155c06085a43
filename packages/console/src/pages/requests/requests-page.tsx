import { Button } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../parts/address.ts';
import { AppFilter } from '../../parts/app-picker.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { FilterSelect, Filters } from '../../parts/filters.tsx';
import { optionsOf } from '../../parts/form-options.ts';
import { ButtonLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Status, statusWord } from '../../parts/status.tsx';
import type { Column } from '../../parts/table-view.tsx';
import { requestsSearch, STATUSES } from './search.ts';
import { requestedItems, shortLabel, type Ticket } from './ticket.ts';

const columns: Column<Ticket>[] = [
  { id: 'request', header: 'Request', cell: shortLabel, csv: ({ label }) => label },
  { id: 'for', header: 'Beneficiary', cell: ({ user }) => user.email, csv: ({ user }) => user.email },
  { id: 'app', header: 'App', cell: ({ app }) => app.name, csv: ({ app }) => app.name },
  { id: 'asked', header: 'Access', cell: requestedItems, csv: requestedItems },
  {
    id: 'status',
    header: 'Status',
    cell: ({ ticket_status }) => <Status of={ticket_status} />,
    csv: ({ ticket_status }) => ticket_status,
  },
  { id: 'waiting_for', header: 'Waiting for', cell: waitingFor, csv: waitingFor },
  {
    id: 'created_at',
    header: 'Requested',
    cell: ({ created_at }) => <Moment at={created_at} />,
    csv: ({ created_at }) => created_at,
  },
];

function waitingFor({ ticket_status, waiting_for, current_step, steps }: Ticket): string {
  if (ticket_status !== 'PENDING') return '';
  const [first, ...others] = waiting_for.map(({ email }) => email);
  const who =
    first === undefined
      ? 'an administrator'
      : others.length === 0
        ? first
        : `${first} or ${others.length} more`;
  return steps.length > 1 ? `${who} (step ${current_step} of ${steps.length})` : who;
}

const OWN = optionsOf({ mine: 'For me', asked: 'Requested by me' });

export function RequestsPage() {
  const [at, go] = useAddress(requestsSearch);
  const { me, role } = useMe();
  const own = me?.external_uuid;
  const { whose, status, app, requester } = at;
  const some = (whose ?? status ?? app ?? requester) !== undefined;
  return (
    <>
      <PageHeader
        title="Requests"
        about="Access requests with their approvals and results."
        actions={
          role !== 'auditor' && (
            <ButtonLink to="/requests/new" leftSection={<IconPlus size={15} aria-hidden />}>
              Request access
            </ButtonLink>
          )
        }
      />
      <Filters
        some={some}
        clear={() => go({ whose: undefined, status: undefined, app: undefined, requester: undefined })}
      >
        <FilterSelect
          label="My requests"
          options={OWN}
          value={whose}
          set={(next) => go({ whose: next as typeof whose })}
        />
        <FilterSelect
          label="Status"
          options={STATUSES.map((value) => ({ value, label: statusWord(value) }))}
          value={status}
          set={(next) => go({ status: next as typeof status })}
        />
        <AppFilter value={app} set={(next) => go({ app: next })} />
        {requester !== undefined && (
          <Button
            variant="light"
            rightSection={<IconX size={14} aria-hidden />}
            onClick={() => go({ requester: undefined })}
          >
            Requested by one person
          </Button>
        )}
      </Filters>
      <DataTable
        label="Requests"
        noun="request"
        list={list('/api/tickets/', {
          query: {
            app,
            ticket_status: status,
            requester: requester ?? (whose === 'asked' ? own : undefined),
            user: whose === 'mine' ? own : undefined,
          },
        })}
        columns={columns}
        rowId={({ external_uuid }) => external_uuid}
        href={({ external_uuid }) => `/requests/${external_uuid}`}
        page={at.page}
        onPage={(page) => go({ page })}
        csv="requests"
        every={15_000}
        empty={
          some ? (
            <Empty title="No requests match these filters">Clear the filters to see all requests.</Empty>
          ) : (
            <Empty
              title="No requests yet"
              actions={role !== 'auditor' && <ButtonLink to="/requests/new">Request access</ButtonLink>}
            />
          )
        }
      />
    </>
  );
}
