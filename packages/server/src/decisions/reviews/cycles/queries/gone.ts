import { seenGone } from '#inventory/records/sessions/gone-facts.ts';
import type { Org } from '#kit/database.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';
import { restoredBy } from '#work/provisioning/restored-facts.ts';

/** Whether state `p` of the account of item `i` keeps its access. A status counts if its task completed only: it may pass. */
const keepsAccess = sql<boolean>`(t.status is distinct from 'completed' or p.status <> 'INACTIVE'
  and not (p.status = 'SUSPENDED' and y.settings ->> 'revoke_account_by' = 'suspend'))`;

const item = { accountId: sql`i.account_id`, entitlementId: sql`i.entitlement_id` };

/**
 * When a sync first saw that the access of the revoked item `i` was gone, and what came later (D75). Columns: seen_gone_at, seen_gone_by (the sync),
 * seen_again_at and restored_by, a decision as JSON. None if no sync has seen it gone. For a lateral join, with the cycle `y` and the latest attempt
 * `t` at the task.
 */
export const firstSeenGone = (org: Org): RawBuilder<unknown> => sql`(
  select gone.seen_gone_at, gone.sync_id as seen_gone_by, gone.seen_again_at,
    ${restoredBy(org, 'gone', { ...item, since: sql`i.decided_at` })} as restored_by
  from ${seenGone(org, {
    ...item,
    appId: sql`i.app_id`,
    keeps: keepsAccess,
    after: sql`case when t.status = 'completed' then t.ended_at else i.decided_at end`,
  })} gone
  where i.decision = 'revoke')`;
