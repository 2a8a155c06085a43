import type { OrgDb } from '#kit/database.ts';
import { many } from '#kit/sql.ts';
import { UNDO_SECONDS, type UndoneByPolicy } from '../grants/undone-facts.ts';
import { isInForce } from './facts.ts';

/** Change of the suspensions of an account that a policy is about to make. */
export interface SuspensionUndoing {
  /** Its place in the list. */
  n: number;
  does: 'begin' | 'end';
  account_id: string;
  /** Whether it ends only suspensions that were decided because the person left. */
  leaving: boolean;
}

/** Returns the decisions of other policies that a policy would undo (D77): it ends what one suspended, or suspends what one ended in the last seven days. */
export async function suspensionsUndone(
  db: OrgDb,
  policyId: string,
  doings: readonly SuspensionUndoing[],
): Promise<UndoneByPolicy[]> {
  if (doings.length === 0) return [];
  return many<UndoneByPolicy>(db)`
    with doing as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(doings)}::jsonb) as d (n integer, does text, account_id uuid, leaving boolean))
    select d.n, s.source_id as policy_id, max(s.since) as since
    from doing d join suspension s on s.org_id = ${db.orgId} and s.account_id = d.account_id
    where d.does = 'end' and s.kind = 'policy' and s.source_id <> ${policyId} and (s.leaving or not d.leaving) and ${isInForce('s')}
    group by d.n, s.source_id
    union all
    select d.n, s.ended_source, max(s.ended_at)
    from doing d join suspension s on s.org_id = ${db.orgId} and s.account_id = d.account_id
    where d.does = 'begin' and s.ended_kind = 'policy' and s.ended_source <> ${policyId}
      and s.ended_source is distinct from s.source_id and s.ended_at > seconds_after(clock_now(), -${UNDO_SECONDS}::integer)
    group by d.n, s.ended_source`;
}
