import { Button, Kbd } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { api, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { CommentDialog, type Commented } from '../../parts/comment-dialog.tsx';
import classes from './decisions.module.css';
import { mayCancel, mayDecide, mayOverride, shortLabel, type Ticket } from './ticket.ts';

export type Verb = 'approve' | 'deny';

/**
 * The decisions that the user may make on a request: approve or deny as a current approver, override as an
 * administrator, withdraw as the requester. Calls `after` when a decision was saved.
 */
export function useDecisions(ticket: Ticket | undefined, after: () => void = () => {}) {
  const { me } = useMe();
  const [ask, setAsk] = useState<Commented>();
  const options = { showFailure: false, after } as const;
  const path = { ticket_id: ticket?.external_uuid ?? '' };
  const decide = useChange(
    ({ verb, ...body }: { verb: Verb; comment: string; override?: boolean; step?: number }) =>
      ok(
        verb === 'approve'
          ? api.POST('/api/tickets/{ticket_id}/approve/', { params: { path }, body })
          : api.POST('/api/tickets/{ticket_id}/deny/', { params: { path }, body }),
      ),
    { ...options, success: ({ ticket_status }) => MESSAGES[ticket_status] ?? 'Approval recorded' },
  );
  const withdraw = useChange(
    (comment: string) =>
      ok(api.POST('/api/tickets/{ticket_id}/cancel/', { params: { path }, body: { comment } })),
    { ...options, success: 'Request withdrawn' },
  );
  const inquire = useChange(
    (comment: string) =>
      ok(api.POST('/api/tickets/{ticket_id}/request-information/', { params: { path }, body: { comment } })),
    { showFailure: false, success: 'Information requested' },
  );
  if (ticket === undefined || me === undefined) return { can: NONE, dialog: null, open: () => {} };

  const name = shortLabel(ticket);
  const step = ticket.current_step ?? undefined;
  const dialogs: Record<string, Commented> = {
    approve: {
      title: `Approve ${name}?`,
      about: ticket.label,
      label: 'Comment',
      action: 'Approve',
      act: (comment) => decide.mutateAsync({ verb: 'approve', comment, ...(step && { step }) }),
    },
    deny: {
      title: `Deny ${name}?`,
      about: 'One denial ends the request. The requester can read your comment.',
      label: 'Comment',
      action: 'Deny',
      danger: true,
      act: (comment) => decide.mutateAsync({ verb: 'deny', comment, ...(step && { step }) }),
    },
    override: {
      title: `Override the approvers and approve ${name}?`,
      about: 'This approves all steps at once. Your name and your reason are recorded on the request.',
      label: 'Reason',
      required: true,
      action: 'Override and approve',
      act: (comment) => decide.mutateAsync({ verb: 'approve', comment, override: true }),
    },
    overrideDenial: {
      title: `Override the approvers and deny ${name}?`,
      about: 'This denies the request. Your name and your reason are recorded on it.',
      label: 'Reason',
      required: true,
      action: 'Override and deny',
      danger: true,
      act: (comment) => decide.mutateAsync({ verb: 'deny', comment, override: true }),
    },
    inquire: {
      title: `Request more information on ${name}?`,
      about: 'The requester can answer. The request stays pending, and is not escalated in the meantime.',
      label: 'Question',
      required: true,
      action: 'Request information',
      act: (comment) => inquire.mutateAsync(comment),
    },
    withdraw: {
      title: `Withdraw ${name}?`,
      about: 'The request ends without a decision.',
      label: 'Comment',
      action: 'Withdraw request',
      danger: true,
      act: (comment) => withdraw.mutateAsync(comment),
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
    open: (which: keyof typeof dialogs) => setAsk(dialogs[which]),
    dialog: <CommentDialog ask={ask} close={() => setAsk(undefined)} />,
  };
}

export type Decisions = ReturnType<typeof useDecisions>;

const NONE = { decide: false, override: false, withdraw: false, inquire: false, reassign: false };

const MESSAGES: Partial<Record<Ticket['ticket_status'], string>> = {
  APPROVED: 'Request approved',
  REJECTED: 'Request denied',
};

/** The Approve and Deny buttons, with their keyboard shortcuts on request. */
export function DecisionButtons({
  decisions: { can, open },
  keys = false,
}: {
  decisions: Decisions;
  keys?: boolean;
}) {
  if (!can.decide) return null;
  return (
    <>
      <Button leftSection={<IconCheck size={15} aria-hidden />} onClick={() => open('approve')}>
        Approve{keys && <Key of="a" />}
      </Button>
      <Button
        variant="outline"
        color="red"
        leftSection={<IconX size={15} aria-hidden />}
        onClick={() => open('deny')}
      >
        Deny{keys && <Key of="d" />}
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
