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
 * What the one who is signed in may decide about a request: approve and deny where it is their turn, override as an
 * administrator, withdraw. `after` follows a decision.
 */
export function useDecisions(ticket: Ticket | undefined, after: () => void = () => {}) {
  const { me } = useMe();
  const [ask, setAsk] = useState<Commented>();
  const said = { tell: false, after } as const;
  const path = { ticket_id: ticket?.external_uuid ?? '' };
  const decide = useChange(
    ({ verb, ...body }: { verb: Verb; comment: string; override?: boolean; step?: number }) =>
      ok(
        verb === 'approve'
          ? api.POST('/api/tickets/{ticket_id}/approve/', { params: { path }, body })
          : api.POST('/api/tickets/{ticket_id}/deny/', { params: { path }, body }),
      ),
    { ...said, said: ({ ticket_status }) => `${SAID[ticket_status] ?? 'Your approval is noted'}` },
  );
  const withdraw = useChange(
    (comment: string) =>
      ok(api.POST('/api/tickets/{ticket_id}/cancel/', { params: { path }, body: { comment } })),
    { ...said, said: 'Request withdrawn' },
  );
  if (ticket === undefined || me === undefined) return { can: NOTHING, dialog: null, open: () => {} };

  const name = shortLabel(ticket);
  const step = ticket.current_step ?? undefined;
  const dialogs: Record<string, Commented> = {
    approve: {
      title: `Approve ${name}?`,
      about: `${ticket.label}.`,
      label: 'Comment',
      action: 'Approve',
      act: (comment) => decide.mutateAsync({ verb: 'approve', comment, ...(step && { step }) }),
    },
    deny: {
      title: `Deny ${name}?`,
      about: 'One denial ends the request. Whoever asked reads your comment.',
      label: 'Comment',
      action: 'Deny',
      danger: true,
      act: (comment) => decide.mutateAsync({ verb: 'deny', comment, ...(step && { step }) }),
    },
    override: {
      title: `Approve ${name} in place of its approvers?`,
      about:
        'This approves all of its steps at once. It stays on the request, with your name and your reason.',
      label: 'Reason',
      required: true,
      action: 'Override and approve',
      act: (comment) => decide.mutateAsync({ verb: 'approve', comment, override: true }),
    },
    overrideDenial: {
      title: `Deny ${name} in place of its approvers?`,
      about: 'This ends the request. It stays on it, with your name and your reason.',
      label: 'Reason',
      required: true,
      action: 'Override and deny',
      danger: true,
      act: (comment) => decide.mutateAsync({ verb: 'deny', comment, override: true }),
    },
    withdraw: {
      title: `Withdraw ${name}?`,
      about: 'Nobody will decide about it any more.',
      label: 'Comment',
      action: 'Withdraw',
      danger: true,
      act: (comment) => withdraw.mutateAsync(comment),
    },
  };
  const can = {
    decide: mayDecide(ticket, me),
    override: mayOverride(ticket, me) && !mayDecide(ticket, me),
    withdraw: mayCancel(ticket, me),
  };
  return {
    can,
    open: (which: keyof typeof dialogs) => setAsk(dialogs[which]),
    dialog: <CommentDialog ask={ask} close={() => setAsk(undefined)} />,
  };
}

export type Decisions = ReturnType<typeof useDecisions>;

const NOTHING = { decide: false, override: false, withdraw: false };

const SAID: Record<string, string> = { APPROVED: 'Request approved', REJECTED: 'Request denied' };

/** Approve and deny, with the keys where there are any. */
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

/** A key beside a word, where there is likely to be a keyboard. */
export const Key = ({ of }: { of: string }) => (
  <Kbd size="xs" className={classes.key ?? ''} aria-hidden>
    {of}
  </Kbd>
);
