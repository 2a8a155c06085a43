import { t } from '@lingui/core/macro';
import { Alert, Button } from '@mantine/core';
import { Copy } from '../../kit/controls/copy.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { actionWord } from '../tasks/task.ts';
import { Attachments } from './attachments.tsx';
import classes from './by-hand.module.css';
import type { FulfillmentTask } from './by-hand-task.ts';
import { CompleteDialog } from './complete-dialog.tsx';
import { ReassignTask } from './reassign-task.tsx';
import { RefuseDialog } from './refuse-dialog.tsx';

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
        <Button variant="default" onClick={() => open('reassign')}>
          {t`Reassign`}
        </Button>
      )}
      {may.report && (
        <>
          <Button variant="default" onClick={() => open('refuse')}>
            {t`Refuse`}
          </Button>
          <Button onClick={() => open('complete')}>{t`Mark as done`}</Button>
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

/** The instructions and the files of a task. */
export function ByHand({ of }: { of: FulfillmentTask }) {
  return (
    <>
      {of.instructions !== null && (
        <Section title={t`Instructions`}>
          <p className={classes.instructions}>{of.instructions}</p>
        </Section>
      )}
      <Attachments of={of} />
    </>
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
