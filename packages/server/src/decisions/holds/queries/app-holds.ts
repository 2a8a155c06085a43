import type { OrgTx } from '#kit/database.ts';
import { many, one, run, sql } from '#kit/sql.ts';
import type { HeldDecision } from '#work/provisioning/app-holds.ts';
import { appsOnBudgetHold } from '#work/provisioning/facts.ts';

/** Begins a hold of an app of which `tasks` have begun to wait, unless others wait already. */
export async function beginAppHold(tx: OrgTx, appId: string, tasks: number): Promise<void> {
  const waiting = await one<{ tasks: number; of: number; percent: number | null }>(tx)`
    select a.tasks, a.of, a.percent from ${appsOnBudgetHold(tx)} a where a.app_id = ${appId}`;
  if (waiting === undefined) return;
  // The tasks of a hold that nobody decided have ended in another way.
  if (waiting.tasks === tasks)
    await run(tx)`
      delete from hold_window
      where org_id = ${tx.orgId} and kind = 'app' and subject = ${appId} and decided_at is null`;
  await run(tx)`
    insert into hold_window (org_id, kind, subject, started_at, held_at, total, percent)
    values (${tx.orgId}, 'app', ${appId}, clock_now(), clock_now(), ${waiting.of}, ${waiting.percent})
    on conflict (org_id, kind, subject) where decided_at is null do nothing`;
}

/** Counts the accounts of decided tasks, and ends the hold of their app if no other task of it waits. */
export async function decideAppHold(
  tx: OrgTx,
  { appId, decision, by, reason, accounts }: HeldDecision,
): Promise<void> {
  const rows = await many(tx)`
    select a.app_id from ${appsOnBudgetHold(tx)} a where a.app_id = ${appId}`;
  const ends =
    rows.length === 0
      ? sql`, decision = ${decision}, decided_by = ${by}, reason = ${reason}, decided_at = clock_now(), settled_at = clock_now()`
      : sql``;
  await run(tx)`
    update hold_window w set count = w.count + ${accounts}${ends}
    where w.org_id = ${tx.orgId} and w.kind = 'app' and w.subject = ${appId} and w.decided_at is null`;
}
