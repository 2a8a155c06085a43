import { type Giver, giverOf, memberships, sourceOf } from '#inventory/records/accounts/facts.ts';
import type { Org, OrgTx } from '#kit/database.ts';
import { personJson } from '#kit/identity.ts';
import { many, type RawBuilder, sql } from '#kit/sql.ts';
import type { Settings } from '../../campaigns/cycle.ts';

/** Access that a person has decided to keep, and the person. */
export interface KeptFor extends Giver {
  by: { external_uuid: string; email: string };
}

/** Access that a person keeps in a cycle, and that the account still holds. */
export interface Kept {
  account_id: string;
  /** The access itself if the account holds it directly, or the source with which it would be lost (D68). */
  source_id: string | null;
  kept_for: KeptFor;
}

/**
 * The access that people keep in a cycle and that is still held. Columns: account_id, entitlement_id, source_id (what must stay for
 * it; null if the app does not list it), decided_by.
 */
export const keptAccess = (org: Org, cycleId: string): RawBuilder<unknown> => sql`(
  select k.account_id, k.entitlement_id, k.decided_by,
    case when m.via_id is null then k.entitlement_id
      else (${sourceOf(org, 'm')} ->> 'external_uuid')::uuid end as source_id
  from review_item k
  join ${memberships} m on m.org_id = ${org.orgId} and m.account_id = k.account_id and m.entitlement_id = k.entitlement_id
  where k.org_id = ${org.orgId} and k.cycle_id = ${cycleId} and k.decision = 'keep' and k.decided_by is not null)`;

/** Returns what people keep of the access of these accounts, in the order of its names. */
export async function keptByPeople(tx: OrgTx, cycleId: string, accountIds: string[]): Promise<Kept[]> {
  if (accountIds.length === 0) return [];
  return many<Kept>(tx)`
    select kept.account_id, kept.source_id, ${giverOf(tx, 'kept')} || jsonb_build_object(
      'by', ${personJson('u')}) as kept_for
    from (
      select k.account_id, k.source_id, k.entitlement_id as via_id, k.decided_by from ${keptAccess(tx, cycleId)} k
      where k.account_id = any(${accountIds}::uuid[])) kept
    join platform_user u on u.org_id = ${tx.orgId} and u.id = kept.decided_by
    order by kept.account_id, kept.via_id`;
}

/** A revoked item with its task. */
export interface TaskOfItem {
  id: string;
  app_id: string;
  account_id: string;
  task_id: string;
}

/**
 * Returns the other items whose tasks would take away what these items are about, although no person revoked that itself: the tasks
 * remove what gives it (D68), or nobody responded.
 */
export async function takenAlong(
  tx: OrgTx,
  { id: cycleId, settings }: { id: string; settings: Pick<Settings, 'revoke_account_by'> },
  itemIds: string[],
): Promise<TaskOfItem[]> {
  const target = sql`coalesce((o.revoked_at ->> 'external_uuid')::uuid, o.entitlement_id)`;
  return many<TaskOfItem>(tx)`
    with wanted as materialized (
      select g.account_id, g.entitlement_id, (${sourceOf(tx, 'm')} ->> 'external_uuid')::uuid as source_id
      from review_item g
      join ${memberships} m on m.org_id = ${tx.orgId} and m.account_id = g.account_id and m.entitlement_id = g.entitlement_id
      where g.org_id = ${tx.orgId} and g.cycle_id = ${cycleId} and g.id = any(${itemIds}::uuid[])
    )
    select o.id, o.app_id, o.account_id, o.task_id from review_item o
    where o.org_id = ${tx.orgId} and o.cycle_id = ${cycleId} and o.account_id in (select w.account_id from wanted w)
      and o.id <> all(${itemIds}::uuid[]) and o.task_id is not null and o.decision = 'revoke'
      and (o.revoked_at is not null or o.decided_by is null)
      and (o.kind = 'account' and ${settings.revoke_account_by === 'delete'}
        or (o.account_id, ${target}) in (select w.account_id, w.entitlement_id from wanted w)
        or (o.account_id, ${target}) in (select w.account_id, w.source_id from wanted w where w.source_id is not null))
      and not exists (
        select from review_item direct
        where direct.org_id = ${tx.orgId} and direct.cycle_id = ${cycleId} and direct.account_id = o.account_id
          and direct.entitlement_id = ${target} and direct.decision = 'revoke' and direct.decided_by is not null
          and direct.id <> all(${itemIds}::uuid[]))`;
}
