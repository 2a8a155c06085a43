import { t } from '@lingui/core/macro';
import { listed } from '../../kit/text/listed.ts';
import { grouped, personName } from '../../kit/text/words.ts';
import type { Ticket } from './ticket.ts';

/** A stage of a request, from its submission to its end. */
export interface Stage {
  key: string;
  title: string;
  state: 'done' | 'now' | 'busy' | 'ahead' | 'skipped' | 'failed';
  /** The people and the work of the stage. Null: the state says all. */
  text: string | null;
  /** When it happened. Null: not yet, or unknown. */
  at: string | null;
}

const SHOWN = 3;

/** Returns the stages of a request, in order. A request that ended early has its end in place of the remaining stages. */
export function progressOf(ticket: Ticket): Stage[] {
  const requester = personName(ticket.requester);
  const submitted: Stage = {
    key: 'submitted',
    title: t`Submitted`,
    state: 'done',
    text: t`By ${requester}`,
    at: ticket.created_at,
  };
  const steps = ticket.steps.map((_, index) => approvalStage(ticket, index + 1));
  const end = endOf(ticket);
  if (end !== undefined) return [submitted, ...steps, end];
  return [submitted, ...steps, ...grantOf(ticket)];
}

function approvalStage(ticket: Ticket, number: number): Stage {
  const { approvals, current_step, steps, ticket_status } = ticket;
  const own = approvals.filter(({ step }) => step === number);
  const last = own.at(-1);
  const [nth, all] = [grouped(number), grouped(steps.length)];
  const stage = {
    key: `step ${number}`,
    title: steps.length === 1 ? t`Approval` : t`Approval ${nth} of ${all}`,
    at: last?.decided_at ?? null,
  };
  const people = listed(own.map(({ approver }) => personName(approver)));
  const decider = last === undefined ? '' : personName(last.approver);
  if (own.some(({ decision }) => decision === 'denied'))
    return { ...stage, state: 'failed', text: t`Denied by ${decider}` };
  if (number === current_step)
    return { ...stage, state: 'now', text: waitingWords(ticket, people), at: null };
  if (last !== undefined) return { ...stage, state: 'done', text: t`Approved by ${people}` };
  const state = ticket_status === 'PENDING' ? 'ahead' : 'skipped';
  // An override decides all steps, and is recorded at the one that was current.
  return { ...stage, state, text: null };
}

function waitingWords({ waiting_for, information_requested }: Ticket, approved: string): string {
  if (information_requested !== null) return t`Waiting for an answer to a question`;
  const names = waiting_for.map(personName);
  if (names.length === 0) return t`Waiting for an administrator`;
  const more = grouped(names.length - SHOWN);
  const people = listed(
    names.length > SHOWN + 1 ? [...names.slice(0, SHOWN), t`${more} more people`] : names,
    'disjunction',
  );
  return approved === '' ? t`Waiting for ${people}` : t`Approved by ${approved}. Waiting for ${people}`;
}

/** The end of a request that was not approved. */
function endOf({ ticket_status, decided_at }: Ticket): Stage | undefined {
  const stage = { key: 'end', state: 'failed', text: null, at: decided_at } as const;
  switch (ticket_status) {
    case 'REJECTED':
      return { ...stage, title: t`Denied`, text: t`No access was granted` };
    case 'CANCELED':
      return { ...stage, title: t`Withdrawn`, text: t`No access was granted` };
    case 'EXPIRED':
      return { ...stage, title: t`Expired`, text: t`Nobody decided in time` };
    default:
      return undefined;
  }
}

type Task = Ticket['tasks'][number];

const grantsAccess = ({ action, changes }: Task) =>
  action === 'create_account' ||
  (action === 'update_account' && Object.values(changes).some(({ added }) => added.length > 0));

/** The tasks of a request that grant access, without those that were retried. */
export function grantsOf({ tasks }: Ticket): Task[] {
  const retried = new Set(tasks.map(({ retry_of }) => retry_of));
  return tasks.filter((task) => grantsAccess(task) && !retried.has(task.external_uuid));
}

const ENDED_BADLY: readonly string[] = ['failed', 'cancelled', 'preempted'];

function grantOf(ticket: Ticket): Stage[] {
  const provisioning = { key: 'provisioning', title: t`Provisioning`, text: null, at: null };
  const done = { key: 'done', title: t`Done`, text: null, at: null };
  if (ticket.ticket_status !== 'APPROVED') {
    return [
      { ...provisioning, state: 'ahead' },
      { ...done, state: 'ahead' },
    ];
  }
  const grants = grantsOf(ticket);
  const name = ticket.app.name;
  if (grants.length === 0) return [{ ...done, state: 'done', at: ticket.decided_at }];
  if (grants.some(({ status }) => ENDED_BADLY.includes(status))) {
    const text = t`A task for ${name} did not complete`;
    return [
      { ...provisioning, state: 'failed', text },
      { ...done, title: t`Failed`, state: 'failed', text: t`Some of the access was not granted` },
    ];
  }
  if (grants.every(({ status }) => status === 'completed')) {
    const ended =
      grants
        .map(({ ended_at }) => ended_at ?? '')
        .sort()
        .at(-1) || null;
    return [
      { ...provisioning, state: 'done', text: t`Granted in ${name}`, at: ended },
      { ...done, state: 'done', text: t`The access was granted` },
    ];
  }
  const isScheduled = grants.every(({ status }) => status === 'scheduled');
  const starts = grants.map(({ execute_after }) => execute_after).sort()[0] ?? null;
  return [
    isScheduled
      ? { ...provisioning, state: 'now', text: t`Starts`, at: starts }
      : { ...provisioning, state: 'busy', text: t`Waiting for tasks in ${name}` },
    { ...done, state: 'ahead' },
  ];
}
