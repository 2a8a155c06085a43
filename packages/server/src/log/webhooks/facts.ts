import type { OrgDb } from '#kit/database.ts';
import { values } from '#kit/sql.ts';

/** Returns those of the webhooks whose next event has failed for so long that the log says it, and still fails. */
export const failingWebhooksAmong = (db: OrgDb, ids: readonly string[]) => values<string>(db)`
    select id from webhook
    where org_id = ${db.orgId} and id = any(${ids}::uuid[]) and enabled and failure_told_at is not null`;
