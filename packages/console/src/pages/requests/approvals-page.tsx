import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, Group, Select, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { api, everything, get, list, ok, type Query } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { ActionButton } from '../../kit/action/action-button.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { usePageKeys } from '../../kit/browser/keys.ts';
import { type Bulk, BulkJob } from '../../kit/controls/bulk-job.tsx';
import { Empty } from '../../kit/controls/empty.tsx';
import { Failure } from '../../kit/controls/failure.tsx';
import { ButtonLink, TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { IconArrowDown, IconArrowUp, IconChecks } from '../../kit/icons/icons.ts';
import { grouped, personName } from '../../kit/text/words.ts';
import { PersonLabel } from '../../people/person.tsx';
import classes from './approvals.module.css';
import { DecisionButtons, Key, useDecisions } from './decisions.tsx';
import { RequestDetails } from './request-details.tsx';
import { approvalsSearch } from './search.ts';
import { representedBy, requestedItems, shortLabel, type Ticket, titleOf } from './ticket.ts';

const MINE = { to_approve: true } as const;
const ASKED = [
  { value: 'all', label: t`All requests` },
  { value: 'true', label: t`Information needed` },
  { value: 'false', label: t`Ready to decide` },
];

/** The requests that await the user's decision: a list on the left, the selected request with its context on the right. */
export function ApprovalsPage() {
  const [at, go] = useAddress(approvalsSearch);
  const { role } = useMe();
  const filter = { ...MINE, information_requested: at.asked };
  const query = useQuery({
    ...get('/api/tickets/', { query: { ...filter, limit: 200 } }),
    enabled: role !== 'auditor',
    refetchInterval: 15_000,
  });
  const pending = query.data?.results ?? [];
  const [shown, setShown] = useState<string>();
  const find = (id: string | undefined) => pending.findIndex(({ external_uuid }) => external_uuid === id);
  // A request that arrives must not take the place of the one that is being read.
  const index = [find(at.ticket), find(shown), 0].find((one) => one >= 0) ?? 0;
  const current = pending[index];
  useEffect(() => setShown(current?.external_uuid), [current?.external_uuid]);

  const show = useCallback((ticket: Ticket | undefined) => go({ ticket: ticket?.external_uuid }), [go]);
  const next = pending[index + 1];
  const previous = pending[index - 1];
  const decisions = useDecisions(current, () => show(next ?? previous));
  usePageKeys({
    j: next && (() => show(next)),
    k: previous && (() => show(previous)),
    a: () => decisions.open('approve'),
    d: () => decisions.open('deny'),
  });

  return (
    <>
      <PageHeader title={t`Approvals`} about={t`Requests that await your decision.`} />
      {role === 'auditor' && (
        <Empty
          title={t`Auditors cannot decide requests`}
          actions={
            <ButtonLink to="/requests" variant="default">
              {t`Show all requests`}
            </ButtonLink>
          }
        />
      )}
      {query.isError && query.data === undefined && (
        <Failure error={query.error} again={() => void query.refetch()} />
      )}
      {query.data !== undefined && current === undefined && (
        <Empty
          title={t`No requests await your decision`}
          actions={
            <ButtonLink to="/requests" variant="default">
              {t`Show all requests`}
            </ButtonLink>
          }
        />
      )}
      {role !== 'auditor' && (query.data?.count !== 0 || at.asked !== undefined) && (
        <Select
          aria-label={t`Information`}
          mb="sm"
          w={260}
          data={ASKED}
          value={String(at.asked ?? 'all')}
          allowDeselect={false}
          onChange={(next) => go({ asked: next === 'all' ? undefined : next === 'true' })}
        />
      )}
      {query.isPending && role !== 'auditor' && <Skeleton height={200} />}
      {current !== undefined && (
        <div className={classes.desk}>
          <PendingRequests
            pending={pending}
            count={query.data?.count ?? 0}
            current={current}
            show={show}
            query={filter}
          />
          <article className={classes.current} aria-label={titleOf(current)}>
            <div className={classes.bar}>
              <h2>
                <TextLink to="/requests/$ticketId" params={{ ticketId: current.external_uuid }} inherit>
                  {titleOf(current)}
                </TextLink>
              </h2>
              <Group gap="xs">
                <DecisionButtons decisions={decisions} keys />
                <Button
                  variant="default"
                  aria-label={t`Previous`}
                  disabled={previous === undefined}
                  onClick={() => show(previous)}
                >
                  <IconArrowUp size={15} aria-hidden />
                </Button>
                <Button
                  variant="default"
                  disabled={next === undefined}
                  leftSection={<IconArrowDown size={15} aria-hidden />}
                  onClick={() => show(next)}
                >
                  {t`Next`}
                  <Key of="j" />
                </Button>
              </Group>
            </div>
            <RequestDetails ticket={current} />
          </article>
        </div>
      )}
      {decisions.dialog}
    </>
  );
}

interface PendingRequestsProps {
  pending: Ticket[];
  count: number;
  current: Ticket;
  show: (ticket: Ticket) => void;
  query: Query<'/api/tickets/'>;
}

function PendingRequests({ pending, count, current, show, query }: PendingRequestsProps) {
  const { me } = useMe();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [all, setAll] = useState(false);
  const [job, setJob] = useState<Bulk<Ticket, Decided>>();
  const rows = pending.filter(({ external_uuid }) => selected.has(external_uuid));
  const size = all ? count : rows.length;
  const selectedCount = grouped(size);
  const totalCount = grouped(count);
  const select = (ids: string[]) => {
    setSelected(new Set(ids));
    setAll(false);
  };
  const toggle = ({ external_uuid }: Ticket) =>
    select([...new Set(rows.map((one) => one.external_uuid)).symmetricDifference(new Set([external_uuid]))]);

  const start = async (comment: string) =>
    setJob({
      title: t`Approve ${plural(size, { one: '# request', other: '# requests' })}`,
      rows: async () => (all ? Array.fromAsync(everything(list('/api/tickets/', { query }))) : rows),
      act: ({ external_uuid, current_step }) =>
        ok(
          api.POST('/api/tickets/{ticket_id}/approve/', {
            params: { path: { ticket_id: external_uuid } },
            body: { comment, ...(current_step === null ? {} : { step: current_step }) },
          }),
        ),
      outcome: async (tickets) => outcomeOf(tickets),
      name: titleOf,
    });

  return (
    <div className={classes.list}>
      <Group gap="xs" mb="xs" mih={30}>
        <Checkbox
          size="xs"
          label={
            size === 0
              ? plural(count, { one: '# request', other: '# requests' })
              : t`${selectedCount} selected`
          }
          checked={all || rows.length === pending.length}
          indeterminate={!all && rows.length > 0 && rows.length < pending.length}
          onChange={({ currentTarget }) =>
            select(currentTarget.checked ? pending.map(({ external_uuid }) => external_uuid) : [])
          }
        />
        {size > 0 && (
          <ActionButton
            leftSection={<IconChecks size={15} aria-hidden />}
            label={t`Approve ${selectedCount}`}
            of={{
              title: t`Approve ${plural(size, { one: '# request', other: '# requests' })}?`,
              sentence: t`All of them get the same comment.`,
              comment: t`Comment`,
              button: t`Approve ${selectedCount}`,
              request: start,
            }}
          />
        )}
        {size > 0 && !all && count > pending.length && (
          <Button variant="subtle" onClick={() => setAll(true)}>
            {t`Select all ${totalCount}`}
          </Button>
        )}
      </Group>
      <ul aria-label={t`Pending requests`}>
        {pending.map((ticket) => (
          <li key={ticket.external_uuid} data-current={ticket === current || undefined}>
            <Checkbox
              size="xs"
              aria-label={selectWords(ticket)}
              checked={all || selected.has(ticket.external_uuid)}
              onChange={() => toggle(ticket)}
            />
            <button type="button" aria-current={ticket === current} onClick={() => show(ticket)}>
              <strong>
                <PersonLabel of={ticket.user} />
              </strong>
              <span>
                {ticket.app.name}: {requestedItems(ticket)}
              </span>
              <Text component="span" size="xs" c="dimmed">
                <RequestedAt ticket={ticket} />
              </Text>
              {representedBy(ticket, me).map((absent) => (
                <Text key={absent.external_uuid} component="span" size="xs">
                  <InPlaceOf name={personName(absent)} />
                </Text>
              ))}
              {ticket.information_requested !== null && (
                <Text component="span" size="xs">
                  {t`Information needed`}
                </Text>
              )}
            </button>
          </li>
        ))}
      </ul>
      <BulkJob
        job={job}
        close={() => {
          setJob(undefined);
          select([]);
        }}
      />
    </div>
  );
}

type Decided = Pick<Ticket, 'ticket_status'>;

/** "2 requests approved. 1 approval recorded: the next approvers decide." */
function outcomeOf(tickets: readonly Decided[]): string {
  const approved = tickets.filter(({ ticket_status }) => ticket_status === 'APPROVED').length;
  const recorded = tickets.length - approved;
  const words = [
    plural(approved, { one: '# request approved.', other: '# requests approved.' }),
    plural(recorded, {
      one: '# approval recorded: the next approvers decide.',
      other: '# approvals recorded: the next approvers decide.',
    }),
  ];
  return words.filter((_, at) => [approved, recorded][at] !== 0).join(' ');
}

const InPlaceOf = ({ name }: { name: string }) => t`For ${name}`;

function selectWords(ticket: Ticket): string {
  const title = titleOf(ticket);
  return t`Select ${title}`;
}

function RequestedAt({ ticket }: { ticket: Ticket }) {
  const name = shortLabel(ticket);
  return (
    <Trans>
      {name}, requested <Moment at={ticket.created_at} />
    </Trans>
  );
}
