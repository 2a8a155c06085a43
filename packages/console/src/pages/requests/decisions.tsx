import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Kbd } from '@mantine/core';
import { useState } from 'react';
import { api, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { CommentDialog, type Commented } from '../../kit/controls/comment-dialog.tsx';
import { IconCheck, IconX } from '../../kit/icons/icons.ts';
import classes from './decisions.module.css';
import { mayCancel, mayDecide, mayOverride, shortLabel, type Ticket, titleOf } from './ticket.ts';
import { useTicketContext } from './ticket-context.ts';

export type Verb = 'approve' | 'deny';

interface Comment {
  ticket_id: string;
  comment: string;
}

interface Decision extends Comment {
  verb: Verb;
  override?: boolean;
  step?: number;
}

/**
 * The decisions that the user may make on a request: approve or deny as a current approver, override as an
 * administrator, withdraw as the requester. Calls `after` when a decision was saved.
 */
export function useDecisions(ticket: Ticket | undefined, after: () => void = () => {}) {
  const { me } = useMe();
  const { isKnown } = useTicketContext(ticket);
  const [ask, setAsk] = useState<Commented>();
  const options = { showFailure: false, after } as const;
  // The page may show another request before the dialog is sent, so each change names its own.
  const decide = useChange(
    ({ ticket_id, verb, ...body }: Decision) => {
      const request = { params: { path: { ticket_id } }, body };
      return ok(
        verb === 'approve'
          ? api.POST('/api/tickets/{ticket_id}/approve/', request)
          : api.POST('/api/tickets/{ticket_id}/deny/', request),
      );
    },
    { ...options, success: ({ ticket_status }) => MESSAGES[ticket_status] ?? t`Approval recorded` },
  );
  const withdraw = useChange(
    ({ ticket_id, comment }: Comment) =>
      ok(
        api.POST('/api/tickets/{ticket_id}/cancel/', { params: { path: { ticket_id } }, body: { comment } }),
      ),
    { ...options, success: t`Request withdrawn` },
  );
  const inquire = useChange(
    ({ ticket_id, comment }: Comment) =>
      ok(
        api.POST('/api/tickets/{ticket_id}/request-information/', {
          params: { path: { ticket_id } },
          body: { comment },
        }),
      ),
    { showFailure: false, success: t`Information requested` },
  );
  if (ticket === undefined || me === undefined)
    return { can: NONE, isKnown: false, dialog: null, open: () => {} };

  const name = shortLabel(ticket);
  const ticket_id = ticket.external_uuid;
  const step = ticket.current_step ?? undefined;
  const dialogs: Record<string, Commented> = {
    approve: {
      title: t`Approve ${name}?`,
      about: titleOf(ticket),
      label: t`Comment`,
      action: t`Approve`,
      act: (comment) => decide.mutateAsync({ ticket_id, verb: 'approve', comment, ...(step && { step }) }),
    },
    deny: {
      title: t`Deny ${name}?`,
      about: (
        <>
          {titleOf(ticket)}
          <br />
          <Trans>One denial ends the request. The requester can read your comment.</Trans>
        </>
      ),
      label: t`Comment`,
      action: t`Deny`,
      danger: true,
      act: (comment) => decide.mutateAsync({ ticket_id, verb: 'deny', comment, ...(step && { step }) }),
    },
    override: {
      title: t`Override the approvers and approve ${name}?`,
      about: t`This approves all steps. Your name and your reason are recorded on the request.`,
      label: t`Reason`,
      required: true,
      action: t`Override and approve`,
      act: (comment) => decide.mutateAsync({ ticket_id, verb: 'approve', comment, override: true }),
    },
    overrideDenial: {
      title: t`Override the approvers and deny ${name}?`,
      about: t`This denies the request. Your name and your reason are recorded on it.`,
      label: t`Reason`,
      required: true,
      action: t`Override and deny`,
      danger: true,
      act: (comment) => decide.mutateAsync({ ticket_id, verb: 'deny', comment, override: true }),
    },
    inquire: {
      title: t`Request more information on ${name}?`,
      about: t`The requester can answer. The request stays pending, and is not escalated in the meantime.`,
      label: t`Question`,
      required: true,
      action: t`Request information`,
      act: (comment) => inquire.mutateAsync({ ticket_id, comment }),
    },
    withdraw: {
      title: t`Withdraw ${name}?`,
      about: t`The request ends without a decision.`,
      label: t`Comment`,
      action: t`Withdraw request`,
      danger: true,
      act: (comment) => withdraw.mutateAsync({ ticket_id, comment }),
    },
  };
  const can = {
    decide: mayDecide(ticket, me),
    override: mayOverride(ticket, me) && !mayDecide(ticket, me),
    withdraw: mayCancel(ticket, me),
    inquire: mayDecide(ticket, me) && ticket.information_requested === null,
    reassign: mayOverride(ticket, me) || mayDecide(ticket, me),
  };
  return {
    can,
    /** Whether the context of the request is loaded. Until then, nobody approves or denies it. */
    isKnown,
    open: (which: keyof typeof dialogs) => {
      if (isKnown || !NEEDS_CONTEXT.has(which)) setAsk(dialogs[which]);
    },
    dialog: <CommentDialog ask={ask} close={() => setAsk(undefined)} />,
  };
}

export type Decisions = ReturnType<typeof useDecisions>;

/** The decisions that nobody makes before the context is loaded, by button or by key. */
const NEEDS_CONTEXT: ReadonlySet<string> = new Set(['approve', 'deny', 'override', 'overrideDenial']);

const NONE = { decide: false, override: false, withdraw: false, inquire: false, reassign: false };

const MESSAGES: Partial<Record<Ticket['ticket_status'], string>> = {
  APPROVED: t`Request approved`,
  REJECTED: t`Request denied`,
};

/** The Approve and Deny buttons, with their keyboard shortcuts on request. */
export function DecisionButtons({
  decisions: { can, isKnown, open },
  keys = false,
}: {
  decisions: Decisions;
  keys?: boolean;
}) {
  if (!can.decide) return null;
  return (
    <>
      <Button
        leftSection={<IconCheck size={15} aria-hidden />}
        disabled={!isKnown}
        onClick={() => open('approve')}
      >
        <Trans>Approve</Trans>
        {keys && <Key of="a" />}
      </Button>
      <Button
        variant="outline"
        color="red"
        leftSection={<IconX size={15} aria-hidden />}
        disabled={!isKnown}
        onClick={() => open('deny')}
      >
        <Trans>Deny</Trans>
        {keys && <Key of="d" />}
      </Button>
    </>
  );
}

/** A keyboard shortcut next to a label. Hidden on devices that are unlikely to have a keyboard. */
export const Key = ({ of }: { of: string }) => (
  <Kbd size="xs" className={classes.key ?? ''} aria-hidden>
    {of}
  </Kbd>
);
