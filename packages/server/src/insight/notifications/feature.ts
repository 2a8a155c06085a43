import type { Feature, Tools } from '#kit/feature.ts';
import { defineNotificationJobs } from './cleanup.ts';
import { type MailSettings, openMailer } from './email/mailer.ts';
import { createDeliveryMetrics, observeDeliveries } from './metrics.ts';
import { notificationRoutes } from './routes/index.ts';
import { notificationLoops } from './worker.ts';

interface Options {
  /** The mail server. Undefined: Gatehouse sends no emails. */
  mail: MailSettings | undefined;
  /** Days after which an undecided request expires. */
  expiryDays: number;
}

export function notifications(common: Tools, { mail, expiryDays }: Options): Feature {
  const mailer = mail && openMailer(mail);
  const metrics = createDeliveryMetrics(common.db);
  const tools = { ...common, mailer, metrics, expiryDays };
  return {
    routes: (http) => notificationRoutes(http, tools),
    jobs: () => defineNotificationJobs(tools.db, tools.jobs),
    loops: notificationLoops(tools),
    metrics: (registry) => observeDeliveries(registry, metrics),
    close: () => mailer?.close(),
  };
}
