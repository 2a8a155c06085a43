import type { OrgDb } from '#kit/database.ts';
import { many, sql } from '#kit/sql.ts';
import { isInForce } from './facts.ts';

/** Change of an access that a policy is about to make. */
export interface Undoing {
  /** Its place in the list. */
  n: number;
  does: 'give' | 'take' | 'delete';
  app_id: string;
  user_id: string | null;
  /** Null: an account that is yet to be created. */
  account_id: string | null;
  entitlement_id: string | null;
}

/** A decision of another policy that would be undone, and since when it applies. */
export interface UndoneByPolicy {
  n: number;
  policy_id: string;
  since: Date;
}

/**
 * Returns the decisions of other policies that a policy would undo (D77): it takes what one grants, or gives what one ended in the last seven
 * days. A person's access comes back in any of their accounts in the app.
 */
export async function grantsUndone(
  db: OrgDb,
  policyId: string,
  doings: readonly Undoing[],
): Promise<UndoneByPolicy[]> {
  if (doings.length === 0) return [];
  return many<UndoneByPolicy>(db)`
    with doing as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(doings)}::jsonb) as d (
        n integer, does text, app_id uuid, user_id uuid, account_id uuid, entitlement_id uuid))
    select d.n, g.source_id as policy_id, max(g.starts_at) as since
    from doing d join access_grant g on g.org_id = ${db.orgId} and g.account_id = d.account_id
    where d.does <> 'give' and g.kind = 'policy' and g.source_id <> ${policyId} and ${isInForce('g')}
      and (d.does = 'delete' or g.entitlement_id is not distinct from d.entitlement_id)
    group by d.n, g.source_id
    union all
    select d.n, g.ended_source, max(g.ended_at)
    from doing d
    cross join lateral (
      select one.* from access_grant one where one.org_id = ${db.orgId} and one.account_id = d.account_id
      union
      select one.* from access_grant one
      where one.org_id = ${db.orgId} and one.for_user = d.user_id and one.app_id = d.app_id) g
    where d.does = 'give' and g.entitlement_id is not distinct from d.entitlement_id and ${endedByAnother(policyId)}
    group by d.n, g.ended_source`;
}

/** Whether another policy ended row `g` in the last seven days, which was not its own decision. */
const endedByAnother = (policyId: string) => sql`g.ended_kind = 'policy' and g.ended_source <> ${policyId}
  and g.ended_source is distinct from g.source_id and g.ended_at > seconds_after(clock_now(), -${UNDO_SECONDS}::integer)`;

/** The time in which a second undo counts, in seconds. */
export const UNDO_SECONDS = 7 * 86_400;
