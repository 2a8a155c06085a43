import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { list } from '../../api/client.ts';
import { HOLD_STATUSES, type Hold, holdTitle, KIND_WORDS, shareWords } from '../../holds/hold.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { statusWord } from '../../kit/controls/status.tsx';
import { optionsOf } from '../../kit/form/form-options.ts';
import * as column from '../../kit/table/columns.tsx';
import { asked, filtersOf } from '../../kit/table/list-filters.tsx';
import { ListPage } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { personName } from '../../kit/text/words.ts';
import { HoldState } from './hold-status.tsx';
import { holdsSearch } from './search.ts';

const columns: Column<Hold>[] = [
  column.title('change', t({ message: 'Change', context: 'a held change of many people' }), holdTitle, {
    phone: 'title',
  }),
  column.cell('status', t`Status`, { phone: 'detail', csv: ({ status }) => status }, (hold) => (
    <HoldState of={hold} />
  )),
  column.text('share', t`Share`, shareWords, { right: true, csv: ({ affected }) => affected }),
  column.count('tasks', t`Waiting tasks`),
  column.moment('created_at', t`Since`),
  column.cell('decided', t`Decided`, { csv: ({ decided_at }) => decided_at }, (hold) => (
    <Decided of={hold} />
  )),
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
  select('status', t`Status`, HOLD_STATUSES, statusWord),
  select('kind', t`Kind`, optionsOf(KIND_WORDS)),
  chip('client', t`One client only`),
  chip('user', t`One person only`),
];

/** Changes of many people, and what they would lead to, that wait for a decision or were decided. */
export function HoldsPage() {
  const [at, go] = useAddress(holdsSearch);
  return (
    <ListPage
      title={t`Holds`}
      about={t`Changes of many people at a time. Their access in apps stays until somebody decides.`}
      buttons={<TextLink to="/settings/organization">{t`Limits`}</TextLink>}
      address={[at, go]}
      filters={FILTERS}
      counted={(n) => plural(n, { one: '# hold', other: '# holds' })}
      list={list('/api/holds/', { query: asked(at, FILTERS) })}
      columns={columns}
      rowName={holdTitle}
      href={({ external_uuid }) => `/holds/${external_uuid}`}
      csv="holds"
      every={15_000}
      empty={{
        title: t`Nothing is held`,
        text: t`When many people are deactivated, deleted or removed from a group at a time, the change appears here.`,
      }}
      unmatched={{ title: t`No holds match these filters`, text: t`Clear a filter to see more holds.` }}
    />
  );
}
