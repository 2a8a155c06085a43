import { setTimeout as sleep } from 'node:timers/promises';
import { lastSync } from './confirm-removals.ts';
import { counted, wasOrWere } from './counted.ts';
import { typesOf, userNamesOf } from './define.ts';
import { Exit, Failure, reason, ServiceError, SupersededError, UnreachableError } from './errors.ts';
import { defaultGuard, type Guard, guardAgainst } from './guard.ts';
import { countProblems, type Problems } from './listing.ts';
import { pushEverything } from './push-types.ts';
import type { Run } from './run.ts';
import type { Service, SessionView } from './service.ts';
import type { Checkpoint } from './state.ts';
import { missingTail } from './tail.ts';
import { entriesForService, sumsOf, type UnseenSum } from './unseen-entries.ts';

export type { Run };

export type SyncOptions = {
  /** null turns the guard off. */
  guard?: Guard | null;
  /** Lists and checks all records, asks the guard, and sends nothing. */
  dryRun?: boolean;
  /** Seconds to wait for the service's cleanup after the last page. */
  patience?: number;
};

export type SyncResult = {
  outcome: 'completed' | 'dry run';
  session: string | null;
  /** Records by resource type slug. */
  pushed: Record<string, number>;
  /** Memberships and assignments that were pushed. */
  memberships: number;
  /** The sums of what the lists do not show (D81). */
  unseen: UnseenSum[];
  /** In a dry run: the number of records that prevent a completion. */
  problems: number;
  guard: string | null;
  counts?: SessionView['counts'];
  membership_counts?: SessionView['membership_counts'];
};

const resumableFor = 24 * 60 * 60 * 1000;

/** Registers the resource types (protocol 4.3). Ignores slugs that are already registered. */
export async function registerTypes({
  connector,
  service,
  app,
}: Pick<Run, 'connector' | 'service' | 'app'>): Promise<void> {
  for (const { slug, kind, type } of typesOf(connector)) {
    await service.registerType(app, { slug, name: type.name, type: kind });
  }
}

/**
 * Runs a full sync: lists and pushes every record, then completes the session, which removes records that were not pushed
 * (protocol 1.2). After any error or skipped record it abandons the session instead, which removes nothing. If the guard objects, it
 * discards the session: nothing that was pushed is published.
 */
export async function runSync(run: Run, options: SyncOptions = {}): Promise<SyncResult> {
  const lock = run.state.lock('sync');
  try {
    return options.dryRun
      ? await run.state.rehearse(() => dryRun(run, options))
      : await fullSync(run, options);
  } finally {
    lock.release();
  }
}

async function fullSync(run: Run, options: SyncOptions): Promise<SyncResult> {
  const { state, service, app, progress } = run;
  await registerTypes(run);
  const at = (await resume(run)) ?? (await begin(run));
  const problems = countProblems(progress, at.problems);
  let objection: string | undefined;
  try {
    await pushEverything(run, at, problems);
    if (problems.count > 0) throw skippedRecords(run, problems);
    objection = await askGuard(run, at, options);
    if (objection === undefined) await service.completeSync(app, at.session, entriesForService(state));
  } catch (error) {
    throw await abandonAfter(run, at, error);
  }
  if (objection !== undefined) {
    await discard(run, at);
    throw new Failure(
      `stopped by the guard: ${objection}. Nothing was changed. If this is right, run with --guard off`,
      Exit.abandoned,
      { stop: { outcome: 'stopped_by_guard', objection } },
    );
  }
  const view = await waitForEnd(run, at.session, options.patience ?? 1800);
  const unseen = unseenBy(run);
  state.commitSession(at, at.shifts?.length ? await lastSync(run) : null);
  return {
    outcome: 'completed',
    session: at.session,
    pushed: at.pushed,
    memberships: at.refs,
    unseen,
    problems: 0,
    guard: null,
    ...(view.counts ? { counts: view.counts } : {}),
    ...(view.membership_counts ? { membership_counts: view.membership_counts } : {}),
  };
}

const unseenBy = ({ connector, state }: Run): UnseenSum[] => sumsOf(typesOf(connector), state.eachUnseen());

/** How many runs in a row may skip records before the failure says what that means. */
const PATIENT_RUNS = 2;

function skippedRecords({ state }: Run, { count, first }: Problems): Failure {
  const runs = state.countSkippingRun();
  const lasting =
    runs > PATIENT_RUNS
      ? `. This is run ${runs} in a row that skipped records, so accounts and access that were removed in the system stay in Gatehouse until this is corrected${first ? `: ${first}` : ''}`
      : '';
  return new Failure(
    `${counted(count, 'record')} ${wasOrWere(count)} skipped, so the session was abandoned and nothing was removed${lasting}`,
    Exit.abandoned,
    { stop: { outcome: 'records_skipped' } },
  );
}

async function dryRun(run: Run, options: SyncOptions): Promise<SyncResult> {
  run.state.dropCheckpoint();
  const at = emptyCheckpoint('', run.connector.version);
  const problems = countProblems(run.progress);
  await pushEverything({ ...run, service: { ...run.service, pushPage: pushNothing } }, at, problems);
  const guard = await askGuard(run, at, options);
  return {
    outcome: 'dry run',
    session: null,
    pushed: at.pushed,
    memberships: at.refs,
    unseen: unseenBy(run),
    problems: problems.count,
    guard: guard ?? null,
  };
}

const pushNothing: Service['pushPage'] = async (_app, _session, _slug, records) => ({
  total: records.length,
  created: 0,
  updated: 0,
});

async function askGuard(
  run: Run,
  at: Checkpoint,
  { guard = defaultGuard }: SyncOptions,
): Promise<string | undefined> {
  if (guard === null) return undefined;
  const known = { state: run.state, service: run.service, app: run.app, log: run.progress, held: run.held };
  const now = { accounts: at.active, refs: at.refs, fields: { had: at.fields, records: at.pushed } };
  const objection = await guardAgainst(guard, run.connector, now, known);
  return objection ?? missingTail(run.connector, run.state);
}

function emptyCheckpoint(session: string, version: string): Checkpoint {
  return {
    session,
    version,
    startedAt: Date.now(),
    done: [],
    mark: 0,
    pushed: {},
    active: 0,
    refs: 0,
    fields: {},
    problems: 0,
  };
}

async function begin({ state, service, app, connector, system }: Run): Promise<Checkpoint> {
  state.dropCheckpoint();
  const session = await service.startSync(app, userNamesOf(connector, system));
  const at = emptyCheckpoint(session, connector.version);
  state.saveCheckpoint(at);
  return at;
}

/** Returns the session that a crash left behind, if it is still in progress. */
async function resume({ state, service, app, connector, progress }: Run): Promise<Checkpoint | undefined> {
  const at = state.checkpoint();
  if (!at || at.version !== connector.version || Date.now() - at.startedAt > resumableFor) return undefined;
  const view = await service.syncStatus(app, at.session).catch((error) => {
    if (error instanceof ServiceError && error.status === 404) return undefined;
    throw error;
  });
  if (view?.status === 'completed') state.commitSession(at);
  if (view?.status !== 'in_progress') return undefined;
  progress.info(`resuming session ${at.session} of an interrupted run`);
  return at;
}

/** Abandons the session, which removes nothing, and returns the error to throw. */
async function abandonAfter(
  { state, service, app, progress, signal }: Run,
  at: Checkpoint,
  error: unknown,
): Promise<unknown> {
  const view = await service.syncStatus(app, at.session).catch(() => undefined);
  if (view?.status === 'abandoned') {
    state.dropCheckpoint();
    return new SupersededError(at.session, view.superseded_by, error);
  }
  // A run can resume only if the service was unreachable. After any other error the listing is in doubt.
  const away = error instanceof UnreachableError && !signal.aborted;
  if (!away) state.dropCheckpoint();
  try {
    await service.abandonSync(app, at.session);
    state.dropCheckpoint();
    progress.info(`abandoned session ${at.session}: pushed records are kept, nothing was removed`);
  } catch (second) {
    const resumable = away ? '; the next run resumes it' : '';
    progress.warn(
      `session ${at.session} could not be abandoned (${reason(second)}); it stays open and removes nothing${resumable}`,
    );
  }
  if (signal.aborted) return new Failure('interrupted', Exit.interrupted, { cause: error });
  if (error instanceof Failure) return error;
  return new Failure(`listing failed, so nothing was removed: ${reason(error)}`, Exit.abandoned, {
    cause: error,
  });
}

/** Discards the session: a newer one cancels it, and is abandoned without a record. */
async function discard({ state, service, app, progress }: Run, at: Checkpoint): Promise<void> {
  state.dropCheckpoint();
  try {
    const view = await service.syncStatus(app, at.session);
    if (view.status === 'abandoned') throw new SupersededError(at.session, view.superseded_by);
    await service.abandonSync(app, await service.startSync(app));
    progress.info(`discarded session ${at.session}: nothing was changed`);
  } catch (error) {
    if (error instanceof SupersededError) throw error;
    progress.warn(
      `session ${at.session} could not be discarded (${reason(error)}); nothing of it is published`,
    );
  }
}

/** Waits for the cleanup that follows the 202 (protocol 3.1, 4.8). Each pause is a tenth of the time waited so far, at most 5 s. */
async function waitForEnd(
  { service, app, progress, signal, state }: Run,
  session: string,
  patience: number,
): Promise<SessionView> {
  const started = Date.now();
  for (;;) {
    const view = await service.syncStatus(app, session);
    if (view.status === 'completed') return view;
    if (view.status === 'error') {
      state.dropCheckpoint();
      const why = view.error ? `${view.error.error_code}: ${view.error.message}` : 'no reason given';
      throw new Failure(
        `the service could not finish its cleanup (${why}); pushed records are kept, and a new sync tries again`,
      );
    }
    if (view.status === 'abandoned') {
      state.dropCheckpoint();
      throw new SupersededError(session, view.superseded_by);
    }
    if (view.held) {
      state.dropCheckpoint();
      const { accounts, memberships, reason: cause } = view.held;
      const why = cause === 'no_accounts' ? 'no account was pushed, so ' : '';
      throw new Failure(
        `${why}the service holds the removal of ${counted(accounts, 'account')} and ${counted(memberships, 'membership')} until an administrator approves it (session ${session})`,
        Exit.abandoned,
      );
    }
    const waited = Date.now() - started;
    if (waited > patience * 1000)
      throw new Failure(
        `the cleanup did not finish within ${patience} s; session ${session} continues by itself`,
        Exit.later,
      );
    const pause = Math.min(Math.max(waited / 10, 200), 5000);
    if (pause > 1000) progress.info('waiting for the service to finish its cleanup');
    await sleep(pause, undefined, { signal });
  }
}
