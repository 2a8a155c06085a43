import type { App } from '#inventory/apps/app.ts';
import { findApp } from '#inventory/apps/facts.ts';
import type { Held } from '#inventory/apps/held.ts';
import { type OrgDb, type OrgTx, transaction } from '#kit/database.ts';
import type { Jobs } from '#kit/jobs/jobs.ts';
import type { Page, Slice } from '#kit/pages.ts';
import type { RawBuilder } from '#kit/sql.ts';
import { sessionOf } from '../../sessions/find.ts';
import { earlierCompleting } from '../../sessions/queries/sessions.ts';
import { PLAN_JOB, type Session } from '../../sessions/session.ts';
import { previewPublication } from '../preview.ts';
import { startedAt } from '../queries/plan.ts';
import { selectPlanned } from '../queries/preview.ts';
import { withRelations } from '../queries/relations.ts';
import { resourceChangesOf } from '../queries/resources.ts';
import type { Scope } from '../relations.ts';
import { stagePages } from '../stage.ts';
import { accessBefore, heldDifferences, heldOf } from '../stale.ts';
import { showHeld } from './held.ts';
import {
  countDifferences,
  listDifferences,
  plannedRemovals,
  type Source,
  whatComes,
} from './queries/differences.ts';
import { pagesOf, readOneState } from './queries/pages.ts';
import { changesOfSession, differencesOfChanges } from './queries/recorded.ts';
import { findStored, storedDifferences, storePlan } from './queries/stored.ts';
import type { PlanFilter, PlannedChange, SessionPlan } from './view.ts';

/** A session with more pages than this is planned by a job (ADR 13). */
const MOST_PAGES_AT_ONCE = 200;

/** Why a plan cannot be shown yet. */
type Waiting = { waiting: string; job: boolean };

/** Nothing of the session counts. */
const ENDED_WITHOUT_RESULT: ReadonlySet<Session['status']> = new Set(['error', 'abandoned']);

interface Higher {
  jobs: Jobs;
  countExpecting: CountExpecting;
  countConfirmed: CountConfirmed;
}

type ShownPlan = { plan: SessionPlan; changes: Slice<PlannedChange> };

/** Counts the open tasks of an app that want removals among `removed`, which has the columns of `difference`. */
export type CountExpecting = (db: OrgDb, appId: string, removed: RawBuilder<unknown>) => Promise<number>;

/** Counts the removals of an app that tasks have reported, that this sync is the first to show, and that are not among `back`. */
export type CountConfirmed = (
  db: OrgDb,
  sync: { appId: string; syncId: string },
  back: RawBuilder<unknown>,
) => Promise<number>;

/**
 * Returns what completing the session now would create, change and remove. For a session that has been published, returns
 * what it did, and what its held removal would take. Takes no locks and changes nothing, except that it keeps the records
 * of a held removal, and leaves the plan of a large session to a job.
 */
export async function showPlan(
  { jobs, countExpecting, countConfirmed }: Higher,
  org: OrgDb,
  app: App,
  sessionId: string,
  { filter, page }: { filter: PlanFilter; page: Page },
): Promise<ShownPlan | Waiting> {
  const shown = await inOneState(org, async (tx) => {
    const session = await sessionOf(tx, app.id, sessionId);
    return withRelations(tx, { orgId: org.orgId, appId: app.id, sessionId: session.id }, async (scope) => {
      const found = isPublished(session)
        ? await publishedPlan(tx, scope, session)
        : await planFromPages(tx, scope, app, session);
      if ('waiting' in found) return found;
      const { source, ...plan } = found;
      if (source === null)
        return {
          plan: { ...plan, counts: null, confirmed_removals: 0, expected_by_tasks: 0 },
          changes: { count: 0, results: [] },
        };
      const removed = plannedRemovals(source);
      const sync = { appId: app.id, syncId: session.id };
      const isWithoutResult = ENDED_WITHOUT_RESULT.has(session.status);
      return {
        plan: {
          ...plan,
          counts: await countDifferences(tx, source),
          confirmed_removals: isWithoutResult ? 0 : await countConfirmed(tx, sync, whatComes(source)),
          expected_by_tasks: removed === null ? 0 : await countExpecting(tx, app.id, removed),
        },
        changes: await listDifferences(tx, source, filter, page),
      };
    });
  });
  if ('waiting' in shown && shown.job)
    await transaction(org, (tx) =>
      jobs.send(tx.db, PLAN_JOB, { orgId: org.orgId, appId: app.id, sessionId }, { key: sessionId }),
    );
  return shown;
}

/** Computes and stores the plan of a large session. A session that has ended in the meantime needs none. */
export const storeSessionPlan = (db: OrgDb, appId: string, sessionId: string): Promise<void> =>
  inOneState(db, async (tx) => {
    const app = await findApp(tx, appId);
    if (app === undefined) return;
    const session = await sessionOf(tx, app.id, sessionId);
    if (isPublished(session)) return;
    const { last } = await pagesOf(tx, sessionId);
    await withRelations(tx, { orgId: db.orgId, appId: app.id, sessionId }, async (scope) => {
      const { held, differences } = await previewSession(tx, scope, app);
      await storePlan(tx, scope, last, held, differences);
    });
  });

/** A plan whose differences have not been read yet. `source` is null if they are unknown. */
type Found = Omit<SessionPlan, 'counts' | 'confirmed_removals' | 'expected_by_tasks'> & {
  source: Source | null;
};

const inOneState = <T>(db: OrgDb, work: (tx: OrgTx) => Promise<T>): Promise<T> =>
  transaction(db, async (tx) => {
    await readOneState(tx);
    return work(tx);
  });

/** Whether the session has been published or ended otherwise: its pages are gone. */
const isPublished = ({ status, published_at }: Session): boolean =>
  published_at !== null || (status !== 'in_progress' && status !== 'completing');

async function planFromPages(tx: OrgTx, scope: Scope, app: App, session: Session): Promise<Found | Waiting> {
  const { sessionId } = scope;
  const earlier = await earlierCompleting(tx, sessionId);
  if (earlier.some(({ held }) => held === null))
    return { waiting: 'An earlier session of this app is still being published.', job: false };
  const base = { sync_id: sessionId, status: session.status, basis: 'plan', plan: null } as const;
  const pages = await pagesOf(tx, sessionId);
  if (pages.count <= MOST_PAGES_AT_ONCE) {
    const { held, differences } = await previewSession(tx, scope, app);
    return { ...base, planned_at: new Date(), held, source: [{ applied: false, query: differences }] };
  }
  const stored = await findStored(tx, scope);
  if (stored === undefined || stored.last_page !== pages.last)
    return { waiting: 'The plan of this session is being computed.', job: true };
  return {
    ...base,
    planned_at: stored.planned_at,
    held: stored.held,
    source: [{ applied: false, query: storedDifferences(scope) }],
  };
}

async function publishedPlan(tx: OrgTx, scope: Scope, session: Session): Promise<Found> {
  const changes = await changesOfSession(tx, scope.appId, scope.sessionId);
  const isPlanned = session.status === 'completing';
  const isUnknown = changes === undefined && session.published_at !== null;
  const applied = changes === undefined ? [] : [differencesOfChanges(changes)];
  return {
    sync_id: session.id,
    status: session.status,
    basis: isPlanned ? 'plan' : 'history',
    plan: session.held === null ? null : await showHeld(tx, scope),
    planned_at: new Date(),
    held: session.held,
    source: isUnknown
      ? null
      : [
          ...[...applied, resourceChangesOf(scope)].map((query) => ({ applied: true, query })),
          ...(isPlanned ? [{ applied: false, query: heldDifferences(scope) }] : []),
        ],
  };
}

/**
 * Parses the pages of a session into relations, as its publication does, and compares them with the inventory. Returns
 * the differences, with the columns of `difference`, and the loss that the removal guard would hold.
 */
async function previewSession(
  tx: OrgTx,
  scope: Scope,
  app: App,
): Promise<{ held: Held | null; differences: RawBuilder<unknown> }> {
  const staged = await stagePages(tx, scope);
  const { differences, losses } = await previewPublication(tx, scope, staged, startedAt(scope));
  return {
    held: await heldOf(tx, scope, app, losses, { ...(await accessBefore(tx, scope)), ...staged }),
    differences: selectPlanned(scope, differences),
  };
}
