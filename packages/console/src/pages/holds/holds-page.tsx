import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { list } from '../../api/client.ts';
import { HOLD_STATUSES, type Hold, holdTitle, KIND_WORDS, shareWords } from '../../holds/hold.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { statusWord } from '../../kit/controls/status.tsx';
import { optionsOf } from '../../kit/form/form-options.ts';
import { DataTable } from '../../kit/table/data-table.tsx';
import { asked, filtersOf, isFiltered, ListFilters } from '../../kit/table/list-filters.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { Name } from '../../kit/text/name.tsx';
import { grouped, personName } from '../../kit/text/words.ts';
import { HoldState } from './hold-status.tsx';
import { holdsSearch } from './search.ts';

const columns: Column<Hold>[] = [
  {
    id: 'change',
    header: t({ message: 'Change', context: 'a held change of many people' }),
    phone: 'title',
    cell: (hold) => (
      <strong>
        <Name of={holdTitle(hold)} />
      </strong>
    ),
    csv: holdTitle,
  },
  {
    id: 'status',
    header: t`Status`,
    phone: 'detail',
    cell: (hold) => <HoldState of={hold} />,
    csv: ({ status }) => status,
  },
  { id: 'share', header: t`Share`, right: true, cell: shareWords, csv: ({ affected }) => affected },
  {
    id: 'tasks',
    header: t`Waiting tasks`,
    right: true,
    cell: ({ tasks }) => grouped(tasks),
    csv: ({ tasks }) => tasks,
  },
  {
    id: 'created_at',
    header: t`Since`,
    cell: ({ created_at }) => <Moment at={created_at} />,
    csv: ({ created_at }) => created_at,
  },
  {
    id: 'decided',
    header: t`Decided`,
    cell: (hold) => <Decided of={hold} />,
    csv: ({ decided_at }) => decided_at,
  },
];

function Decided({ of: { decided_at, decided_by } }: { of: Hold }) {
  if (decided_at === null) return t`Not yet`;
  const name = decided_by === null ? '' : personName(decided_by);
  return (
    <Trans>
      <Moment at={decided_at} /> by {name}
    </Trans>
  );
}

const { select, chip } = filtersOf(holdsSearch);
const FILTERS = [
  select(
    'status',
    t`Status`,
    HOLD_STATUSES.map((value) => ({ value, label: statusWord(value) })),
  ),
  select('kind', t`Kind`, optionsOf(KIND_WORDS)),
  chip('client', t`One client only`),
  chip('user', t`One person only`),
];

/** Changes of many people, and what they would lead to, that wait for a decision or were decided. */
export function HoldsPage() {
  const [at, go] = useAddress(holdsSearch);
  return (
    <>
      <PageHeader
        title={t`Holds`}
        about={t`Changes of many people at a time. Their access in apps stays until somebody decides.`}
        actions={
          <TextLink to="/settings/organization">
            <Trans>Limits</Trans>
          </TextLink>
        }
      />
      <ListFilters at={at} go={go} declared={FILTERS} />
      <DataTable
        label={t`Holds`}
        counted={(n) => plural(n, { one: '# hold', other: '# holds' })}
        list={list('/api/holds/', { query: asked(at, FILTERS) })}
        columns={columns}
        rowId={({ external_uuid }) => external_uuid}
        rowName={holdTitle}
        href={({ external_uuid }) => `/holds/${external_uuid}`}
        page={at.page}
        onPage={(page) => go({ page })}
        csv="holds"
        every={15_000}
        empty={
          isFiltered(at, FILTERS) ? (
            <Empty title={t`No holds match these filters`}>
              <Trans>Clear a filter to see more holds.</Trans>
            </Empty>
          ) : (
            <Empty title={t`Nothing is held`}>
              <Trans>
                When many people are deactivated, deleted or removed from a group at a time, the change
                appears here.
              </Trans>
            </Empty>
          )
        }
      />
    </>
  );
}
