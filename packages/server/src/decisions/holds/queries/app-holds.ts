import { sql } from 'kysely';
import type { OrgTx } from '../../../kit/database/organization.ts';
import type { HeldDecision } from '../../../work/provisioning/app-holds.ts';
import { appsOnBudgetHold } from '../../../work/provisioning/facts.ts';

/** Begins a hold for each of these apps that has none. */
export async function beginAppHolds(tx: OrgTx, appIds: readonly string[]): Promise<void> {
  const { rows } = await sql<{ app_id: string; of: number; percent: number | null }>`
    select a.app_id, a.of, a.percent from ${appsOnBudgetHold(tx)} a where a.app_id = any(${[...appIds]}::uuid[])`.execute(
    tx,
  );
  for (const { app_id, of, percent } of rows)
    await sql`
      insert into hold_window as w (org_id, kind, subject, started_at, held_at, total, percent)
      values (${tx.orgId}, 'app', ${app_id}, clock_now(), clock_now(), ${of}, ${percent})
      on conflict (org_id, kind, subject) where decided_at is null
      do update set total = excluded.total, percent = excluded.percent`.execute(tx);
}

/** Counts the accounts of decided tasks, and ends the hold of their app if no other task of it waits. */
export async function decideAppHold(
  tx: OrgTx,
  { appId, decision, by, reason, accounts }: HeldDecision,
): Promise<void> {
  const { rows } = await sql`
    select a.app_id from ${appsOnBudgetHold(tx)} a where a.app_id = ${appId}`.execute(tx);
  const ends =
    rows.length === 0
      ? sql`, decision = ${decision}, decided_by = ${by}, reason = ${reason}, decided_at = clock_now(), settled_at = clock_now()`
      : sql``;
  await sql`
    update hold_window w set count = w.count + ${accounts}${ends}
    where w.org_id = ${tx.orgId} and w.kind = 'app' and w.subject = ${appId} and w.decided_at is null`.execute(
    tx,
  );
}
