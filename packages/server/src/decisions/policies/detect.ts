import { holdsVersion } from '#decisions/holds/facts.ts';
import type { HeldFiring } from '#decisions/holds/hold.ts';
import { NOBODY, type UndecidedPeople } from '#directory/people/undecided.ts';
import type { OrgDb } from '#kit/database.ts';
import { localTime } from '#kit/identity.ts';
import { endOfLog } from '#log/events/facts.ts';
import { type LoggedEvent, type Moment, readLog } from '#log/events/follow.ts';
import type { Trigger } from './filters.ts';
import { TRIGGERS } from './filters.ts';
import { HoldGate } from './gate.ts';
import { changeConcerning, groupChanges } from './group-changes.ts';
import { NOTHING_KEPT, type SomeKept } from './kept.ts';
import { planAll } from './plan.ts';
import { DAY_OF, EVENTS_OF, type Policy, TAKING } from './policy.ts';
import { preparePolicy } from './prepare.ts';
import { type ReachedDay, reachedDays } from './queries/days.ts';
import * as queries from './queries/firing.ts';
import { enabledPolicies, taskLimit } from './queries/policies.ts';
import type { GroupChange } from './schemas.ts';

const EVENTS_AT_ONCE = 5000;

/** The firings that new events and a new day call for. */
export interface Detected {
  /** The place in the log up to which detection has read. */
  next: Moment;
  firings: Firing[];
  /** People who were reactivated or deactivated. */
  moved: string[];
  /** Which holds were open or discarded (holdsVersion). */
  holds: string | null;
  /** The day in the organization's time zone. */
  today: string;
}

export interface Firing {
  policy: Policy;
  /** The people or accounts that triggered the policy. Null: all, for a daily policy. */
  subjects: string[] | null;
  /** Whether it is the run of a policy on this day. */
  isOfToday: boolean;
  /** The first or last days of people that made the policy fire. */
  days: ReachedDay[];
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
  const { today, timeZone } = await localTime(db);
  const triggered = await readTriggers(db, policies, { after, to: end });
  const changes = await groupChanges(db, { after, to: end });
  const waiting = await queries.heldForGroups(db);
  const due = await queries.dueToday(db);
  const holds = await holdsVersion(db);
  const firings: Firing[] = [];
  for (const policy of policies) {
    const isDaily = policy.trigger === 'daily';
    const change = changeConcerning(policy, changes);
    const isOfToday = due.has(policy.id);
    const fired = firedFor(policy, triggered);
    const days =
      policy.offset_days === null ? [] : await daysReached(db, policy, fired, { today, timeZone, isOfToday });
    const subjects =
      isDaily && (isOfToday || change !== null)
        ? null
        : (policy.offset_days === null ? [...fired.keys()] : days.map(({ user_id }) => user_id)).sort();
    if (subjects?.length === 0 && change === null && !isOfToday) continue;
    const planned = {
      ...(await planFiring(db, policy, subjects, {
        change: change ?? waiting.get(policy.id) ?? null,
        gate: new HoldGate(policy, holds),
      })),
      isOfToday,
      days,
      isWaiting: change === null && waiting.has(policy.id),
    };
    // Without tasks, there is nothing to add to what waits.
    firings.push(change === null && planned.count === 0 ? { ...planned, held: null } : planned);
  }
  const moved = MOVES.flatMap((trigger) => [...(triggered.get(trigger)?.keys() ?? [])]);
  return { next: end, firings, moved: [...new Set(moved)], holds, today };
}

/** While a change of a group awaits a confirmation, everything that the policy would do waits with it. */
async function planFiring(
  db: OrgDb,
  policy: Policy,
  subjects: string[] | null,
  { change, gate }: { change: GroupChange | null; gate: HoldGate },
): Promise<Omit<Firing, 'isOfToday' | 'isWaiting' | 'days'>> {
  const limit = await taskLimit(db);
  const prepared = await preparePolicy(db, policy);
  const { count, tasks, grants, suspensions, kept, undecided } = await planAll(db, prepared, subjects, {
    keep: limit,
    gate,
  });
  const held = change ?? (count > limit ? 'limit' : null);
  const concerned =
    held === null ? [...new Set([...tasks, ...grants, ...suspensions].map(({ subject }) => subject))] : [];
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

const firedFor = ({ trigger, fires_after }: Policy, triggered: Triggered): Map<string, Moment> =>
  new Map([...(triggered.get(trigger) ?? [])].filter(([, moment]) => moment > fires_after));

/** Returns the people whose day has come: by a new day, or because they were given one that has come already. */
function daysReached(
  db: OrgDb,
  policy: Policy,
  fired: ReadonlyMap<string, Moment>,
  { today, timeZone, isOfToday }: { today: string; timeZone: string; isOfToday: boolean },
): Promise<ReachedDay[]> {
  // Many people can come in one minute, and a day begins with one.
  const days = new Map<number, string>();
  const dayOf = (minute: number) => {
    const known = days.get(minute);
    if (known !== undefined) return known;
    const at = Temporal.Instant.fromEpochMilliseconds(minute * 60_000);
    const day = at.toZonedDateTimeISO(timeZone).toPlainDate().toString();
    days.set(minute, day);
    return day;
  };
  const changed = [...fired].map(([user_id, moment]) => {
    return { user_id, on: dayOf(Math.floor(moment / 60_000_000)) };
  });
  if (changed.length === 0 && !isOfToday) return Promise.resolve([]);
  return reachedDays(db, policy, { after: isOfToday ? policy.days_until : today, today, changed });
}

/** The events after which tasks may have lost their reason (D74). */
const MOVES = ['user.reactivated', 'user.deactivated'] as const;

/** Reads the events of a stretch of the log that can trigger these policies, and all who have left or are back. */
async function readTriggers(
  db: OrgDb,
  policies: readonly Policy[],
  { after, to }: { after: Moment; to: Moment },
): Promise<Triggered> {
  const wanted = new Set<Trigger>([...MOVES, ...policies.map(({ trigger }) => trigger)]);
  const triggers = TRIGGERS.filter((trigger) => wanted.has(trigger));
  const types = [...new Set(triggers.flatMap((trigger) => EVENTS_OF[trigger]))];
  const triggered: Triggered = new Map(triggers.map((trigger) => [trigger, new Map()]));
  for (let place = after; ; ) {
    const range = { after: place, to };
    const { entries, next, hasMore } = await readLog(db, range, types, EVENTS_AT_ONCE);
    for (const event of entries)
      for (const [trigger, subjects] of triggered)
        if (isFiring(trigger, event)) subjects.set(event.subject.uuid, event.moment);
    if (!hasMore) break;
    place = next;
  }
  const discovered = triggered.get('account.discovered');
  for (const id of await queries.expectedAmong(db, [...(discovered?.keys() ?? [])])) discovered?.delete(id);
  return triggered;
}

function isFiring(trigger: Trigger, event: LoggedEvent): boolean {
  if (!EVENTS_OF[trigger].includes(event.type)) return false;
  if (trigger === 'account.discovered') return isDiscovery(event);
  const field = DAY_OF[trigger];
  const { changes } = event.payload as { changes?: { field: string }[] };
  return field === undefined || changes === undefined || changes.some((one) => one.field === field);
}

/** Whether a sync discovered an account that was unknown before. One that returns is none. */
const isDiscovery = ({ source, payload }: LoggedEvent) =>
  source.type === 'sync' && (payload.previous_status ?? null) === null;
