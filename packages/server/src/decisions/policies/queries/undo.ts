import type { OrgDb, OrgTx } from '#kit/database.ts';
import { many, run, sql, values } from '#kit/sql.ts';
import { UNDO_SECONDS } from '#reasons/grants/undone-facts.ts';

/** Two policies of which one undoes for somebody what the other did: a row of policy_undo, by its key. */
export interface Undo {
  /** The person, or the account of nobody. */
  subject_id: string;
  app_id: string;
  entitlement_id: string | null;
  /** The older policy. */
  policy_id: string;
  with_policy_id: string;
}

export interface NewUndo extends Undo {
  at: Date;
  digest: string;
  /** Whether both policies are held for the subject from now on. */
  is_held: boolean;
  waits: readonly string[];
}

/** The subjects for which a policy is held because of contradictions. */
export const heldSubjects = (db: OrgDb, policyId: string) => values<string>(db)`
    select distinct subject_id from policy_undo
    where org_id = ${db.orgId} and held_at is not null and (policy_id = ${policyId} or with_policy_id = ${policyId})`;

/** Returns the last undo of two policies on each subject, if it was in the last seven days and has come about. */
export const lastUndos = (db: OrgDb, subjects: readonly string[]) => many<
  Undo & { at: Date; digest: string }
>(db)`
    select subject_id, app_id, entitlement_id, policy_id, with_policy_id, at, digest from policy_undo
    where org_id = ${db.orgId} and subject_id = any(${[...subjects]}::uuid[]) and at <= clock_now()
      and at > seconds_after(clock_now(), -${UNDO_SECONDS}::integer)`;

/** Whether two policies are held for somebody because they contradict each other. */
export const contradict = (db: OrgDb, [one, other]: readonly [string, string]) => values<string>(db)`
    select id from policy_undo
    where org_id = ${db.orgId} and held_at is not null and policy_id = ${one} and with_policy_id = ${other} limit 1`;

/** Notes undos, in place of the last ones, and forgets those that no longer count. */
export async function noteUndos(tx: OrgTx, undos: readonly NewUndo[]): Promise<void> {
  if (undos.length === 0) return;
  const rows = sql`jsonb_to_recordset(${JSON.stringify(undos)}::jsonb) as n (
      subject_id uuid, app_id uuid, entitlement_id uuid, policy_id uuid, with_policy_id uuid, at timestamptz, digest text,
      is_held boolean, waits uuid[])`;
  await run(tx)`
    delete from policy_undo u
    where u.org_id = ${tx.orgId} and u.held_at is null and (u.at <= seconds_after(clock_now(), -${UNDO_SECONDS}::integer) or exists (
      select from ${rows} where n.subject_id = u.subject_id and n.app_id = u.app_id
        and n.entitlement_id is not distinct from u.entitlement_id and n.policy_id = u.policy_id and n.with_policy_id = u.with_policy_id))`;
  await run(tx)`
    insert into policy_undo (org_id, subject_id, app_id, entitlement_id, policy_id, with_policy_id, at, digest, held_at, waits)
    select ${tx.orgId}::uuid, n.subject_id, n.app_id, n.entitlement_id, n.policy_id, n.with_policy_id, n.at, n.digest,
      case when n.is_held then clock_now() end, n.waits
    from ${rows} on conflict do nothing`;
}

/** Deletes the rows of a policy, or those that hold it. Returns whom it was held for, by the other policy. */
export const deleteUndos = (tx: OrgTx, policyId: string, { onlyHeld }: { onlyHeld: boolean }) => many<{
  subject_id: string;
  other_id: string;
  /** Whether the subject is in the held run of the other policy only because of that. */
  waits: boolean;
}>(tx)`
    delete from policy_undo u
    where u.org_id = ${tx.orgId} and (u.policy_id = ${policyId} or u.with_policy_id = ${policyId})
      and (u.held_at is not null or not ${onlyHeld})
    returning u.subject_id, case when u.policy_id = ${policyId} then u.with_policy_id else u.policy_id end as other_id,
      case when u.policy_id = ${policyId} then u.with_policy_id else u.policy_id end = any(u.waits) as waits`;

/** Takes subjects out of the held run of a policy, and deletes it if nobody is left in it. */
export async function dropHeldSubjects(
  tx: OrgTx,
  policyId: string,
  subjects: readonly string[],
): Promise<void> {
  const left = sql`array(select s from unnest(subjects) s where s <> all(${[...subjects]}::uuid[]))`;
  await run(tx)`
    delete from policy_firing
    where org_id = ${tx.orgId} and policy_id = ${policyId} and confirmed_at is null and because is null and ${left} = '{}'
      and subjects is not null`;
  await run(tx)`
    update policy_firing set subjects = ${left}
    where org_id = ${tx.orgId} and policy_id = ${policyId} and confirmed_at is null and subjects is not null`;
}
