import type { Logger } from 'pino';
import type { Limits } from '#directory/access/limits.ts';
import type { MailSettings } from '#insight/notifications/email/mailer.ts';
import type { SyncQuotas } from '#inventory/records/sync/quota.ts';
import type { Replica } from '#kit/database/replica.ts';
import type { Database } from '#kit/database.ts';
import type { BuiltPages } from '#kit/http/console.ts';
import type { LoadLimits } from '#kit/http/overload.ts';
import type { TrustProxy } from '#kit/http/proxies.ts';
import type { Secrets } from '#kit/secrets/secrets.ts';
import type { ConnectorOptions } from '#work/connectors/feature.ts';

export interface AppOptions {
  database: Database;
  /** A replica of `database`, which stays open after `close`. Without it, all requests read from `database`. */
  replica?: Replica | undefined;
  secrets: Secrets;
  logger: Logger;
  /** The origin under which callers reach Gatehouse. Without it, the origin that each request names (D40). */
  publicUrl: string | undefined;
  trustProxy: TrustProxy;
  /** Defaults to no limits (D11). */
  rateLimits?: Limits;
  /** Defaults to none (D71). */
  syncQuotas?: SyncQuotas | undefined;
  /** Seconds before each retry of a failed task (D30). */
  retryAfterSeconds?: readonly number[];
  /** Days after which an undecided ticket expires. */
  requestExpiryDays?: number;
  /** Hours without a request after which a session ends. */
  sessionHours?: number;
  /** The mail server. Without it, Gatehouse sends no emails. */
  mail?: MailSettings | undefined;
  /** The slug of the organization whose console is at `/`. The consoles of all are at `/org/<slug>/`. */
  home?: string;
  console?: BuiltPages;
  /** Served at /help/ beside the console. */
  help?: BuiltPages;
  /** How this process runs connectors. Without it, it runs none. */
  connectors?: ConnectorOptions | undefined;
  /** The load that this process accepts, for tests. */
  loadLimits?: LoadLimits | undefined;
}
