import { type Db, everywhere, type OrgDb, type OrgTx, secondsUntilFirst } from '#kit/database.ts';
import { isActiveOrganization } from '#kit/identity.ts';
import { exists, many, one, run, sql } from '#kit/sql.ts';
import { type Moment, momentToIso } from '#log/events/follow.ts';
import type { SealedSecrets } from '../signing.ts';
import type { Settings } from '../webhook.ts';

/** A node that has not renewed its claim for this long has died. Longer than an attempt takes. */
const CLAIM = sql.raw(`interval '30 seconds'`);
const GIVE_UP_AFTER = sql.raw(`interval '3 days'`);

/** A webhook during a turn. */
export interface Claimed extends Settings, SealedSecrets {
  id: string;
  org_id: string;
  claim: string;
  position: Moment;
  attempts: number;
  /** Seconds until the next event has failed for too long. Null without a failure. */
  gives_up_in: number | null;
}

/**
 * Returns webhooks with unread events whose time has come and that no node serves, the longest unserved first, at most
 * `each` of an organization.
 */
export const dueWebhooks = (db: Db, { each, limit }: { each: number; limit: number }) => many<{
  org_id: string;
  id: string;
}>(everywhere(db))`
    select org_id, id from (
      select w.org_id, w.id, w.claimed_at,
        row_number() over (partition by w.org_id order by w.claimed_at nulls first, w.id) as place
      from webhook w join event_head h on h.org_id = w.org_id and h.last_ingested_at > w.position
      where w.enabled and (w.next_attempt_at is null or w.next_attempt_at <= clock_now())
        and (w.claimed_until is null or w.claimed_until < clock_now())
        and ${isActiveOrganization('w.org_id')}
    ) due
    where place <= ${each} order by claimed_at nulls first, id limit ${limit}`;

/** Returns the seconds until the next webhook with unread events is due. */
export const untilDueWebhook = (db: Db) => secondsUntilFirst(db)`
    select greatest(w.next_attempt_at, w.claimed_until, w.position) as at
    from webhook w join event_head h on h.org_id = w.org_id and h.last_ingested_at > w.position
    where w.enabled and ${isActiveOrganization('w.org_id')}`;

/** Begins a turn. Returns undefined if another node was faster, or the webhook has changed since. */
export async function claimWebhook(db: OrgDb, id: string, claim: string): Promise<Claimed | undefined> {
  const claimed = await many(db)`
    update webhook set claim = ${claim}, claimed_until = clock_now() + ${CLAIM}, claimed_at = clock_now()
    where org_id = ${db.orgId} and id = ${id} and enabled
      and (next_attempt_at is null or next_attempt_at <= clock_now())
      and (claimed_until is null or claimed_until < clock_now())
    returning id`;
  if (claimed.length === 0) return undefined;
  return one<Claimed>(db)`
    select org_id, id, claim, name, url, filters, enabled, attempts, sealed_secret,
      case when previous_valid_until > clock_now() then sealed_previous_secret end as sealed_previous_secret,
      (extract(epoch from position) * 1000000)::bigint as position,
      extract(epoch from first_failed_at + ${GIVE_UP_AFTER} - clock_now())::double precision as gives_up_in
    from webhook where org_id = ${db.orgId} and id = ${id} and claim = ${claim}`;
}

export const releaseWebhook = (db: Db, { org_id, id, claim }: Claimed) => run(db)`
    update webhook set claim = null, claimed_until = null
    where org_id = ${org_id} and id = ${id} and claim = ${claim}`;

/** Matches the webhook as claimed, while nobody has moved it and the turn goes on. */
const unmoved = ({ org_id, id, claim, position }: Claimed) => sql`
  org_id = ${org_id} and id = ${id} and claim = ${claim} and position = ${momentToIso(position)}::timestamptz`;

/** Moves the place forward without a delivery. Returns whether the turn may go on. */
export const passTo = (db: OrgDb, webhook: Claimed, to: Moment) => exists(db)`
    update webhook set position = ${momentToIso(to)}::timestamptz, claimed_until = clock_now() + ${CLAIM}
    where ${unmoved(webhook)} returning id`;

/** Moves the place behind a delivered event. Returns whether the turn may go on. */
export async function markDelivered(
  tx: OrgTx,
  webhook: Claimed,
  to: Moment,
  status: number | null,
): Promise<boolean> {
  const rows = await many(tx)`
    update webhook set position = ${momentToIso(to)}::timestamptz, claimed_until = clock_now() + ${CLAIM},
      attempts = 0, first_failed_at = null, next_attempt_at = null, failure_told_at = null,
      last_status = ${status}, last_error = null, last_delivered_at = clock_now()
    where ${unmoved(webhook)} and enabled returning id`;
  if (rows.length > 0) return true;
  // The webhook was paused in the meantime. The event has been delivered all the same.
  await run(tx)`
    update webhook set position = ${momentToIso(to)}::timestamptz, last_delivered_at = clock_now()
    where ${unmoved(webhook)}`;
  return false;
}

/** Schedules the next attempt. */
export async function markFailed(
  tx: OrgTx,
  webhook: Claimed,
  { status, error, pauseSeconds }: { status: number | null; error: string; pauseSeconds: number },
): Promise<void> {
  const isFirst = webhook.attempts === 0;
  await run(tx)`
    update webhook set attempts = attempts + 1, last_status = ${status}, last_error = ${error},
      next_attempt_at = clock_now() + ${`${pauseSeconds} seconds`}::interval
      ${isFirst ? sql`, first_failed_at = clock_now()` : sql``}
    where ${unmoved(webhook)} and attempts = ${webhook.attempts}`;
}

/** Disables a webhook, which keeps its place. Returns false if it has changed since. */
export const disable = (
  tx: OrgTx,
  webhook: Claimed,
  { status, error, reason }: { status: number | null; error: string; reason: string },
) => exists(tx)`
    update webhook set enabled = false, disabled_reason = ${reason}, last_status = ${status}, last_error = ${error},
      updated_at = clock_now()
    where ${unmoved(webhook)} and enabled and attempts = ${webhook.attempts} returning id`;

/** An event that fails for longer has a reason that goes away only if somebody looks at it. */
const TOLD_AFTER = sql.raw(`interval '15 minutes'`);
const isUntold = sql`enabled and failure_told_at is null`;
const untold = sql`${isUntold} and first_failed_at <= clock_now() - ${TOLD_AFTER}`;

/** Returns webhooks whose next event has failed for a while, which the log does not say yet. */
export const untoldFailures = (db: Db, limit: number) => many<{ org_id: string; id: string }>(everywhere(db))`
    select w.org_id, w.id from webhook w
    where ${untold} and ${isActiveOrganization('w.org_id')}
    order by w.first_failed_at limit ${limit}`;

/** Returns the seconds until the next failure has lasted so long. */
export const untilUntoldFailure = (db: Db) => secondsUntilFirst(db)`
    select w.first_failed_at + ${TOLD_AFTER} as at from webhook w
    where ${isUntold} and ${isActiveOrganization('w.org_id')}`;

/** Marks a failure as told. Returns the webhook, unless another node was faster or the event has been delivered since. */
export const markTold = (tx: OrgTx, id: string) => one<{
  id: string;
  name: string;
  url: string;
  last_error: string;
}>(tx)`
    update webhook set failure_told_at = clock_now()
    where org_id = ${tx.orgId} and id = ${id} and ${untold}
    returning id, name, url, coalesce(last_error, '') as last_error`;

/** Returns the webhooks of all organizations whose next event fails, the longest first. */
export const failingEverywhere = (db: Db) => many<{ org_id: string }>(everywhere(db))`
    select w.org_id from webhook w where w.enabled and w.attempts > 0 order by w.first_failed_at`;
