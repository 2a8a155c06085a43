import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Moment } from '../../kit/controls/moment.tsx';
import {
  IconCircleCheck,
  IconCircleDashed,
  IconCircleMinus,
  IconCircleX,
  IconClock,
  IconProgress,
} from '../../kit/icons/icons.ts';
import { progressOf, type Stage } from './progress.ts';
import classes from './stepper.module.css';
import type { Ticket } from './ticket.ts';

const LOOKS = {
  done: [IconCircleCheck, t`Done`],
  now: [IconClock, t`Waiting`],
  busy: [IconProgress, t`In progress`],
  ahead: [IconCircleDashed, t`Not yet`],
  skipped: [IconCircleMinus, t`Skipped`],
  failed: [IconCircleX, t`Stopped`],
} as const satisfies Record<Stage['state'], unknown>;

/** How far a request is, from its submission to the access. Vertical on a phone. */
export function Stepper({ ticket }: { ticket: Ticket }) {
  return (
    <ol className={classes.steps} aria-label={t`Progress`}>
      {progressOf(ticket).map((stage) => {
        const [Icon, word] = LOOKS[stage.state];
        return (
          <li
            key={stage.key}
            data-state={stage.state}
            aria-current={stage.state === 'now' || stage.state === 'busy' ? 'step' : undefined}
          >
            <Icon size={20} aria-hidden />
            <div>
              <strong>{stage.title}</strong>
              <p>
                <Line of={stage} word={word} />
              </p>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** "Approved by Ada Lovelace 3 minutes ago". Without details, the word for the state. */
function Line({ of: { text, at }, word }: { of: Stage; word: string }): ReactNode {
  const words = text ?? word;
  if (at === null) return words;
  return (
    <Trans>
      {words} <Moment at={at} />
    </Trans>
  );
}
