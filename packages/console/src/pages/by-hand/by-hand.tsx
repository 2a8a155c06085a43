import { t } from '@lingui/core/macro';
import { Alert, Button } from '@mantine/core';
import { Copy } from '../../kit/controls/copy.tsx';
import { lazyPart, preload } from '../../kit/controls/lazy-part.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import { actionWord } from '../tasks/task.ts';
import classes from './by-hand.module.css';
import type { FulfillmentTask } from './by-hand-task.ts';

// The first page shows the buttons.
const CompleteDialog = lazyPart(async () => (await import('./complete-dialog.tsx')).CompleteDialog, {
  leave: ({ close }) => close(),
});
const RefuseDialog = lazyPart(async () => (await import('./refuse-dialog.tsx')).RefuseDialog, {
  leave: ({ close }) => close(),
});
const ReassignTask = lazyPart(async () => (await import('./reassign-task.tsx')).ReassignTask, {
  leave: ({ close }) => close(),
});
const preloadDialogs = () => preload(CompleteDialog, RefuseDialog, ReassignTask);
const ahead = { onPointerEnter: preloadDialogs, onFocus: preloadDialogs };

export type ByHandDialog = 'complete' | 'refuse' | 'reassign';

interface ActionsProps {
  of: FulfillmentTask;
  /** The open dialog. */
  ask: string | undefined;
  open: (ask: ByHandDialog | undefined) => void;
  /** Runs after the task was handed to somebody else. */
  reassigned: () => void;
}

/** The buttons for a task that people carry out, with their dialogs. */
export function ByHandActions({ of, ask, open, reassigned }: ActionsProps) {
  const { may, task } = of;
  const close = () => open(undefined);
  return (
    <>
      {may.reassign && (
        <Button variant="default" {...ahead} onClick={() => open('reassign')}>
          {t`Reassign`}
        </Button>
      )}
      {may.report && (
        <>
          <Button variant="default" {...ahead} onClick={() => open('refuse')}>
            {t`Refuse`}
          </Button>
          <Button {...ahead} onClick={() => open('complete')}>{t`Mark as done`}</Button>
        </>
      )}
      {ask === 'complete' && may.report && <CompleteDialog of={of} close={close} />}
      {ask === 'refuse' && may.report && <RefuseDialog of={of} close={close} />}
      {ask === 'reassign' && may.reassign && (
        <ReassignTask taskId={task.external_uuid} close={close} done={reassigned} />
      )}
    </>
  );
}

/** Why a task came to its assignee from somebody else. */
export function Reassigned({ of: { task, reassign_reason: reason } }: { of: FulfillmentTask }) {
  if (reason === null || task.status !== 'pending') return null;
  return (
    <Alert mb="md" variant="light">
      {t`Reassigned: ${reason}`}
    </Alert>
  );
}

/** The change to make, with values to copy. */
export function ToDo({ of: { task, account } }: { of: FulfillmentTask }) {
  const changes = Object.entries(task.changes);
  const names = (refs: { id: string; name: string }[]) =>
    refs.length === 0 ? undefined : refs.map(({ id, name }) => name || id).join(', ');
  return (
    <Properties
      of={[
        [t`Action`, actionWord(task.action)],
        [t`App`, task.app.name],
        [t`Account`, copied(t`account id`, account.external_id)],
        [t`Email`, copied(t`email`, account.email)],
        [t`Username`, copied(t`username`, account.username)],
        [t`Name`, copied(t`name`, `${account.first_name} ${account.last_name}`.trim())],
        ...changes.map(([slug, { added }]) => [t`Add to ${slug}`, names(added)] as const),
        ...changes.map(([slug, { removed }]) => [t`Remove from ${slug}`, names(removed)] as const),
      ]}
    />
  );
}

const copied = (label: string, value: string | null) =>
  value === null || value === '' ? undefined : (
    <span className={classes.copied}>
      {value} <Copy value={value} what={label} />
    </span>
  );
