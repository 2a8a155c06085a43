import type { Logger } from 'pino';
import { type Db, transaction, within } from '#kit/database.ts';
import type { Jobs } from '#kit/jobs/jobs.ts';
import { createLoop, type Loop } from '#kit/loops/loop.ts';
import { recordEvents } from '#log/events/record.ts';
import { type Delivering, takeTurn } from './deliver.ts';
import { webhookFailing } from './events.ts';
import { deleteOldDeliveries, organizationsWithOldDeliveries } from './queries/deliveries.ts';
import {
  dueWebhooks,
  markTold,
  untilDueWebhook,
  untilUntoldFailure,
  untoldFailures,
} from './queries/delivering.ts';

/** Turns at the same time on a node. A turn mostly waits for its receiver. */
const MOST_TURNS = 40;
/** The most turns of one organization, so that its slow receivers leave turns to others. */
const MOST_TURNS_EACH = 8;

/** Delivers the webhooks of all organizations. */
export function webhookLoop(tools: Delivering, logger: Logger): Loop {
  const { db } = tools.database;
  return createLoop({
    name: 'webhooks',
    db,
    logger,
    wokenBy: ['events'],
    find: () => dueWebhooks(db, { each: MOST_TURNS_EACH, limit: MOST_TURNS * 2 }),
    nextDue: () => untilDueWebhook(db),
    hasRoom: ({ org_id }, turns) =>
      turns.length < MOST_TURNS && turns.filter((turn) => turn.org_id === org_id).length < MOST_TURNS_EACH,
    // A request in progress is not torn when the loop stops: the receiver may have taken its event.
    work: (webhook, signal) => takeTurn(tools, webhook, signal),
  });
}

/** Failures at a time. */
const MOST_FAILURES = 100;
const EVERY_MS = 10_000;

/** Records which webhooks have failed for a while. An attempt may be half an hour away, so the clock decides. */
export function webhookFailureLoop(db: Db, logger: Logger): Loop {
  return createLoop({
    name: 'webhook failures',
    db,
    logger,
    wokenBy: [],
    everyMs: EVERY_MS,
    find: () => untoldFailures(db, MOST_FAILURES),
    nextDue: () => untilUntoldFailure(db),
    work: ({ org_id, id }) =>
      transaction(within(db, org_id), async (tx) => {
        const webhook = await markTold(tx, id);
        if (webhook !== undefined) await recordEvents(tx, [webhookFailing(webhook, webhook.last_error)]);
        return false;
      }),
  });
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
    while ((await deleteOldDeliveries(within(db, orgId), BATCH)) === BATCH);
  }
}
