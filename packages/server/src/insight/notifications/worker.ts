import { type OrgDb, within } from '#kit/database.ts';
import { createLoop, type Loop } from '#kit/loops/loop.ts';
import { gather } from './gather.ts';
import type { DeliveryMetrics } from './metrics.ts';
import { notify } from './notify.ts';
import type { Outcome } from './outcome.ts';
import { organizationsToRead, untilScan } from './queries/cursor.ts';
import { type Outgoing, organizationsToSend, untilDueMessage } from './queries/outbox.ts';
import { type SendTools, sendNext } from './send.ts';

interface WorkerTools extends SendTools {
  metrics: DeliveryMetrics;
}

/** Messages of one organization before the others get their turn. */
const TURN = 50;
/** Posts at the same time, so that a slow receiver delays few others. */
const POSTS_AT_ONCE = 8;
const FIRST_OUTAGE_PAUSE_MS = 5_000;
const LONGEST_OUTAGE_PAUSE_MS = 300_000;

/** Reads the logs of all organizations, and sends their notifications. */
export function notificationLoops(tools: WorkerTools): Loop[] {
  const { db, logger, mailer, expiryDays } = tools;
  const options = { canEmail: mailer !== undefined, expiryDays };
  const posted = ['slack', 'teams'] as const;
  return [
    createLoop({
      name: 'notifications',
      db,
      logger,
      wokenBy: ['events'],
      find: () => organizationsToRead(db),
      nextDue: () => untilScan(db),
      work: ({ org_id }) => notify(within(db, org_id), logger, options),
    }),
    createLoop({
      name: 'posts',
      db,
      logger,
      wokenBy: ['messages'],
      find: () => organizationsToSend(db, posted),
      nextDue: () => untilDueMessage(db, posted),
      work: ({ org_id }, signal) =>
        sendTurn(tools, within(tools.db, org_id), {
          media: posted,
          atOnce: POSTS_AT_ONCE,
          isOver: () => signal.aborted,
        }),
    }),
    ...(mailer === undefined ? [] : [emailLoop(tools)]),
  ];
}

/** Sends emails one by one. While the mail server is unavailable, this node pauses all of them. */
function emailLoop(tools: WorkerTools): Loop {
  let pausedUntil = 0;
  let pause = FIRST_OUTAGE_PAUSE_MS;
  const note = (outcome: Outcome) => {
    if (!outcome.ok && outcome.isOutage === true) {
      tools.logger.warn({ reason: outcome.reason, retryInSeconds: pause / 1000 }, 'Emails cannot be sent');
      pausedUntil = performance.now() + pause;
      pause = Math.min(pause * 2, LONGEST_OUTAGE_PAUSE_MS);
    } else pause = FIRST_OUTAGE_PAUSE_MS;
  };
  const secondsOfPause = () => (pausedUntil - performance.now()) / 1000;
  const isPaused = () => secondsOfPause() > 0;
  return createLoop({
    name: 'emails',
    db: tools.db,
    logger: tools.logger,
    wokenBy: ['messages'],
    find: async () => (isPaused() ? [] : organizationsToSend(tools.db, ['email'])),
    nextDue: async () => (isPaused() ? secondsOfPause() : untilDueMessage(tools.db, ['email'])),
    work: async ({ org_id }, signal) =>
      isPaused()
        ? false
        : sendTurn(tools, within(tools.db, org_id), {
            media: ['email'],
            atOnce: 1,
            isOver: () => signal.aborted || isPaused(),
            note,
          }),
  });
}

interface Turn {
  media: readonly Outgoing[];
  atOnce: number;
  isOver: () => boolean;
  /** Gets the outcome of each message. */
  note?: (outcome: Outcome) => void;
}

/** Sends messages of one organization. Returns whether more are left to send now. */
async function sendTurn(
  tools: WorkerTools,
  org: OrgDb,
  { media, atOnce, isOver, note }: Turn,
): Promise<boolean> {
  const hasMore = await gather(org, media);
  for (let sent = 0; sent < TURN && !isOver(); sent += atOnce) {
    const outcomes = await Promise.all(Array.from({ length: atOnce }, () => sendNext(tools, org, media)));
    for (const outcome of outcomes) {
      if (outcome === undefined) continue;
      tools.metrics.note(media[0] === 'email' ? 'email' : 'chat', outcome.ok);
      note?.(outcome);
    }
    if (outcomes.includes(undefined)) return hasMore;
  }
  return !isOver();
}
