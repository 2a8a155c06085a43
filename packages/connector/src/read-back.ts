import { setTimeout as sleep } from 'node:timers/promises';
import { isAbsent } from '../../protocol/src/records.ts';
import type { Clock, Confirmation, Seen } from './confirmation.ts';
import type { AccountRecord, Ref } from './define.ts';
import { reason, TaskError } from './errors.ts';
import { unlessAborted } from './interrupt.ts';
import type { Task } from './service.ts';
import type { Run } from './sync.ts';

type ReadBack = Confirmation & { record?: AccountRecord | undefined; failure?: TaskError | undefined };

/** The state that the task asked for, the one before it, another one, or one that the system does not say. */
type Verdict = { state: 'asked' | 'before' | 'other' | 'unknown'; says: string[] };

/** Milliseconds before each read: 5 reads within 30 seconds. */
const PAUSES = [0, 1000, 3000, 8000, 14_000];
const PATIENCE_MS = 30_000;
const wallClock: Clock = { now: () => Date.now(), sleep: (ms, signal) => sleep(ms, undefined, { signal }) };

/**
 * Reads the account of a task that was carried out, and compares it with what the task asked for. Reads again while the system
 * shows another state, because some take a moment. A state that was neither before nor asked for is a failure.
 */
export async function readBack(run: Run, task: Task, id: string): Promise<ReadBack> {
  const type = run.connector.accounts[task.resource_type];
  const nothing: ReadBack = { confirmed: 'none', seen: null };
  if (task.action === 'reset_password') return nothing;
  if (!type?.get) {
    run.progress.warn(
      `task ${task.id} is not confirmed: the connector cannot read one ${task.resource_type}`,
    );
    return nothing;
  }
  const clock = run.clock ?? wallClock;
  const until = clock.now() + PATIENCE_MS;
  let last: { record: AccountRecord | null; verdict: Verdict } | undefined;
  for (const pause of PAUSES) {
    const isOver = await waited(run, clock, pause, until);
    if (isOver) break;
    try {
      const record = await readOnce(run, task, id, until - clock.now());
      last = { record, verdict: judge(task, record) };
      if (last.verdict.state === 'asked') break;
    } catch (error) {
      run.progress.info(`account ${id} could not be read back (${reason(error)})`);
    }
  }
  if (last === undefined) return nothing;
  const { record, verdict } = last;
  const seen = seenIn(task, record);
  const confirmed = verdict.state === 'asked' ? 'read' : 'none';
  // An interrupted run has not waited for the system to show its last state.
  const isFailed = verdict.state === 'other' && !run.signal.aborted;
  if (confirmed === 'none' && !isFailed)
    run.progress.warn(`task ${task.id} is not confirmed: ${sentence(id, verdict)}`);
  return {
    confirmed,
    seen,
    ...(record ? { record } : {}),
    ...(isFailed ? { failure: failureOf(id, record, verdict) } : {}),
  };
}

/** Reads an account for a task once. Throws if the system does not say, within the time that is left, whether it exists. */
export async function readOnce(
  run: Run,
  task: Task,
  id: string,
  ms = PATIENCE_MS,
): Promise<AccountRecord | null> {
  const type = run.connector.accounts[task.resource_type];
  if (!type?.get) throw new TaskError('INTERNAL_ERROR', `the connector cannot read a ${task.resource_type}`);
  const signal = AbortSignal.timeout(Math.max(1, Math.ceil(ms)));
  const wanted = { entitlements: entitlementsOf(task) };
  return (await unlessAborted(type.get(run.system, id, wanted), signal)) ?? null;
}

/** Waits before a read. Returns true if there is no time for it. */
async function waited(run: Run, clock: Clock, pause: number, until: number): Promise<boolean> {
  if (pause === 0) return false;
  if (run.signal.aborted || clock.now() + pause >= until) return true;
  await clock.sleep(pause, run.signal).catch(() => {});
  return run.signal.aborted;
}

/** Compares the account with what the task asked for. */
function judge(task: Task, record: AccountRecord | null): Verdict {
  const status = statusOf(record);
  switch (task.action) {
    case 'delete_account':
      return record === null ? verdict('asked') : verdict('other', `it still exists and is ${status}`);
    case 'create_account':
      return record === null ? verdict('before', 'it was not found') : judgeCreated(task, record);
    case 'suspend_account':
      if (record === null) return absent;
      return status === 'active' ? verdict('before', 'it is still active') : verdict('asked');
    case 'unsuspend_account':
      if (record === null) return absent;
      return status === 'active' ? verdict('asked') : verdict('before', `it is still ${status}`);
    default:
      return record === null ? absent : judgeChanges(task, record);
  }
}

const verdict = (state: Verdict['state'], ...says: string[]): Verdict => ({ state, says });
const absent = verdict('other', 'it was not found');

/** A new account that lacks something, or cannot be used, is neither missing nor as asked. */
function judgeCreated(task: Task, record: AccountRecord): Verdict {
  const status = statusOf(record);
  const says = status === 'active' ? [] : [`it is ${status}`];
  let isUnknown = false;
  for (const [slug, refs = []] of Object.entries(task.payload.memberships ?? {}))
    for (const ref of refs) {
      const held = holding(record, slug, ref);
      if (held === 'unknown') isUnknown = true;
      else if (held === 'no') says.push(`it does not have ${nameOf(slug, ref)}`);
    }
  if (says.length > 0) return verdict('other', ...says);
  return isUnknown ? verdict('unknown', UNSAID) : verdict('asked');
}

const UNSAID = 'the system does not show its groups and licenses';

type Change = { slug: string; ref: Ref; isAdded: boolean };

/** Access through something else counts as held, and cannot be removed here (D68). */
function judgeChanges(task: Task, record: AccountRecord): Verdict {
  const judged = changesOf(task).map((change) =>
    judgeChange(change, holding(record, change.slug, change.ref)),
  );
  const has = (state: Verdict['state']) => judged.some((each) => each.state === state);
  const says = judged.flatMap((each) => each.says);
  if (has('other') || (has('before') && has('asked'))) return verdict('other', ...says);
  if (has('before')) return verdict('before', ...says);
  return has('unknown') || judged.length === 0 ? verdict('unknown', UNSAID) : verdict('asked');
}

const changesOf = ({ payload }: Task): Change[] =>
  Object.entries(payload.changes ?? {}).flatMap(([slug, change]) => [
    ...(change?.added ?? []).map((ref) => ({ slug, ref, isAdded: true })),
    ...(change?.removed ?? []).map((ref) => ({ slug, ref, isAdded: false })),
  ]);

function judgeChange({ slug, ref, isAdded }: Change, held: Holding): Verdict {
  const name = nameOf(slug, ref);
  if (held === 'unknown') return verdict('unknown');
  if (isAdded) return held === 'no' ? verdict('before', `it does not have ${name}`) : verdict('asked');
  if (held === 'no') return verdict('asked');
  if (held === 'direct') return verdict('before', `it still has ${name}`);
  return verdict('other', `it still has ${name} through ${held.slug} '${held.id}'; remove it there instead`);
}

type Holding = 'no' | 'direct' | 'unknown' | { slug: string; id: string };

/** How an account holds a group or license: directly, through the one that is returned, or not. A missing list says nothing. */
function holding(
  { memberships, assignments }: AccountRecord,
  slug: string,
  { id }: Pick<Ref, 'id'>,
): Holding {
  const refs = memberships?.[slug] ?? assignments?.[slug];
  if (refs === undefined) return 'unknown';
  const found = refs.find((ref) => ref.id === id);
  return found === undefined ? 'no' : (found.via ?? 'direct');
}

function entitlementsOf(task: Task): { slug: string; id: string; name?: string | null | undefined }[] {
  const changes = changesOf(task).map(({ slug, ref: { id, name } }) => ({ slug, id, name }));
  const granted = Object.entries(task.payload.memberships ?? {}).flatMap(([slug, refs = []]) =>
    refs.map(({ id, name }) => ({ slug, id, name })),
  );
  return [...changes, ...granted];
}

/** Returns the part of an account that the task is about. */
export function seenIn(task: Task, record: AccountRecord | null): Seen {
  const seen: Seen = { account: statusOf(record), held: [], missing: [] };
  if (record === null) return seen;
  for (const { slug, id } of entitlementsOf(task)) {
    const held = holding(record, slug, { id });
    if (held === 'no') seen.missing.push({ slug, id });
    else if (held !== 'unknown') seen.held.push({ slug, id, ...(held === 'direct' ? {} : { via: held }) });
  }
  return seen;
}

const statusOf = (record: AccountRecord | null): Seen['account'] => {
  if (record === null) return 'absent';
  return isAbsent(record.status) ? 'active' : (record.status ?? 'active');
};

const nameOf = (slug: string, { id, name }: Ref) => `${slug} '${name || id}'`;
const sentence = (id: string, { says }: Verdict) => `account ${id} was read, and ${says.join(', and ')}`;

const failureOf = (id: string, record: AccountRecord | null, verdict: Verdict) =>
  new TaskError(
    record === null ? 'ACCOUNT_NOT_FOUND' : 'INTERNAL_ERROR',
    `the system reported success, but ${sentence(id, verdict)}`,
  );
