import { type Db, within } from '#kit/database.ts';
import type { Jobs } from '#kit/jobs/jobs.ts';
import * as queries from './queries/cleanup.ts';

const INBOX_DAYS = 180;
const DELIVERY_DAYS = 90;
const BATCH = 10_000;

export function defineNotificationJobs(db: Db, jobs: Jobs): void {
  jobs.define({
    name: 'notifications.clean-up',
    attempts: 3,
    cron: '41 3 * * *',
    work: () => deleteOldNotifications(db),
  });
}

/** Deletes messages after 180 days, and what is known about their deliveries after 90 days. */
export async function deleteOldNotifications(db: Db): Promise<void> {
  for (const orgId of await queries.allOrganizations(db)) {
    while (await queries.deleteOld(within(db, orgId), 'notification_delivery', DELIVERY_DAYS, BATCH));
    while (await queries.deleteOld(within(db, orgId), 'notification_message', DELIVERY_DAYS, BATCH));
    while (await queries.deleteOld(within(db, orgId), 'notification', INBOX_DAYS, BATCH));
  }
}
