import { t } from '@lingui/core/macro';
import { Button, Kbd } from '@mantine/core';
import { useRef, useState } from 'react';
import { useMe } from '../../api/me.ts';
import { lazyPart, preload } from '../../kit/controls/lazy-part.tsx';
import { IconCheck, IconX } from '../../kit/icons/icons.ts';
import type { Asked, Which } from './decision-dialog.tsx';
import classes from './decisions.module.css';
import { mayCancel, mayDecide, mayOverride, type Ticket } from './ticket.ts';
import { useTicketContext } from './ticket-context.ts';

// The first page shows the buttons.
const DecisionDialog = lazyPart(async () => (await import('./decision-dialog.tsx')).DecisionDialog, {
  leave: ({ close }) => close(),
});
const preloadDialog = () => preload(DecisionDialog);
const ahead = { onPointerEnter: preloadDialog, onFocus: preloadDialog };

/**
 * The decisions that the user may make on a request: approve or deny as a current approver, override as an
 * administrator, withdraw as the requester. Calls `after` when a decision was saved.
 */
export function useDecisions(ticket: Ticket | undefined, after: () => void = () => {}) {
  const { me } = useMe();
  const { isKnown } = useTicketContext(ticket);
  const [ask, setAsk] = useState<Asked>();
  // The dialog fades out.
  const [wasAsked, setWasAsked] = useState(false);
  const latest = useRef(after);
  latest.current = after;
  const moveOn = () => latest.current();
  if (ticket === undefined || me === undefined)
    return { can: NONE, isKnown: false, dialog: null, open: () => {} };

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
    open: (which: Which) => {
      // A key that is pressed in the dialog does not change what it asks.
      if (ask !== undefined || (!isKnown && NEEDS_CONTEXT.has(which))) return;
      setAsk({ ticket, which });
      setWasAsked(true);
    },
    dialog: wasAsked && <DecisionDialog of={ask} close={() => setAsk(undefined)} after={moveOn} />,
  };
}

type Decisions = ReturnType<typeof useDecisions>;

/** The decisions that nobody makes before the context is loaded, by button or by key. */
const NEEDS_CONTEXT: ReadonlySet<Which> = new Set(['approve', 'deny', 'override', 'overrideDenial']);

const NONE = { decide: false, override: false, withdraw: false, inquire: false, reassign: false };

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
