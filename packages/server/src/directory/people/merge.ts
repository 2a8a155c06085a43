import { hookPoint, type OrgTx, transaction } from '#kit/database.ts';
import { DomainError, notFound } from '#kit/errors.ts';
import { type Call, type CallTx, type Principal, type RequestCause, requireAllApps } from '#kit/identity.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import { leaveGroups } from './groups.ts';
import { changesOf, type Draft, draftChange, excessIn, type Person, type Profile } from './person.ts';
import { moveAbsences } from './queries/absences.ts';
import * as queries from './queries/people.ts';
import { ownedFields } from './queries/sources.ts';
import { aboutPerson, refusalsOf, runHooks, save } from './save.ts';
import { personRefusals } from './sentences.ts';
import type { SuspendedAccount } from './suspensions.ts';

/** Two records of one person. `from` is merged into `into`, which remains. Both are locked. */
export interface Merge {
  from: Person;
  into: Person;
  cause: RequestCause;
  /** Whether suspensions end that were decided because the merged person had left (D73). */
  endSuspensions: boolean;
}

/** How many references were moved, canceled or revoked, by kind. */
export type Moved = Record<string, number>;

interface Moves {
  moved: Moved;
  events?: readonly NewEvent[];
  /** The suspensions that were decided because the merged person had left. */
  suspensions?: readonly SuspendedAccount[];
}

/** Moves the references of one feature to the person who remains, in the transaction of the merge. */
export interface MergeHook {
  /** Locks what comes before people in the order of locks. */
  lock?(tx: OrgTx, fromId: string): Promise<void>;
  /** Returns the number of references, and the events to record. Runs before the merged person is deactivated. */
  move(tx: CallTx, merge: Merge): Promise<Moves>;
}

/** In the order of locks. */
export const mergeHooks = hookPoint<MergeHook>();

export interface MergeResult extends queries.MergeOutcome {
  dry_run: boolean;
  into: Person;
  from: Person;
  suspensions: SuspendedAccount[];
}

interface WantedMerge {
  intoId: string;
  fromId: string;
  dryRun: boolean;
  endSuspensions: boolean;
}

/** Ends the transaction of a dry run. */
class DryRun extends Error {
  readonly result: MergeResult;
  constructor(result: MergeResult) {
    super('dry run');
    this.result = result;
  }
}

/**
 * Merges the person `fromId` into the person `intoId`: moves everything that refers to the former, and deactivates them. Their
 * record stays, because the log and the history name it. API keys and sign-in do not move: the keys are revoked and the
 * sessions end. A repeated merge changes nothing and returns the first result. A dry run does the same and rolls it back.
 */
export async function mergePeople(call: Call, wanted: WantedMerge): Promise<MergeResult> {
  requireAllApps(call.principal, 'merging people');
  try {
    return await transaction(call, (tx) => mergeIn(tx, wanted));
  } catch (error) {
    if (error instanceof DryRun) return error.result;
    throw error;
  }
}

async function mergeIn(
  tx: CallTx,
  { intoId, fromId, dryRun, endSuspensions }: WantedMerge,
): Promise<MergeResult> {
  await queries.lockPeople(tx);
  const hooks = mergeHooks.of(tx);
  for (const hook of hooks) await hook.lock?.(tx, fromId);
  const people = await queries.lockPair(tx, [fromId, intoId]);
  const [from, into] = [fromId, intoId].map((id) => people.find((person) => person.id === id.toLowerCase()));
  if (from === undefined || into === undefined) throw notFound('Person');
  const earlier = await earlierMerge(tx, from, into);
  if (earlier !== undefined) return { dry_run: dryRun, into, from, suspensions: [], ...earlier };
  requirePossible(tx.principal, from, into);
  const owned = await ownedFields(tx, [from.id, into.id]);
  if (owned.has(from.id))
    throw personRefusals.merge_of_managed_person({ email: from.email, into: into.email });

  const moved: Moved = {};
  const caused: NewEvent[] = [];
  const suspensions: SuspendedAccount[] = [];
  for (const hook of hooks) {
    const result = await hook.move(tx, { from, into, cause: tx.cause, endSuspensions });
    Object.assign(moved, result.moved);
    caused.push(...(result.events ?? []));
    suspensions.push(...(result.suspensions ?? []));
  }
  const absences = await moveAbsences(tx, from.id, into.id);
  const left = await leaveGroups(tx, tx.cause, from.id);
  // Leaving the groups may have changed their role.
  const [leaving = from] = await queries.lockPair(tx, [from.id]);
  const reports = (await queries.reportsOf(tx, from.id)).filter(
    ({ id, merged_into }) => id !== into.id && merged_into == null,
  );
  const completed = draftChange(into, missingIn(into, from, owned.get(into.id) ?? []));
  const excess = excessIn(completed);
  if (excess !== undefined) throw new DomainError('invalid', excess);
  const drafts: Draft[] = [
    completed,
    ...reports.map((report) => draftChange(report, { manager: into.id })),
    draftChange(leaving, { status: 'deactivated' }),
  ];
  const [refusal] = (await refusalsOf(tx, drafts, 'merge')).values();
  if (refusal !== undefined) throw refusal;
  const saved = await save(tx, tx.cause, drafts, `Merged into ${into.email}.`);
  const outcome = { changes: changesOf(completed), moved: { ...moved, absences, reports: reports.length } };
  const merged = mergedEvent(from, into, outcome.moved, tx.cause);
  const events = await runHooks(tx, [...left, ...saved, merged]);
  await queries.setMerged(tx, from.id, into.id, outcome);
  const result = { dry_run: dryRun, suspensions, ...outcome, ...(await pairAfter(tx, from.id, into.id)) };
  if (dryRun) throw new DryRun(result);
  await recordEvents(tx, [...events, ...caused]);
  return result;
}

/** Returns the outcome of the same merge if it was made before. Throws 409 if one of the two was merged otherwise. */
async function earlierMerge(
  tx: OrgTx,
  from: Person,
  into: Person,
): Promise<queries.MergeOutcome | undefined> {
  if (from.merged_into === into.id) return queries.findMergeOutcome(tx, from.id);
  for (const person of [from, into]) {
    if (person.merged_into != null) throw personRefusals.merge_of_merged_person({ email: person.email });
  }
  return undefined;
}

function requirePossible({ role, userId }: Principal, from: Person, into: Person): void {
  if (from.id === into.id) throw personRefusals.merge_into_self();
  if (from.id === userId) throw personRefusals.merge_of_own_record();
  if (role !== 'owner' && (from.role === 'owner' || into.role === 'owner'))
    throw personRefusals.owner_merges_owner();
  if (from.status === 'active' && into.status !== 'active')
    throw personRefusals.merge_into_deactivated({ email: into.email, other: from.email });
}

/**
 * Returns the fields and attributes that only the merged person has, without those that an identity provider owns. The end
 * date does not count.
 */
function missingIn(into: Profile, from: Profile, owned: readonly string[]) {
  const attributes = Object.entries(from.attributes).filter(
    ([name, value]) =>
      value !== '' && isEmpty(Object.hasOwn(into.attributes, name) ? into.attributes[name] : null),
  );
  const manager = into.manager === from.id ? from.manager : (into.manager ?? from.manager);
  const isFree = (field: string) => !owned.includes(field);
  return {
    ...(isFree('first_name') && { first_name: into.first_name || from.first_name }),
    ...(isFree('last_name') && { last_name: into.last_name || from.last_name }),
    ...(isFree('start_date') && {
      start_date: into.start_date ?? startBefore(from.start_date, into.end_date),
    }),
    ...((isFree('manager') || into.manager === from.id) && { manager: manager === into.id ? null : manager }),
    attributes: Object.fromEntries(attributes.filter(([name]) => isFree(`attributes.${name}`))),
  };
}

const isEmpty = (value: unknown) => value === null || value === undefined || value === '';

/** Dates are written such that texts compare like days. */
const startBefore = (start: string | null, end: string | null) =>
  start !== null && end !== null && end < start ? null : start;

async function pairAfter(tx: OrgTx, fromId: string, intoId: string) {
  const people = await queries.lockPair(tx, [fromId, intoId]);
  const [from, into] = [fromId, intoId].map((id) => people.find((person) => person.id === id));
  return { from: from as Person, into: into as Person };
}

const mergedEvent = (
  from: Person,
  into: Person,
  moved: Moved,
  { actor, source }: RequestCause,
): NewEvent => ({
  type: 'person.merged',
  actor,
  subject: { type: 'platform_user', uuid: into.id },
  source,
  payload: { ...aboutPerson(into), from: from.id, from_email: from.email, moved },
});
