import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Db } from '../platform/database/open.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { type Delivering, takeTurn } from './deliver.ts';
import { deleteOldDeliveries, organizationsWithOldDeliveries } from './queries/deliveries.ts';
import { dueWebhooks } from './queries/delivering.ts';

const EVERY_MILLISECONDS = 1000;
/** Turns at the same time on a node. A turn mostly waits for its receiver. */
const MOST_TURNS = 40;
/** Of one organization, so that its slow receivers leave turns to others. */
const MOST_TURNS_EACH = 8;

/**
 * Delivers the webhooks of all organizations until it is stopped. Turns go around among the webhooks that have something to
 * deliver. Any number of nodes may do so.
 */
export function startWebhooks(tools: Delivering, logger: Logger): { stop(): Promise<void> } {
  const { db } = tools.database;
  const stopping = new AbortController();
  const { signal } = stopping;
  const turns = new Map<string, { orgId: string; ended: Promise<unknown> }>();
  let wake = () => {};

  const begin = (webhook: { org_id: string; id: string }) => {
    const ended = takeTurn(tools, webhook, signal)
      .catch((error: unknown) => {
        logger.error(
          { err: error, orgId: webhook.org_id, webhook: webhook.id },
          'delivering a webhook failed',
        );
        return false;
      })
      .then((hasMore) => {
        turns.delete(webhook.id);
        if (hasMore) wake();
      });
    turns.set(webhook.id, { orgId: webhook.org_id, ended });
  };
  const turnsOf = (orgId: string) => [...turns.values()].filter((turn) => turn.orgId === orgId).length;

  const run = async () => {
    while (!signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      if (turns.size < MOST_TURNS) {
        const due = await dueWebhooks(db, { each: MOST_TURNS_EACH, limit: MOST_TURNS * 2 }).catch(
          (error: unknown) => {
            logger.error({ err: error }, 'webhooks with events to deliver could not be read');
            return [];
          },
        );
        for (const webhook of due) {
          const isFree = !turns.has(webhook.id) && turnsOf(webhook.org_id) < MOST_TURNS_EACH;
          if (isFree && turns.size < MOST_TURNS && !signal.aborted) begin(webhook);
        }
      }
      // An abort ends the wait with a rejection, and the loop with it.
      await Promise.race([sleep(EVERY_MILLISECONDS, undefined, { signal }).catch(() => undefined), woken]);
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
      // A request in progress is not torn: the receiver may have taken its event.
      await Promise.all([...turns.values()].map(({ ended }) => ended));
    },
  };
}

const BATCH = 5000;

export function defineWebhookJobs(db: Db, jobs: Jobs): void {
  jobs.define({
    name: 'webhooks.forget',
    attempts: 5,
    cron: '23 3 * * *',
    work: () => forgetOldDeliveries(db),
  });
}

/** Deletes the entries of delivery logs that are older than 30 days. */
export async function forgetOldDeliveries(db: Db): Promise<void> {
  for (const orgId of await organizationsWithOldDeliveries(db)) {
    while ((await deleteOldDeliveries(db, orgId, BATCH)) === BATCH);
  }
}
