import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Progress, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { Moment } from '../../kit/controls/moment.tsx';
import { listed } from '../../kit/text/listed.ts';
import { grouped } from '../../kit/text/words.ts';
import { Due } from './due.tsx';
import type { Cycle } from './item.ts';
import classes from './reviews.module.css';

/** Returns how many items of a cycle the signed-in person reviews, and how many of them are undecided. */
export function useMine(cycleId: string) {
  const count = (decision?: 'none') =>
    get('/api/reviews/cycles/{cycle_id}/items/', {
      path: { cycle_id: cycleId },
      query: { mine: true, decision, limit: 1 },
    });
  const items = useQuery(count());
  const open = useQuery(count('none'));
  if (items.data === undefined || open.data === undefined) return undefined;
  return { items: items.data.count, undecided: open.data.count };
}

interface Props {
  cycle: Cycle;
  /** The signed-in person's items; undefined to show the whole cycle. */
  mine: { items: number; undecided: number } | undefined;
}

/** Progress, due date and the outcome for undecided items. Stays visible while the items scroll. */
export function CycleProgress({ cycle, mine }: Props) {
  if (cycle.status === 'scheduled') return <Opening cycle={cycle} />;
  const { items, decided, kept, revoked, revocations } = cycle.progress;
  const [of, done] = mine === undefined ? [items, decided] : [mine.items, mine.items - mine.undecided];
  return (
    <div className={classes.progress} data-top-bar>
      <p className={classes.words}>
        <strong role="status">{doneWords(done, of, mine !== undefined)}</strong>
        <span>{mine === undefined ? outcomeWords(kept, revoked) : overallWords(decided, items)}</span>
        {mine === undefined && <span>{revocationWords(revocations)}</span>}
        <NoResponse cycle={cycle} />
      </p>
      <ProgressBar done={done} of={of} label={t`Decided`} />
    </div>
  );
}

function doneWords(done: number, of: number, isMine: boolean): string {
  const decided = grouped(done);
  const items = grouped(of);
  if (!isMine) return t`${decided} of ${items} decided`;
  return of > 0 && done === of
    ? t`${decided} of ${items} of your items decided: all done`
    : t`${decided} of ${items} of your items decided`;
}

function outcomeWords(keep: number, revoke: number): string {
  const kept = grouped(keep);
  const revoked = grouped(revoke);
  return t`${kept} kept, ${revoked} revoked`;
}

/** Whether the revocations were carried out. Empty if nothing is revoked, or if they were not counted. */
function revocationWords(revocations: Cycle['progress']['revocations']): string {
  if (revocations === null) return '';
  const done = grouped(revocations.carried_out);
  const waiting = grouped(revocations.waiting);
  const failed = grouped(revocations.failed);
  const impossible = grouped(revocations.not_possible);
  const words = [
    revocations.carried_out > 0 ? t`${done} carried out` : '',
    revocations.waiting > 0 ? t`${waiting} waiting` : '',
    revocations.failed > 0 ? t`${failed} failed` : '',
    revocations.not_possible > 0 ? t`${impossible} not possible` : '',
  ];
  return listed(
    words.filter((word) => word !== ''),
    'unit',
  );
}

function overallWords(done: number, of: number): string {
  const decided = grouped(done);
  const items = grouped(of);
  return t`All items: ${decided} of ${items}`;
}

export function ProgressBar({ done, of, label }: { done: number; of: number; label: string }) {
  return <Progress value={(done / Math.max(1, of)) * 100} aria-label={t`${label}: ${done} of ${of}`} />;
}

/** The due date, and the outcome for items that nobody decides. */
function NoResponse({ cycle: { status, due_at, completed_at, on_no_response } }: { cycle: Cycle }) {
  if (status === 'completed')
    return (
      <Text span inherit c="dimmed">
        <Trans>
          Completed <Moment at={completed_at} />
        </Trans>
      </Text>
    );
  return (
    <span>
      {on_no_response === 'revoke' ? (
        <Trans>
          Due <Due at={due_at} />. Undecided items will then be <strong>revoked</strong>.
        </Trans>
      ) : (
        <Trans>
          Due <Due at={due_at} />. Undecided items will then be <strong>kept</strong>.
        </Trans>
      )}
    </span>
  );
}

function Opening({ cycle: { opening, opens_at } }: { cycle: Cycle }) {
  if (opening.accounts === 0)
    return (
      <Text size="sm">
        <Trans>
          Opens <Moment at={opens_at} />.
        </Trans>
      </Text>
    );
  const checked = grouped(opening.accounts);
  const accounts = grouped(opening.of);
  return (
    <div className={classes.progress}>
      <p className={classes.words} role="status">
        {t`Opening: ${checked} of ${accounts} accounts checked. You can decide when all accounts are checked.`}
      </p>
      <ProgressBar done={opening.accounts} of={opening.of} label={t`Checked`} />
    </div>
  );
}
