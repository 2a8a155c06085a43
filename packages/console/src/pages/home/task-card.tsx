import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { TextLink } from '../../kit/controls/links.tsx';
import { Name } from '../../kit/text/name.tsx';
import { ByHandActions, type ByHandDialog, ToDo } from '../by-hand/by-hand.tsx';
import type { FulfillmentTask } from '../by-hand/by-hand-task.ts';
import { taskName } from '../tasks/task.ts';
import { Card } from './card.tsx';
import classes from './home.module.css';

/** The task of the person that is due first. While a dialog is open, its task stays, even if another is due first by now. */
export function TaskCard({ of: first }: { of: FulfillmentTask }) {
  const [asked, setAsked] = useState<{ ask: ByHandDialog; of: FulfillmentTask }>();
  const of = asked?.of ?? first;
  const open = (ask: ByHandDialog | undefined) => setAsked(ask && { ask, of });
  return (
    <Card
      kind={of.overdue ? t`Overdue task` : t`Next task`}
      title={
        <TextLink to="/tasks/$taskId" params={{ taskId: of.task.external_uuid }} inherit>
          <Name of={taskName(of.task)} />
        </TextLink>
      }
      actions={<ByHandActions of={of} ask={asked?.ask} open={open} reassigned={() => open(undefined)} />}
    >
      <ToDo of={of} />
      {of.instructions !== null && <p className={classes.instructions}>{of.instructions}</p>}
    </Card>
  );
}
