import { isOwnAccount } from '#inventory/records/accounts/facts.ts';
import type { OrgTx } from '#kit/database.ts';
import { isoTime, many, type RawBuilder, run, sql, value, writeMany } from '#kit/sql.ts';
import type { Decision } from '../../campaigns/cycle.ts';
import { inPlaceOf, type ReviewingPerson } from '../../reviewers/queries/reviewing.ts';

export interface Verdict {
  decision: Decision;
  comment: string | null;
  /** Null: no reviewer responded in time. */
  decidedBy: string | null;
  /** The person of `decidedBy`. */
  reviewer?: ReviewingPerson;
  at: Date;
  /** For a revocation: whether to remove what gives the access (D68). */
  atGiver?: boolean;
}

/**
 * Decides these items, keeps an earlier decision in `earlier`, and detaches the task of that decision. The caller has locked
 * the items.
 */
export async function setDecision(
  tx: OrgTx,
  cycleId: string,
  itemIds: string[],
  { decision, comment, decidedBy, reviewer, at, atGiver = false }: Verdict,
): Promise<void> {
  await keepEarlier(tx, cycleId, itemIds);
  const update = (end: RawBuilder<unknown>) => sql`
    update review_item i set task_id = null, revoked_at = null, kept_by = null, kept_for = null, at_giver = ${atGiver},
      decision = ${decision}, comment = ${comment}, decided_by = ${decidedBy},
      on_behalf_of = ${reviewer === undefined ? sql`null` : inPlaceOf(reviewer)}, decided_at = ${at.toISOString()}
    where i.org_id = ${tx.orgId} and i.cycle_id = ${cycleId} and i.id = any(${itemIds}::uuid[]) ${end}`;
  await writeMany(tx, itemIds.length, (end) => update(end).execute(tx));
}

/** Makes these decided items undecided again, keeps the decision in `earlier`, and detaches its task. The caller has locked the items. */
export async function withdrawDecision(tx: OrgTx, cycleId: string, itemIds: string[]): Promise<void> {
  await keepEarlier(tx, cycleId, itemIds);
  await run(tx)`
    update review_item i set task_id = null, revoked_at = null, kept_by = null, kept_for = null, at_giver = false, decision = null,
      comment = null, decided_by = null, on_behalf_of = null, decided_at = null
    where i.org_id = ${tx.orgId} and i.cycle_id = ${cycleId} and i.id = any(${itemIds}::uuid[])`;
}

/** Adds the decisions of these items to `earlier`. */
async function keepEarlier(tx: OrgTx, cycleId: string, itemIds: string[]): Promise<void> {
  const decided = await many<{ id: string; earlier: string }>(tx)`
    select id, (earlier || jsonb_build_object('decision', decision, 'comment', comment, 'decided_by', decided_by,
      'on_behalf_of', on_behalf_of,
      'decided_at', ${isoTime(sql`decided_at`)}))::text as earlier
    from review_item
    where org_id = ${tx.orgId} and cycle_id = ${cycleId} and id = any(${itemIds}::uuid[])
      and decision is not null`;
  if (decided.length > 0)
    await run(tx)`
      update review_item i set earlier = g.earlier::jsonb
      from unnest(${decided.map(({ id }) => id)}::uuid[], ${decided.map(({ earlier }) => earlier)}::text[])
        as g (id, earlier)
      where i.org_id = ${tx.orgId} and i.cycle_id = ${cycleId} and i.id = g.id`;
}

/** Adds to the cycle's counts of decisions. The last decision completes the cycle. Returns whether this one did. */
export async function countDecisions(
  tx: OrgTx,
  cycleId: string,
  { kept, revoked, at }: { kept: number; revoked: number; at: Date },
): Promise<boolean> {
  return (
    (await value<boolean | undefined>(tx)`
    update review_cycle set kept = kept + ${kept}, revoked = revoked + ${revoked},
      status = case when kept + ${kept} + revoked + ${revoked} = items then 'completed' else status end,
      completed_at = case when completed_at is null and kept + ${kept} + revoked + ${revoked} = items
        then ${at.toISOString()}::timestamptz else completed_at end
    where org_id = ${tx.orgId} and id = ${cycleId}
    returning old.status <> 'completed' and new.status = 'completed' as completed`) === true
  );
}

/** Returns the account items among these whose account a connector signs in with (D66). */
export const ownAccounts = (tx: OrgTx, cycleId: string, itemIds: string[]) => many<{
  app_name: string;
  account: string;
}>(tx)`
    select i.app_name, coalesce(nullif(i.account_email, ''), i.account_username) as account
    from review_item i
    where i.org_id = ${tx.orgId} and i.cycle_id = ${cycleId} and i.id = any(${itemIds}::uuid[]) and i.kind = 'account'
      and ${isOwnAccount(tx, sql`i.account_id`)}
    order by i.id limit 1`;
