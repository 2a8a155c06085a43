import { t } from '@lingui/core/macro';
import { api, ok } from '../../api/client.ts';
import { type Action, ActionDialog } from '../../kit/action/action-dialog.tsx';
import { shortLabel, type Ticket, titleOf } from './ticket.ts';

export type Which = 'approve' | 'deny' | 'override' | 'overrideDenial' | 'inquire' | 'withdraw';

/** A decision that somebody began. The page may show another request before it is sent. */
export interface Asked {
  ticket: Ticket;
  which: Which;
}

interface Props {
  of: Asked | undefined;
  close: () => void;
  /** Runs when the decision was saved. */
  after: () => void;
}

/** Asks before a decision on a request. */
export const DecisionDialog = ({ of, close, after }: Props) => (
  <ActionDialog of={of && actionOf(of, after)} close={close} />
);

function actionOf({ ticket, which }: Asked, after: () => void): Action {
  const name = shortLabel(ticket);
  const params = { path: { ticket_id: ticket.external_uuid } };
  const step = ticket.current_step === null ? {} : { step: ticket.current_step };
  const approval = (more: { override?: boolean; step?: number }) => ({
    request: (comment: string) =>
      ok(api.POST('/api/tickets/{ticket_id}/approve/', { params, body: { comment, ...more } })),
    message: decided,
    after,
  });
  const denial = (more: { override?: boolean; step?: number }) => ({
    danger: true,
    request: (comment: string) =>
      ok(api.POST('/api/tickets/{ticket_id}/deny/', { params, body: { comment, ...more } })),
    message: decided,
    after,
  });
  const actions: Record<Which, Action> = {
    approve: {
      title: t`Approve ${name}?`,
      sentence: titleOf(ticket),
      comment: t`Comment`,
      button: t`Approve`,
      ...approval(step),
    },
    deny: {
      title: t`Deny ${name}?`,
      sentence: (
        <>
          {titleOf(ticket)}
          <br />
          {t`One denial ends the request. The requester can read your comment.`}
        </>
      ),
      comment: t`Comment`,
      button: t`Deny`,
      ...denial(step),
    },
    override: {
      title: t`Override the approvers and approve ${name}?`,
      sentence: t`This approves all steps. Your name and your reason are recorded on the request.`,
      comment: t`Reason`,
      required: true,
      button: t`Override and approve`,
      ...approval({ override: true }),
    },
    overrideDenial: {
      title: t`Override the approvers and deny ${name}?`,
      sentence: t`This denies the request. Your name and your reason are recorded on it.`,
      comment: t`Reason`,
      required: true,
      button: t`Override and deny`,
      ...denial({ override: true }),
    },
    inquire: {
      title: t`Request more information on ${name}?`,
      sentence: t`The requester can answer. The request stays pending, and is not escalated in the meantime.`,
      comment: t`Question`,
      required: true,
      button: t`Request information`,
      request: (comment) =>
        ok(api.POST('/api/tickets/{ticket_id}/request-information/', { params, body: { comment } })),
      message: t`Information requested`,
    },
    withdraw: {
      title: t`Withdraw ${name}?`,
      sentence: t`The request ends without a decision.`,
      comment: t`Comment`,
      button: t`Withdraw request`,
      danger: true,
      request: (comment) => ok(api.POST('/api/tickets/{ticket_id}/cancel/', { params, body: { comment } })),
      message: t`Request withdrawn`,
      after,
    },
  };
  return actions[which];
}

const MESSAGES: Partial<Record<Ticket['ticket_status'], string>> = {
  APPROVED: t`Request approved`,
  REJECTED: t`Request denied`,
};

const decided = ({ ticket_status }: Pick<Ticket, 'ticket_status'>) =>
  MESSAGES[ticket_status] ?? t`Approval recorded`;
