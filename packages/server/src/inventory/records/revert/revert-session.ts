import type { App } from '#inventory/apps/app.ts';
import { takeBackSync } from '#inventory/apps/apps.ts';
import { lockApp } from '#inventory/apps/facts.ts';
import { type Db, type OrgDb, type OrgTx, transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import type { Cause, RequestCause } from '#kit/identity.ts';
import type { RawBuilder } from '#kit/sql.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import { afterLinks, linkMoveEvents } from '../accounts/links.ts';
import { closeLosses } from '../budget/budget.ts';
import { withRelations } from '../publication/queries/relations.ts';
import { recordHidden } from '../publication/queries/unreadable.ts';
import { recordRefusals } from '../sentences.ts';
import { sessionReverted } from '../sessions/events.ts';
import { sessionOf } from '../sessions/find.ts';
import { lastCompletion, lockSession, publishedAt } from '../sessions/queries/sessions.ts';
import { setReverted } from '../sessions/queries/transitions.ts';
import { lastReport } from '../sessions/queries/unseen.ts';
import { afterPublication, type RevertCounts, type Session } from '../sessions/session.ts';
import type { Conflict } from './queries/find.ts';
import { applyRevert, planRevert, type RevertPlan, recordRevert } from './revert.ts';

/** The tasks that concern a revert. Tasks and policies are on other layers, so that app.ts passes this. */
export interface RevertHook {
  /** Returns the accounts of the app that tasks have changed since this time. */
  findTouched(tx: OrgTx, appId: string, since: RawBuilder<unknown>): Promise<string[]>;
  /** Returns the tasks that policies made because a sync discovered these accounts, and that no connector has seen. */
  findCaused(tx: OrgTx, accountIds: string[], since: RawBuilder<unknown>): Promise<CausedTask[]>;
  /** Cancels tasks. The caller records the events, last. */
  cancel(tx: OrgTx, tasks: CausedTask[], cause: Cause, reason: string): Promise<{ events: NewEvent[] }>;
}

interface CausedTask {
  id: string;
  app_id: string;
  account_id: string;
}

export interface Reverted {
  sync_id: string;
  dry_run: boolean;
  counts: RevertCounts & { tasks: number };
  later_syncs: number;
  conflicts: { count: number; results: Conflict[] };
}

export interface RevertInput {
  dryRun: boolean;
  reason: string | null;
  cause: RequestCause;
}

/**
 * Returns the inventory of an app to the state before a session, wherever nothing has changed since. Everything happens
 * in one transaction. Throws 409 for a session that has not ended, never changed the inventory, or was reverted before.
 */
export async function revertSession(
  { revertHook }: { db: Db; revertHook: RevertHook },
  org: OrgDb,
  appId: string,
  sessionId: string,
  input: RevertInput,
): Promise<Reverted> {
  const { id } = await sessionOf(org, appId, sessionId);
  return transaction(org, async (tx) => {
    const app = await lockApp(tx, appId);
    if (app === undefined) throw notFound('App');
    const session = requireRevertible(await lockSession(tx, id));
    return withRelations(tx, { orgId: org.orgId, appId: app.id, sessionId: id }, async (scope) => {
      const plan = await planRevert(tx, scope, publishedAt(scope), (since) =>
        revertHook.findTouched(tx, app.id, since),
      );
      const tasks = await revertHook.findCaused(tx, plan.accounts, plan.changes.at);
      const result = resultOf(id, input, plan, tasks.length);
      if (input.dryRun) return result;
      const moved = await applyRevert(tx, scope, plan, input.cause);
      await setReverted(tx, id, { by: input.cause.actor.uuid, reason: input.reason });
      await recordHidden(tx, scope, lastReport(tx, app.id));
      await closeLosses(tx, [id], 'none');
      await restoreLastSynced(tx, app, session);
      const reason = 'The sync that led to this task was reverted.';
      const { events: cancelled } = await revertHook.cancel(tx, tasks, input.cause, reason);
      const others = await afterPublication(tx, app.id, input.cause);
      await recordRevert(tx, scope, input.cause);
      const relinked = moved.map(({ id }) => id);
      const links = [
        ...(await linkMoveEvents(tx, input.cause, moved)),
        ...(await afterLinks(tx, relinked, input.cause)),
      ];
      await recordEvents(tx, [...cancelled, ...links, ...others, sessionReverted(app, result, input)]);
      return result;
    });
  });
}

const resultOf = (
  sessionId: string,
  { dryRun }: RevertInput,
  { counts, conflicts, laterSyncs }: RevertPlan,
  tasks: number,
): Reverted => ({
  sync_id: sessionId,
  dry_run: dryRun,
  counts: { ...counts, tasks },
  later_syncs: laterSyncs,
  conflicts,
});

function requireRevertible(session: Session | undefined): Session {
  if (session === undefined) throw notFound('Sync session');
  const { status, published_at, reverted_at } = session;
  if (status === 'in_progress' || status === 'completing') throw recordRefusals.session_not_ended({ status });
  if (reverted_at !== null) throw recordRefusals.session_already_reverted();
  if (published_at === null) throw recordRefusals.session_changed_nothing();
  return session;
}

/** The accounts that the session no longer accounts for were last seen by the sync before it. */
async function restoreLastSynced(tx: OrgTx, app: App, { status }: Session): Promise<void> {
  if (status === 'completed') await takeBackSync(tx, app.id, lastCompletion(tx, app.id));
}
