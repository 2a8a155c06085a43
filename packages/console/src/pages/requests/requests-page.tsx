import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { NamedApp } from '../../apps/app-logo.tsx';
import { AppFilter } from '../../apps/app-picker.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { ButtonLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Status, statusWord } from '../../kit/controls/status.tsx';
import { optionsOf } from '../../kit/form/form-options.ts';
import { IconPlus } from '../../kit/icons/icons.ts';
import { DataTable } from '../../kit/table/data-table.tsx';
import { filtersOf, isFiltered, ListFilters } from '../../kit/table/list-filters.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { grouped, personName } from '../../kit/text/words.ts';
import { PersonCell } from './people.tsx';
import { requestsSearch, STATUSES } from './search.ts';
import { requestedItems, shortLabel, type Ticket } from './ticket.ts';

const columns: Column<Ticket>[] = [
  { id: 'request', header: t`Request`, phone: 'title', cell: shortLabel, csv: ({ label }) => label },
  {
    id: 'for',
    phone: 'detail',
    header: t`Beneficiary`,
    cell: ({ user }) => <PersonCell of={user} />,
    csv: ({ user }) => user.email,
  },
  { id: 'app', header: t`App`, cell: ({ app }) => <NamedApp name={app.name} />, csv: ({ app }) => app.name },
  { id: 'asked', header: t`Access`, cell: requestedItems, csv: requestedItems },
  {
    id: 'status',
    phone: 'detail',
    header: t`Status`,
    cell: ({ ticket_status }) => <Status of={ticket_status} />,
    csv: ({ ticket_status }) => ticket_status,
  },
  { id: 'waiting_for', header: t`Waiting for`, cell: waitingFor, csv: waitingFor },
  {
    id: 'created_at',
    header: t`Requested`,
    cell: ({ created_at }) => <Moment at={created_at} />,
    csv: ({ created_at }) => created_at,
  },
];

function waitingFor({ ticket_status, waiting_for, current_step, steps }: Ticket): string {
  if (ticket_status !== 'PENDING') return '';
  const [first, ...others] = waiting_for.map(personName);
  const more = grouped(others.length);
  const who =
    first === undefined ? t`an administrator` : others.length === 0 ? first : t`${first} or ${more} more`;
  const [step, all] = [grouped(current_step ?? 1), grouped(steps.length)];
  return steps.length > 1 ? t`${who} (step ${step} of ${all})` : who;
}

const { select, chip, field } = filtersOf(requestsSearch);
const FILTERS = [
  select('whose', t`My requests`, optionsOf({ mine: t`For me`, asked: t`Requested by me` })),
  select(
    'status',
    t`Status`,
    STATUSES.map((value) => ({ value, label: statusWord(value) })),
  ),
  field('app', ({ app }, go) => <AppFilter value={app} set={(next) => go({ app: next })} />),
  chip('requester', t`Requested by one person`),
];

export function RequestsPage() {
  const [at, go] = useAddress(requestsSearch);
  const { me, role } = useMe();
  const own = me?.external_uuid;
  const { whose, status, app, requester } = at;
  return (
    <>
      <PageHeader
        title={t`Requests`}
        about={t`Access requests with their approvals and results.`}
        actions={
          role !== 'auditor' && (
            <ButtonLink to="/requests/new" leftSection={<IconPlus size={15} aria-hidden />}>
              <Trans>Request access</Trans>
            </ButtonLink>
          )
        }
      />
      <ListFilters at={at} go={go} declared={FILTERS} />
      <DataTable
        label={t`Requests`}
        counted={(n) => plural(n, { one: '# request', other: '# requests' })}
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
          isFiltered(at, FILTERS) ? (
            <Empty title={t`No requests match these filters`}>
              <Trans>Clear the filters to see all requests.</Trans>
            </Empty>
          ) : (
            <Empty
              title={t`No requests yet`}
              actions={
                role !== 'auditor' && (
                  <ButtonLink to="/requests/new">
                    <Trans>Request access</Trans>
                  </ButtonLink>
                )
              }
            />
          )
        }
      />
    </>
  );
}
