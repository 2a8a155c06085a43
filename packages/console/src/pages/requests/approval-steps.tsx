import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useMe } from '../../api/me.ts';
import { Moment } from '../../kit/controls/moment.tsx';
import { type Look, Status } from '../../kit/controls/status.tsx';
import { formats } from '../../kit/text/listed.ts';
import { PersonName } from '../../people/person.tsx';
import { InsteadOfExcluded, useApproval } from './excluded.tsx';
import { PeopleList, Person } from './people.tsx';
import classes from './request.module.css';
import type { Ticket } from './ticket.ts';

type Step = Ticket['steps'][number];

const MARKS = {
  done: ['approved', t`Approved`],
  denied: ['denied', t`Denied`],
  now: ['wait', t`Current`],
  ahead: ['idle', t`Upcoming`],
  skipped: ['canceled', t`Skipped`],
} as const satisfies Record<string, readonly [Look, string]>;

/** The approval steps of a request, with their decisions and current approvers. */
export function ApprovalSteps({ ticket }: { ticket: Ticket }) {
  const { me } = useMe();
  const own = ticket.user.external_uuid === me?.external_uuid;
  const preview = usePreview(ticket);
  return (
    <ol className={classes.route}>
      {ticket.steps.map((step, index) => {
        const number = index + 1;
        const mark = markOf(ticket, number);
        const [look, label] = MARKS[mark];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a request never change.
          <li key={index} data-mark={mark}>
            <div className={classes.stepHead}>
              <strong>
                <Trans>
                  Step {number}: <Approvers of={step} own={own} />
                </Trans>
              </strong>
              <Status of={mark} look={look} word={label} />
            </div>
            {ticket.approvals
              .filter((approval) => approval.step === number)
              .map((approval) => (
                <p key={`${approval.approver.external_uuid}${approval.decided_at}`}>
                  <Decision of={approval} />
                  {approval.comment !== '' && <q className={classes.quote}>{approval.comment}</q>}
                </p>
              ))}
            {ticket.current_step === number && <CurrentApprovers ticket={ticket} />}
            {(mark === 'now' || mark === 'ahead') && <InsteadOfExcluded of={preview?.[index]} />}
          </li>
        );
      })}
    </ol>
  );
}

/** Returns who would decide each step, if the app still asks the steps of the request. */
function usePreview({ app, user, requester, steps, ticket_status }: Ticket) {
  const { me, manages } = useMe();
  // Only administrators know who decides the requests of others.
  const isOwn = [user, requester].every(({ external_uuid }) => external_uuid === me?.external_uuid);
  const asked = useApproval(
    app.external_uuid,
    user.external_uuid,
    requester.external_uuid,
    ticket_status === 'PENDING' && (manages || isOwn),
  );
  const isSame = ({ approvers, require }: Step, at: number) =>
    JSON.stringify([approvers, require]) === JSON.stringify([asked?.[at]?.approvers, asked?.[at]?.require]);
  return asked?.length === steps.length && steps.every(isSame) ? asked : undefined;
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
  fallback: t`The fallback approvers decide because nobody in this step can.`,
  administrators: t`The administrators decide because nobody in this step can.`,
};

/** "Ada Lovelace approved on behalf of Grace Hopper 3 minutes ago" */
function Decision({ of: approval }: { of: Ticket['approvals'][number] }) {
  const { override, decided_at } = approval;
  const who = <Person of={approval.approver} />;
  const stoodIn = approval.on_behalf_of.length > 0;
  const absent = <PeopleList of={approval.on_behalf_of} format={formats.conjunction} />;
  const when = <Moment at={decided_at} />;
  if (approval.decision === 'approved') {
    if (override)
      return (
        <Trans>
          {who} approved as an override {when}
        </Trans>
      );
    if (stoodIn)
      return (
        <Trans>
          {who} approved on behalf of {absent} {when}
        </Trans>
      );
    return (
      <Trans>
        {who} approved {when}
      </Trans>
    );
  }
  if (override)
    return (
      <Trans>
        {who} denied as an override {when}
      </Trans>
    );
  if (stoodIn)
    return (
      <Trans>
        {who} denied on behalf of {absent} {when}
      </Trans>
    );
  return (
    <Trans>
      {who} denied {when}
    </Trans>
  );
}

function CurrentApprovers({ ticket: { waiting_for, escalated_at } }: { ticket: Ticket }) {
  if (waiting_for.length === 0) {
    return <p>{t`Nobody can decide this step at the moment. Another administrator can override it.`}</p>;
  }
  const [first] = waiting_for;
  const via = first && waiting_for.every((one) => one.via === first.via) && VIA[first.via];
  const people = (
    <PeopleList
      of={waiting_for}
      format={formats.disjunction}
      each={(approver) => <CurrentApprover of={approver} />}
    />
  );
  return (
    <p>
      <Trans>Waiting for {people}.</Trans> {via}{' '}
      {escalated_at !== null && (
        <Trans>
          Escalated <Moment at={escalated_at} />.
        </Trans>
      )}
    </p>
  );
}

/** "Ada Lovelace (on behalf of Grace Hopper)" */
function CurrentApprover({ of: approver }: { of: Ticket['waiting_for'][number] }) {
  const { on_behalf_of } = approver;
  const person = <Person of={approver} />;
  if (on_behalf_of.length === 0) return person;
  const absent = <PeopleList of={on_behalf_of} format={formats.conjunction} />;
  return (
    <Trans>
      {person} (on behalf of {absent})
    </Trans>
  );
}

/** The approvers of a step. `own` means that the request is for the user. */
function Approvers({ of: { approvers, require }, own = false }: { of: Step; own?: boolean }) {
  if (approvers === 'manager') return own ? t`your manager` : t`the person's manager`;
  if (approvers === 'app_owner') return t`the owner of the app`;
  if (typeof approvers === 'string') return approvers;
  if (approvers.length === 1) return <PersonName id={approvers[0] ?? null} />;
  const people = approvers.map((id, index) => (
    <span key={id}>
      {index > 0 && ', '}
      <PersonName id={id} />
    </span>
  ));
  return require === 'all' ? <Trans>all of {people}</Trans> : <Trans>any one of {people}</Trans>;
}
