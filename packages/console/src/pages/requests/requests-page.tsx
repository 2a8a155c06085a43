import { plural, t } from '@lingui/core/macro';
import { list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { appColumn } from '../../apps/app-column.tsx';
import { AppFilter } from '../../apps/app-picker.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { ButtonLink } from '../../kit/controls/links.tsx';
import { statusWord } from '../../kit/controls/status.tsx';
import { optionsOf } from '../../kit/form/form-options.ts';
import { IconPlus } from '../../kit/icons/icons.ts';
import * as column from '../../kit/table/columns.tsx';
import { filtersOf } from '../../kit/table/list-filters.tsx';
import { ListPage } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { grouped, personName } from '../../kit/text/words.ts';
import { PersonCell } from './people.tsx';
import { requestsSearch, STATUSES } from './search.ts';
import { requestedItems, shortLabel, type Ticket } from './ticket.ts';

const columns: Column<Ticket>[] = [
  column.text('request', t`Request`, shortLabel, { phone: 'title', csv: ({ label }) => label }),
  column.cell('for', t`Beneficiary`, { phone: 'detail', csv: ({ user }) => user.email }, ({ user }) => (
    <PersonCell of={user} />
  )),
  appColumn('app', t`App`, ({ app }) => app.name),
  column.text('asked', t`Access`, requestedItems),
  column.status('status', t`Status`, ({ ticket_status }) => ticket_status, { phone: 'detail' }),
  column.text('waiting_for', t`Waiting for`, waitingFor),
  column.moment('created_at', t`Requested`),
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
  select('status', t`Status`, STATUSES, statusWord),
  field('app', ({ app }, go) => <AppFilter value={app} set={(next) => go({ app: next })} />),
  chip('requester', t`Requested by one person`),
];

export function RequestsPage() {
  const [at, go] = useAddress(requestsSearch);
  const { me, role } = useMe();
  const own = me?.external_uuid;
  const { whose, status, app, requester } = at;
  return (
    <ListPage
      title={t`Requests`}
      about={t`Access requests with their approvals and results.`}
      buttons={
        role !== 'auditor' && (
          <ButtonLink to="/requests/new" leftSection={<IconPlus size={15} aria-hidden />}>
            {t`Request access`}
          </ButtonLink>
        )
      }
      address={[at, go]}
      filters={FILTERS}
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
      href={({ external_uuid }) => `/requests/${external_uuid}`}
      csv="requests"
      every={15_000}
      empty={{
        title: t`No requests yet`,
        actions: role !== 'auditor' && <ButtonLink to="/requests/new">{t`Request access`}</ButtonLink>,
      }}
      unmatched={{
        title: t`No requests match these filters`,
        text: t`Clear the filters to see all requests.`,
      }}
    />
  );
}
