import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { AppFilter } from '../../apps/app-picker.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { Moment } from '../../kit/controls/moment.tsx';
import { Status, statusWord } from '../../kit/controls/status.tsx';
import { optionsOf } from '../../kit/form/form-options.ts';
import * as column from '../../kit/table/columns.tsx';
import { asked, filtersOf } from '../../kit/table/list-filters.tsx';
import { ListPage } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { type Named, PersonLabel } from '../../people/person.tsx';
import { PersonFilter } from '../../people/person-filter.tsx';
import { type Finding, findingName, KIND_WORDS, sentenceOf, subjectOf } from './finding.ts';
import { FindingActions } from './finding-actions.tsx';
import { findingsSearch, SEVERITIES, STATUSES } from './search.ts';

/** Without a link, which members cannot open. */
const person = column.columnOf<Named | null>(
  (named) => (named === null ? t`Nobody` : <PersonLabel of={named} />),
  { csv: (named) => named?.email ?? '' },
);

const columns: Column<Finding>[] = [
  column.title('subject', t`Subject`, subjectOf, { phone: 'title' }),
  column.cell('text', t`Finding`, { fill: true, phone: 'detail', csv: sentenceOf }, (finding) => (
    <div>
      {KIND_WORDS[finding.kind]}
      <Text size="sm" c="dimmed">
        {sentenceOf(finding)}
      </Text>
    </div>
  )),
  column.status('severity', t`Severity`, { phone: 'detail' }),
  column.moment('since', t`Since`),
  person('owner', t`Owner`),
  person('assignee', t`Assignee`),
  column.cell('status', t`Status`, { csv: ({ status }) => status }, (finding) => <State of={finding} />),
];
const actions = column.cell<Finding>('actions', t`Actions`, (finding) => <FindingActions of={finding} />);
const exported: Column<Finding>[] = [
  column.code('kind', t`Kind`, KIND_WORDS),
  column.moment('accepted_until', t`Accepted until`),
  column.text('reason', t`Reason`),
];

const LOOKS = { open: 'warn', accepted: 'held', resolved: 'good' } as const;

function State({ of: { status, accepted_until, reason } }: { of: Finding }) {
  return (
    <>
      <Status of={status} look={LOOKS[status]} />
      {accepted_until !== null && (
        <Text size="sm" c="dimmed" title={reason ?? undefined}>
          <Trans>
            Ends <Moment at={accepted_until} />
          </Trans>
        </Text>
      )}
    </>
  );
}

const { select, field, chip } = filtersOf(findingsSearch);
const FILTERS = [
  select('kind', t`Kind`, optionsOf(KIND_WORDS)),
  select('severity', t`Severity`, SEVERITIES, statusWord),
  select('status', t`Status`, STATUSES, statusWord),
  field('app', ({ app }, go) => <AppFilter value={app} set={(next) => go({ app: next })} />),
  chip('subject', t`One subject only`),
];
const assignee = field('assignee', ({ assignee: value }, go) => (
  <PersonFilter label={t`Assignee`} value={value} set={(next) => go({ assignee: next })} />
));

/** Everything that is wrong in the organization, as far as the person sees it. */
export function FindingsPage() {
  const [at, go] = useAddress(findingsSearch);
  const { me, manages, readsAll } = useMe();
  // Members open the pages of their reports only.
  const addressOf = ({ href, subject, owner }: Finding) => {
    if (readsAll) return href;
    const isReport = subject.type === 'person' && owner?.external_uuid === me?.external_uuid;
    return isReport ? `/team/${subject.external_uuid}` : undefined;
  };
  // Members cannot search people.
  const filters = readsAll ? [...FILTERS, assignee] : FILTERS;
  return (
    <ListPage
      title={t`Findings`}
      about={t`Problems that need attention. A finding ends when its cause is fixed.`}
      address={[at, go]}
      filters={filters}
      counted={(n) => plural(n, { one: '# finding', other: '# findings' })}
      list={list('/api/findings/', { query: asked(at, filters) })}
      columns={manages ? [...columns, actions] : columns}
      exported={exported}
      rowName={findingName}
      href={addressOf}
      csv="findings"
      every={15_000}
      empty={{
        title: t`No open findings`,
        text: t`Gatehouse looks again after each change, and every night.`,
      }}
      unmatched={{ title: t`No findings match these filters`, text: t`Clear a filter to see more findings.` }}
    />
  );
}
