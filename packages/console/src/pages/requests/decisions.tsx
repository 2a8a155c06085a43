import { t } from '@lingui/core/macro';
import { Button, Kbd } from '@mantine/core';
import { useRef, useState } from 'react';
import { api, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import type { Action } from '../../kit/action/action-dialog.tsx';
import { lazyPart, preload } from '../../kit/controls/lazy-part.tsx';
import { IconCheck, IconX } from '../../kit/icons/icons.ts';
import classes from './decisions.module.css';
import { mayCancel, mayDecide, mayOverride, shortLabel, type Ticket, titleOf } from './ticket.ts';
import { useTicketContext } from './ticket-context.ts';

// The first page shows the buttons.
const ActionDialog = lazyPart<{ of: Action | undefined; close: () => void }>(
  async () => (await import('../../kit/action/action-dialog.tsx')).ActionDialog,
  { leave: ({ close }) => close() },
);
const preloadDialog = () => preload(ActionDialog);
const ahead = { onPointerEnter: preloadDialog, onFocus: preloadDialog };

/**
 * The decisions that the user may make on a request: approve or deny as a current approver, override as an
 * administrator, withdraw as the requester. Calls `after` when a decision was saved.
 */
export function useDecisions(ticket: Ticket | undefined, after: () => void = () => {}) {
  const { me } = useMe();
  const { isKnown } = useTicketContext(ticket);
  const [ask, setAsk] = useState<Action>();
  // The dialog fades out.
  const [wasAsked, setWasAsked] = useState(false);
  const latest = useRef(after);
  latest.current = after;
  const moveOn = () => latest.current();
  if (ticket === undefined || me === undefined)
    return { can: NONE, isKnown: false, dialog: null, open: () => {} };

  const name = shortLabel(ticket);
  // The page may show another request before the dialog is sent, so each action names its own.
  const params = { path: { ticket_id: ticket.external_uuid } };
  const step = ticket.current_step === null ? {} : { step: ticket.current_step };
  const approval = (more: { override?: boolean; step?: number }) => ({
    request: (comment: string) =>
      ok(api.POST('/api/tickets/{ticket_id}/approve/', { params, body: { comment, ...more } })),
    message: decided,
    after: moveOn,
  });
  const denial = (more: { override?: boolean; step?: number }) => ({
    danger: true,
    request: (comment: string) =>
      ok(api.POST('/api/tickets/{ticket_id}/deny/', { params, body: { comment, ...more } })),
    message: decided,
    after: moveOn,
  });
  const dialogs: Record<string, Action> = {
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
      after: moveOn,
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
      // A key that is pressed in the dialog does not change what it asks.
      if (ask !== undefined || (!isKnown && NEEDS_CONTEXT.has(which))) return;
      setAsk(dialogs[which]);
      setWasAsked(true);
    },
    dialog: wasAsked && <ActionDialog of={ask} close={() => setAsk(undefined)} />,
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

const decided = ({ ticket_status }: Pick<Ticket, 'ticket_status'>) =>
  MESSAGES[ticket_status] ?? t`Approval recorded`;

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
        {...ahead}
        leftSection={<IconCheck size={15} aria-hidden />}
        disabled={!isKnown}
        onClick={() => open('approve')}
      >
        {t`Approve`}
        {keys && <Key of="a" />}
      </Button>
      <Button
        {...ahead}
        variant="outline"
        color="red"
        leftSection={<IconX size={15} aria-hidden />}
        disabled={!isKnown}
        onClick={() => open('deny')}
      >
        {t`Deny`}
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
