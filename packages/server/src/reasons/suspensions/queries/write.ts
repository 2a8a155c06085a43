import { accounts } from '#inventory/records/accounts/facts.ts';
import { type OrgTx, timeToInsert } from '#kit/database.ts';
import { type RawBuilder, run, sql, writeMany } from '#kit/sql.ts';
import { isEndedBy, isOpen } from '../facts.ts';
import type { Decided, Ended, Ending, NewSuspension } from '../suspension.ts';

/** Whether suspension `s` was begun by the decision of row `g`. */
const isOfDecision = sql`s.account_id = g.account_id and s.kind = g.kind and s.leaving = g.leaving
  and s.reason is not distinct from g.reason
  and case when s.kind = 'manual' then s.decided_by is not distinct from g.decided_by
    else s.source_id is not distinct from g.source_id end`;

/** Inserts suspensions, without those that the same decision has begun. */
export async function insertSuspensions(tx: OrgTx, rows: readonly NewSuspension[]): Promise<void> {
  if (rows.length === 0) return;
  const now = await timeToInsert(tx);
  const insert = (end: RawBuilder<unknown>) => sql`
    insert into suspension (org_id, app_id, account_id, kind, source_id, label, decided_by, reason, leaving, since, recorded_at)
    select ${tx.orgId}::uuid, g.app_id, g.account_id, g.kind, g.source_id, g.label, g.decided_by, g.reason, g.leaving,
      coalesce(g.since, ${now}), ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g (
      app_id uuid, account_id uuid, kind text, source_id uuid, label text, decided_by uuid, reason text, leaving boolean,
      since timestamptz)
    where not exists (
      select from suspension s where s.org_id = ${tx.orgId} and ${isOfDecision} and ${isOpen('s')}) ${end}`;
  await writeMany(tx, rows.length, (end) => insert(end).execute(tx));
}

/** The assignments that end a suspension. */
const ended = ({ kind, id, label }: Ending) => sql`
  ended_at = clock_now(), end_recorded_at = clock_now(), ended_kind = ${kind}, ended_source = ${id}::uuid, ended_label = ${label}`;

/** Ends the suspensions of accounts that a decision of this kind ends, or those of them that began before a time. */
export const endOfAccounts = (
  tx: OrgTx,
  accountIds: readonly string[],
  by: Ending,
  which: Ended,
  before: Date | null = null,
) => run(tx)`
    update suspension s set ${ended(by)}
    where s.org_id = ${tx.orgId} and s.account_id = any(${accountIds}::uuid[]) and ${isOpen('s')}
      and s.since < coalesce(${before}::timestamptz, 'infinity') and ${isEndedBy('s', which)}`;

/** Ends the suspensions that these decisions began. */
export const endDecided = (tx: OrgTx, decided: readonly Decided[], by: Ending) => run(tx)`
    update suspension s set ${ended(by)}
    from jsonb_to_recordset(${JSON.stringify(decided)}::jsonb) as g (
      account_id uuid, kind text, source_id uuid, decided_by uuid, reason text, leaving boolean)
    where s.org_id = ${tx.orgId} and ${isOfDecision} and ${isOpen('s')}`;

/** Ends the suspensions of these people's accounts that were decided because they left, and have not begun, if the people are active. */
export const endScheduledLeaving = (tx: OrgTx, userIds: readonly string[], by: Ending) => run(tx)`
    update suspension s set ${ended(by)}
    from ${accounts} a
    where s.org_id = ${tx.orgId} and a.org_id = ${tx.orgId} and a.id = s.account_id and a.user_id = any(${userIds}::uuid[])
      and s.leaving and s.since > clock_now() and ${isOpen('s')} and exists (
        select from platform_user u where u.org_id = ${tx.orgId} and u.id = a.user_id and u.status = 'active')`;

/** Inserts again what a decision ended since a time. */
export async function insertAgain(
  tx: OrgTx,
  accountId: string,
  { kind, id }: Pick<Ending, 'kind' | 'id'>,
  since: Date,
): Promise<void> {
  const now = await timeToInsert(tx);
  await run(tx)`
    insert into suspension (org_id, app_id, account_id, kind, source_id, label, decided_by, reason, leaving, since, recorded_at)
    select org_id, app_id, account_id, kind, source_id, label, decided_by, reason, leaving, ${now}, ${now}
    from suspension
    where org_id = ${tx.orgId} and account_id = ${accountId} and ended_kind = ${kind}
      and ended_source is not distinct from ${id}::uuid and ended_at >= ${since}`;
}

/** Ends all suspensions of an app. */
export const endOfApp = (tx: OrgTx, appId: string, by: Ending) => run(tx)`
    update suspension s set ${ended(by)} where s.org_id = ${tx.orgId} and s.app_id = ${appId} and ${isOpen('s')}`;
