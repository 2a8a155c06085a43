import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { get, list, notifyFailure } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { AppFilter } from '../../apps/app-picker.tsx';
import { IN_ROW } from '../../kit/action/action-button.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { type Bulk, BulkJob } from '../../kit/controls/bulk-job.tsx';
import { lazyPart } from '../../kit/controls/lazy-part.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { statusWord } from '../../kit/controls/status.tsx';
import * as column from '../../kit/table/columns.tsx';
import type { Selection } from '../../kit/table/data-table.tsx';
import { asked, filtersOf, isFiltered } from '../../kit/table/list-filters.tsx';
import { ListTable } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { type Named, PersonLabel } from '../../people/person.tsx';
import { PersonFilter } from '../../people/person-filter.tsx';
import { type Finding, findingName, sentenceOf, subjectOf } from './finding.ts';
import { reopen as reopenOne, useChanges } from './finding-changes.ts';
import { AcceptDialog, AssignDialog, type Chosen } from './finding-dialogs.tsx';
import { FixDialog, fixOf } from './fix-dialog.tsx';
import { KindChips } from './kind-chips.tsx';
import { KIND_WORDS } from './kinds.ts';
import { findingsSearch, SEVERITIES, STATUSES } from './search.ts';

const FindingsCurve = lazyPart(async () => (await import('./curve.tsx')).FindingsCurve, {
  fallback: <Skeleton height={160} />,
});

/** Without a link, which members cannot open. */
const person = column.columnOf<Named | null>(
  (named) => (named === null ? t`Nobody` : <PersonLabel of={named} />),
  { csv: (named) => named?.email ?? '' },
);

const columns: Column<Finding>[] = [
  column.title('subject', t`Subject`, subjectOf, { phone: 'title' }),
  column.cell(
    'text',
    t`Finding`,
    { fill: true, whole: true, phone: 'detail', csv: sentenceOf },
    (finding) => (
      <div>
        {KIND_WORDS[finding.kind]}
        <Text size="sm" c="dimmed">
          {sentenceOf(finding)}
        </Text>
        <Accepted of={finding} />
      </div>
    ),
  ),
  column.status('severity', t`Severity`, { phone: 'detail' }),
  column.moment('since', t`Since`),
  person('owner', t`Owner`),
  person('assignee', t`Assignee`),
];
const exported: Column<Finding>[] = [
  column.code('kind', t`Kind`, KIND_WORDS),
  column.code('status', t`Status`, statusWord),
  column.moment('accepted_until', t`Accepted until`),
  column.text('reason', t`Reason`),
];

/** Until when and why a finding is accepted. */
function Accepted({ of: { accepted_until, reason } }: { of: Finding }) {
  if (accepted_until === null) return null;
  return (
    <Text size="sm">
      <Trans>
        Accepted until <Moment at={accepted_until} />: {reason}
      </Trans>
    </Text>
  );
}

const { select, field, chip } = filtersOf(findingsSearch);
const severity = select('severity', t`Severity`, SEVERITIES, statusWord);
const status = select('status', t`Status`, STATUSES, statusWord);
const app = field('app', ({ app: value }, go) => (
  <AppFilter value={value} set={(next) => go({ app: next })} />
));
const subject = chip('subject', t`One subject only`);
const assignee = field('assignee', ({ assignee: value }, go) => (
  <PersonFilter label={t`Assignee`} value={value} set={(next) => go({ assignee: next })} />
));
const OTHERS = [severity, status, app, subject, assignee];

/** The chips show and change it. */
const kind = field('kind', () => null);
const FILTERS = [kind, severity, status, app, subject];

const EVERY_MS = 15_000;

interface Asked {
  to: 'accept' | 'assign';
  of: Chosen;
}

/** Everything that is wrong in the organization, as far as the person sees it. */
export function FindingsPage() {
  const [at, go] = useAddress(findingsSearch);
  const { me, manages, readsAll } = useMe();
  const [ask, setAsk] = useState<Asked>();
  const [fixed, fix] = useState<Finding>();
  const [job, begin] = useState<Bulk<Finding>>();
  const { reopen, take } = useChanges();
  const summary = useQuery({
    ...get('/api/findings/summary/', { query: { days: 90 } }),
    refetchInterval: EVERY_MS,
  });
  // Members cannot search people.
  const filters = readsAll ? [...FILTERS, assignee] : FILTERS;
  // Members open the pages of their reports only.
  const addressOf = ({ href, subject: about, owner }: Finding) => {
    if (readsAll) return href;
    const isReport = about.type === 'person' && owner?.external_uuid === me?.external_uuid;
    return isReport ? `/team/${about.external_uuid}` : undefined;
  };
  const toAccept = useCallback((of: Chosen) => setAsk({ to: 'accept', of }), []);
  const toAssign = useCallback((of: Chosen) => setAsk({ to: 'assign', of }), []);
  const all = useMemo(
    () => [
      ...columns,
      column.cell<Finding>('actions', t`Actions`, (finding) => (
        <Actions of={finding} fix={fix} accept={toAccept} reopen={reopen} assign={toAssign} />
      )),
    ],
    [toAccept, reopen, toAssign],
  );
  const keys = {
    f: (of: Finding) => fixOf(of) !== undefined && moved(() => fix(of)),
    a: (of: Finding) => of.status === 'open' && moved(() => toAccept(of)),
    r: (of: Finding) => of.status === 'accepted' && moved(() => reopen(of)),
    s: (of: Finding) => of.status !== 'resolved' && moved(() => toAssign(of)),
    m: (of: Finding) => of.status !== 'resolved' && moved(() => take(of)),
  };
  const reopenMany = async ({ count, rows, clear }: Selection<Finding>) => {
    const chosen = await rows();
    clear();
    begin({
      title: plural(count, { one: 'Reopen # finding', other: 'Reopen # findings' }),
      rows: async () => chosen,
      act: reopenOne,
      name: findingName,
    });
  };
  const selectedKeys: Readonly<Record<string, (of: Selection<Finding>) => void>> =
    at.status === 'accepted'
      ? { r: (of) => void reopenMany(of).catch(notifyFailure), s: toAssign }
      : { a: toAccept, s: toAssign };
  const close = () => setAsk(undefined);
  const days = summary.data?.days ?? [];
  return (
    <>
      <PageHeader
        title={t`Findings`}
        about={t`Problems that need attention, the latest first. A finding ends when its cause is fixed.`}
      />
      {hasPast(days) && <FindingsCurve days={days} kind={at.kind} />}
      {summary.data === undefined ? (
        <Skeleton height={26} my={12} />
      ) : (
        <KindChips
          counts={isFiltered(at, OTHERS) ? undefined : summary.data.open}
          value={at.kind}
          set={(next) => go({ kind: next })}
        />
      )}
      <ListTable
        label={t`Findings`}
        address={[at, go]}
        filters={filters}
        counted={(n) => plural(n, { one: '# finding', other: '# findings' })}
        list={list('/api/findings/', { query: asked(at, filters) })}
        columns={manages ? all : columns}
        exported={exported}
        rowName={findingName}
        href={addressOf}
        {...(manages && { keys, selectedKeys })}
        actions={
          manages &&
          at.status !== 'resolved' &&
          ((selection) => (
            <>
              {at.status === 'accepted' ? (
                <Button variant="default" onClick={() => void reopenMany(selection).catch(notifyFailure)}>
                  {plural(selection.count, { one: 'Reopen #', other: 'Reopen #' })}
                </Button>
              ) : (
                <Button variant="default" onClick={() => setAsk({ to: 'accept', of: selection })}>
                  {plural(selection.count, { one: 'Accept #', other: 'Accept #' })}
                </Button>
              )}
              <Button variant="default" onClick={() => setAsk({ to: 'assign', of: selection })}>
                {plural(selection.count, { one: 'Assign #', other: 'Assign #' })}
              </Button>
            </>
          ))
        }
        csv="findings"
        every={EVERY_MS}
        empty={{
          title: t`Nothing is left to do`,
          text: t`There are no open findings. Gatehouse looks again after each change, and every night.`,
        }}
        unmatched={{
          title: t`No findings match these filters`,
          text: t`Clear a filter to see more findings.`,
        }}
      />
      {ask?.to === 'accept' && <AcceptDialog of={ask.of} close={close} begin={begin} />}
      {ask?.to === 'assign' && <AssignDialog of={ask.of} close={close} begin={begin} />}
      {fixed !== undefined && <FixDialog of={fixed} close={() => fix(undefined)} />}
      <BulkJob job={job} close={() => begin(undefined)} />
    </>
  );
}

/** Whether there were findings before today, so that a curve says something. */
const hasPast = (days: readonly { counts: object }[]) =>
  days.slice(0, -1).some(({ counts }) => Object.keys(counts).length > 0);

/** Does it, and moves the focus to the next row. */
function moved(act: () => void): true {
  act();
  return true;
}

interface ActionsProps extends Record<'fix' | 'accept' | 'reopen' | 'assign', (of: Finding) => void> {
  of: Finding;
}

/** The buttons in the row of a finding. */
function Actions({ of, fix, accept, reopen, assign }: ActionsProps) {
  if (of.status === 'resolved') return null;
  const name = findingName(of);
  const label = fixOf(of);
  return (
    <Group gap={0} wrap="nowrap">
      {label !== undefined && (
        <Button {...IN_ROW} aria-label={t`${label}: ${name}`} onClick={() => fix(of)}>
          {label}
        </Button>
      )}
      {of.status === 'open' ? (
        <Button {...IN_ROW} aria-label={t`Accept: ${name}`} onClick={() => accept(of)}>
          {t`Accept`}
        </Button>
      ) : (
        <Button {...IN_ROW} aria-label={t`Reopen: ${name}`} onClick={() => reopen(of)}>
          {t`Reopen`}
        </Button>
      )}
      <Button {...IN_ROW} aria-label={t`Assign: ${name}`} onClick={() => assign(of)}>
        {t`Assign`}
      </Button>
    </Group>
  );
}
