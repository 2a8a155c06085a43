import { holdsVersion } from '#decisions/holds/facts.ts';
import type { HeldFiring } from '#decisions/holds/hold.ts';
import { NOBODY, type UndecidedPeople } from '#directory/people/undecided.ts';
import type { OrgDb } from '#kit/database.ts';
import type { EventType } from '#log/events/catalog.ts';
import { endOfLog } from '#log/events/facts.ts';
import { type LoggedEvent, type Moment, readLog } from '#log/events/follow.ts';
import type { Trigger } from './filters.ts';
import { TRIGGERS } from './filters.ts';
import { HoldGate } from './gate.ts';
import { changeConcerning, groupChanges } from './group-changes.ts';
import { NOTHING_KEPT, planAll, type SomeKept } from './plan.ts';
import { EVENTS_OF, type Policy, TAKING } from './policy.ts';
import { preparePolicy } from './prepare.ts';
import * as queries from './queries/firing.ts';
import { enabledPolicies, taskLimit } from './queries/policies.ts';
import type { GroupChange } from './schemas.ts';

const EVENTS_AT_ONCE = 5000;

/** The firings that new events and a new day call for. */
export interface Detected {
  /** The place in the log up to which detection has read. */
  next: Moment;
  firings: Firing[];
  /** People who were reactivated. */
  returned: string[];
  /** Which holds were open or discarded (holdsVersion). */
  holds: string | null;
}

export interface Firing {
  policy: Policy;
  /** The people or accounts that triggered the policy. Null: all, for a daily policy. */
  subjects: string[] | null;
  /** Whether it is the run of a daily policy on this day. */
  isOfToday: boolean;
  /** Whether the policy was held for a group already. */
  isWaiting: boolean;
  /** The number of tasks that it would create, without those that wait in holds. */
  count: number;
  /** The actions that wait in holds (D78). */
  waiting: HeldFiring[];
  /** Why a person must confirm it. Null: its tasks are created. */
  held: 'limit' | GroupChange | null;
  /** The subjects for which it does something. Empty if the firing is held. */
  concerned: string[];
  /** The access that it would leave, because something else gives it. Nothing if the firing is held. */
  kept: SomeKept;
  /** Those whom the condition does not decide. */
  undecided: UndecidedPeople;
}

/**
 * Detects the firings of an organization that the events after a place call for, and a new day. Takes no locks, because planning for
 * many people takes a while and most of them need no task.
 */
export async function detectFirings(db: OrgDb, after: Moment): Promise<Detected> {
  // Before the policies: an event that comes after a new policy must not be passed without it.
  const end = await endOfLog(db);
  const policies = await enabledPolicies(db);
  const triggered = await readTriggers(db, policies, { after, to: end });
  const changes = await groupChanges(db, { after, to: end });
  const waiting = await queries.heldForGroups(db);
  const due = await queries.dueToday(db);
  const holds = await holdsVersion(db);
  const firings: Firing[] = [];
  for (const policy of policies) {
    const isDaily = policy.trigger === 'daily';
    const change = changeConcerning(policy, changes);
    const subjects =
      due.has(policy.id) || (isDaily && change !== null) ? null : subjectsOf(policy, triggered);
    if (subjects?.length === 0 && change === null) continue;
    const planned = {
      ...(await planFiring(db, policy, subjects, {
        change: change ?? waiting.get(policy.id) ?? null,
        gate: new HoldGate(policy, holds),
      })),
      isOfToday: due.has(policy.id),
      isWaiting: change === null && waiting.has(policy.id),
    };
    // Without tasks, there is nothing to add to what waits.
    firings.push(change === null && planned.count === 0 ? { ...planned, held: null } : planned);
  }
  const returned = [...(triggered.get('user.reactivated')?.keys() ?? [])];
  return { next: end, firings, returned, holds };
}

/** While a change of a group awaits a confirmation, everything that the policy would do waits with it. */
async function planFiring(
  db: OrgDb,
  policy: Policy,
  subjects: string[] | null,
  { change, gate }: { change: GroupChange | null; gate: HoldGate },
): Promise<Omit<Firing, 'isOfToday' | 'isWaiting'>> {
  const limit = await taskLimit(db);
  const prepared = await preparePolicy(db, policy);
  const { count, tasks, grants, kept, undecided } = await planAll(db, prepared, subjects, {
    keep: limit,
    gate,
  });
  const held = change ?? (count > limit ? 'limit' : null);
  const concerned = held === null ? [...new Set([...tasks, ...grants].map(({ subject }) => subject))] : [];
  const isTaking = policy.effects.some(({ do: kind }) => TAKING.includes(kind));
  return {
    policy,
    subjects,
    count,
    waiting: gate.waiting(),
    held,
    concerned: concerned.sort(),
    kept: held === null ? kept : NOTHING_KEPT,
    undecided: isTaking ? undecided : NOBODY,
  };
}

/** For each trigger, the people or accounts that fired it, each with the time of their last event. */
type Triggered = Map<Trigger, Map<string, Moment>>;

const subjectsOf = ({ trigger, fires_after }: Policy, triggered: Triggered): string[] =>
  [...(triggered.get(trigger) ?? [])]
    .filter(([, moment]) => moment > fires_after)
    .map(([id]) => id)
    .sort();

/** Reads the events of a stretch of the log that can trigger these policies, and all reactivations. */
async function readTriggers(
  db: OrgDb,
  policies: readonly Policy[],
  { after, to }: { after: Moment; to: Moment },
): Promise<Triggered> {
  const wanted = new Set<Trigger>(['user.reactivated', ...policies.map(({ trigger }) => trigger)]);
  const triggers = TRIGGERS.filter((trigger) => wanted.has(trigger));
  const triggerOf = new Map<EventType, Trigger>(
    triggers.flatMap((trigger) => EVENTS_OF[trigger].map((type) => [type, trigger] as const)),
  );
  const triggered: Triggered = new Map(triggers.map((trigger) => [trigger, new Map()]));
  for (let place = after; ; ) {
    const range = { after: place, to };
    const { entries, next, hasMore } = await readLog(db, range, [...triggerOf.keys()], EVENTS_AT_ONCE);
    for (const event of entries) {
      const trigger = triggerOf.get(event.type) as Trigger;
      if (trigger === 'account.discovered' && !isDiscovery(event)) continue;
      triggered.get(trigger)?.set(event.subject.uuid, event.moment);
    }
    if (!hasMore) break;
    place = next;
  }
  const discovered = triggered.get('account.discovered');
  for (const id of await queries.expectedAmong(db, [...(discovered?.keys() ?? [])])) discovered?.delete(id);
  return triggered;
}

/** Whether a sync discovered an account that was unknown before. One that returns is none. */
const isDiscovery = ({ source, payload }: LoggedEvent) =>
  source.type === 'sync' && (payload.previous_status ?? null) === null;
