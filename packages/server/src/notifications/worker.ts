import type { Logger } from 'pino';
import { startRounds } from '../platform/jobs/rounds.ts';
import { gather } from './gather.ts';
import type { DeliveryMetrics } from './metrics.ts';
import { type NotifyOptions, notify, organizationsToRead } from './notify.ts';
import { type Outgoing, organizationsToSend } from './queries/outbox.ts';
import { type SendTools, sendNext } from './send.ts';

export interface WorkerTools extends SendTools, Pick<NotifyOptions, 'expiryDays'> {
  logger: Logger;
  metrics: DeliveryMetrics;
}

/** Messages of one organization before the others get their turn. */
const TURN = 50;
/** Posts at the same time, so that a slow receiver delays few others. */
const POSTS_AT_ONCE = 8;
const FIRST_OUTAGE_PAUSE_MS = 5_000;
const LONGEST_OUTAGE_PAUSE_MS = 300_000;

/** Reads the logs of all organizations and sends their notifications, until it is stopped. */
export function startNotifications(tools: WorkerTools): { stop(): Promise<void> } {
  const { db, logger, mailer, expiryDays } = tools;
  const options = { canEmail: mailer !== undefined, expiryDays };
  const rounds = [
    startRounds({
      name: 'notifications',
      logger,
      organizations: () => organizationsToRead(db),
      work: (orgId) => notify(db, logger, orgId, options),
    }),
    startRounds({
      name: 'posts',
      logger,
      organizations: () => organizationsToSend(db, ['slack', 'teams']),
      work: (orgId, signal) =>
        sendTurn(tools, orgId, ['slack', 'teams'], POSTS_AT_ONCE, () => signal.aborted),
    }),
    ...(mailer === undefined ? [] : [startEmails(tools)]),
  ];
  return {
    stop: async () => {
      await Promise.all(rounds.map((round) => round.stop()));
    },
  };
}

/** Sends emails one by one. While the mail server is unavailable, this node pauses all of them. */
function startEmails(tools: WorkerTools) {
  let pausedUntil = 0;
  let pause = FIRST_OUTAGE_PAUSE_MS;
  const note = (isOutage: boolean) => {
    if (isOutage) {
      pausedUntil = Date.now() + pause;
      pause = Math.min(pause * 2, LONGEST_OUTAGE_PAUSE_MS);
    } else pause = FIRST_OUTAGE_PAUSE_MS;
  };
  const isPaused = () => Date.now() < pausedUntil;
  return startRounds({
    name: 'emails',
    logger: tools.logger,
    organizations: async () => (isPaused() ? [] : organizationsToSend(tools.db, ['email'])),
    work: async (orgId, signal) =>
      isPaused() ? false : sendTurn(tools, orgId, ['email'], 1, () => signal.aborted || isPaused(), note),
  });
}

/** Sends messages of one organization. Returns whether more are left to send now. */
async function sendTurn(
  tools: WorkerTools,
  orgId: string,
  media: readonly Outgoing[],
  atOnce: number,
  isOver: () => boolean,
  note: (isOutage: boolean) => void = () => {},
): Promise<boolean> {
  const hasMore = await gather(tools.db, orgId, media);
  for (let sent = 0; sent < TURN && !isOver(); sent += atOnce) {
    const outcomes = await Promise.all(Array.from({ length: atOnce }, () => sendNext(tools, orgId, media)));
    for (const outcome of outcomes) {
      if (outcome === undefined) continue;
      tools.metrics.note(media[0] === 'email' ? 'email' : 'chat', outcome.ok);
      note(!outcome.ok && outcome.isOutage === true);
    }
    if (outcomes.includes(undefined)) return hasMore;
  }
  return !isOver();
}
