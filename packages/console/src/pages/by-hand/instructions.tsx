import { t } from '@lingui/core/macro';
import { Section } from '../../kit/controls/section.tsx';
import { Attachments } from './attachments.tsx';
import classes from './by-hand.module.css';
import type { FulfillmentTask } from './by-hand-task.ts';

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
