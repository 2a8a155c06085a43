import { IconCircleCheck, IconCircleDashed, IconCircleX, IconClock } from '@tabler/icons-react';
import { useMe } from '../../api/me.ts';
import { Moment } from '../../parts/moment.tsx';
import { PersonName } from '../../parts/person.tsx';
import classes from './request.module.css';
import type { Ticket } from './ticket.ts';

type Step = Ticket['steps'][number];

const MARKS = {
  done: [IconCircleCheck, 'Approved'],
  denied: [IconCircleX, 'Denied'],
  now: [IconClock, 'Current'],
  ahead: [IconCircleDashed, 'Upcoming'],
  skipped: [IconCircleDashed, 'Skipped'],
} as const;

/** The approval steps of a request, with their decisions and current approvers. */
export function ApprovalSteps({ ticket }: { ticket: Ticket }) {
  const { me } = useMe();
  const own = ticket.user.external_uuid === me?.external_uuid;
  return (
    <ol className={classes.route}>
      {ticket.steps.map((step, index) => {
        const number = index + 1;
        const [Icon, label] = MARKS[markOf(ticket, number)];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a request never change.
          <li key={index} data-mark={markOf(ticket, number)}>
            <div className={classes.stepHead}>
              <Icon size={17} aria-hidden />
              <span>
                <strong>
                  Step {number}: <Approvers of={step} own={own} />
                </strong>{' '}
                <span className={classes.small}>{label}</span>
              </span>
            </div>
            {ticket.approvals
              .filter((approval) => approval.step === number)
              .map(({ approver, on_behalf_of, decision, override, comment, decided_at }) => (
                <p key={`${approver.external_uuid}${decided_at}`}>
                  {approver.email} {decision} {override && 'as an override '}
                  {on_behalf_of.length > 0 && `on behalf of ${emails(on_behalf_of)} `}
                  <Moment at={decided_at} />
                  {comment !== '' && <q className={classes.quote}>{comment}</q>}
                </p>
              ))}
            {ticket.current_step === number && <CurrentApprovers ticket={ticket} />}
          </li>
        );
      })}
    </ol>
  );
}

function markOf({ ticket_status, current_step, approvals }: Ticket, number: number): keyof typeof MARKS {
  const own = approvals.filter(({ step }) => step === number);
  if (own.some(({ decision }) => decision === 'denied')) return 'denied';
  if (current_step !== null && number === current_step) return 'now';
  if (current_step !== null) return number < current_step ? 'done' : 'ahead';
  if (ticket_status === 'APPROVED' || own.length > 0) return 'done';
  return 'skipped';
}

type Via = Ticket['waiting_for'][number]['via'];

const VIA: Partial<Record<Via, string>> = {
  fallback: 'The fallback approvers decide because nobody in this step can.',
  administrators: 'The administrators decide because nobody in this step can.',
};

const emails = (people: { email: string }[]) => people.map(({ email }) => email).join(' and ');

function CurrentApprovers({ ticket: { waiting_for, escalated_at } }: { ticket: Ticket }) {
  if (waiting_for.length === 0) {
    return <p>Nobody can decide this step at the moment. Another administrator can override it.</p>;
  }
  const [first] = waiting_for;
  const via = first && waiting_for.every((one) => one.via === first.via) && VIA[first.via];
  return (
    <p>
      Waiting for{' '}
      {waiting_for
        .map(({ email, on_behalf_of }) =>
          on_behalf_of.length === 0 ? email : `${email} (on behalf of ${emails(on_behalf_of)})`,
        )
        .join(' or ')}
      . {via}
      {escalated_at !== null && (
        <>
          Escalated <Moment at={escalated_at} />.
        </>
      )}
    </p>
  );
}

/** The approvers of a step. `own` means that the request is for the user. */
export function Approvers({ of: { approvers, require }, own = false }: { of: Step; own?: boolean }) {
  if (approvers === 'manager') return own ? 'your manager' : "the person's manager";
  if (approvers === 'app_owner') return 'the owner of the app';
  if (typeof approvers === 'string') return approvers;
  if (approvers.length === 1) return <PersonName id={approvers[0] ?? null} />;
  return (
    <>
      {require === 'all' ? 'all of ' : 'any one of '}
      {approvers.map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <PersonName id={id} />
        </span>
      ))}
    </>
  );
}
