import { Progress, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { Moment } from '../../parts/moment.tsx';
import { grouped } from '../../parts/words.ts';
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
  const { items, decided, kept, revoked } = cycle.progress;
  const [of, done] = mine === undefined ? [items, decided] : [mine.items, mine.items - mine.undecided];
  return (
    <div className={classes.progress}>
      <p className={classes.words}>
        <strong role="status">
          {grouped(done)} of {grouped(of)} {mine === undefined ? '' : 'of your items '}decided
          {mine !== undefined && mine.items > 0 && mine.undecided === 0 && ': all done'}
        </strong>
        <span>
          {mine === undefined
            ? `${grouped(kept)} kept, ${grouped(revoked)} revoked`
            : `All items: ${grouped(decided)} of ${grouped(items)}`}
        </span>
        <NoResponse cycle={cycle} />
      </p>
      <ProgressBar done={done} of={of} label="Decided" />
    </div>
  );
}

export function ProgressBar({ done, of, label }: { done: number; of: number; label: string }) {
  return <Progress value={(done / Math.max(1, of)) * 100} aria-label={`${label}: ${done} of ${of}`} />;
}

/** The due date, and the outcome for items that nobody decides. */
function NoResponse({ cycle: { status, due_at, completed_at, on_no_response } }: { cycle: Cycle }) {
  if (status === 'completed')
    return (
      <Text span inherit c="dimmed">
        Completed <Moment at={completed_at} />
      </Text>
    );
  return (
    <span>
      Due <Moment at={due_at} />. Undecided items will then be{' '}
      <strong>{on_no_response === 'revoke' ? 'revoked' : 'kept'}</strong>.
    </span>
  );
}

function Opening({ cycle: { opening, opens_at } }: { cycle: Cycle }) {
  if (opening.accounts === 0)
    return (
      <Text size="sm">
        Opens <Moment at={opens_at} />.
      </Text>
    );
  return (
    <div className={classes.progress}>
      <p className={classes.words} role="status">
        Opening: {grouped(opening.accounts)} of {grouped(opening.of)} accounts checked. You can decide when
        all accounts are checked.
      </p>
      <ProgressBar done={opening.accounts} of={opening.of} label="Checked" />
    </div>
  );
}
