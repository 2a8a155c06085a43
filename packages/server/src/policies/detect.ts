import type { ContractType } from '../events/catalog.ts';
import { endOfLog, eventsBetween, type FollowedEvent, type Moment } from '../events/follow.ts';
import type { Db } from '../platform/database/open.ts';
import { planAll } from './plan.ts';
import { EVENTS_OF, type Policy, TRIGGERS, type Trigger } from './policy.ts';
import { preparePolicy } from './prepare.ts';
import * as queries from './queries/firing.ts';
import { enabledPolicies, taskLimit } from './queries/policies.ts';

const EVENTS_AT_ONCE = 5000;

/** The firings that new events and a new day call for. */
export interface Detected {
  /** The cursor of the organization's policies when detection began. */
  readTo: Moment;
  /** The end of the log that detection has read. */
  end: Moment;
  firings: Firing[];
  /** People who were reactivated. */
  returned: string[];
}

export interface Firing {
  policy: Policy;
  /** The people or accounts that triggered the policy. Null: all, for a daily policy. */
  subjects: string[] | null;
  /** The number of tasks that it would create. */
  count: number;
  /** Whether `count` is above the organization's limit. */
  isTooLarge: boolean;
  /** The subjects that have tasks. Empty if the firing is too large. */
  concerned: string[];
}

/**
 * Detects the firings of an organization. Takes no locks, because planning for many people takes a while and most of
 * them need no task. Undefined if the organization never had a policy.
 */
export async function detectFirings(db: Db, orgId: string): Promise<Detected | undefined> {
  const readTo = await queries.readTo(db, orgId);
  if (readTo === undefined) return undefined;
  const end = await endOfLog(db, orgId);
  const policies = await enabledPolicies(db, orgId);
  const triggered = await readTriggers(db, orgId, policies, { after: readTo, to: end });
  const due = await queries.dueToday(db, orgId);
  const firings: Firing[] = [];
  for (const policy of policies) {
    const subjects = due.has(policy.id) ? null : subjectsOf(policy, triggered);
    if (subjects?.length !== 0) firings.push(await planFiring(db, orgId, policy, subjects));
  }
  return { readTo, end, firings, returned: [...(triggered.get('user.reactivated')?.keys() ?? [])] };
}

async function planFiring(db: Db, orgId: string, policy: Policy, subjects: string[] | null): Promise<Firing> {
  const limit = await taskLimit(db, orgId);
  const prepared = await preparePolicy(db, orgId, policy);
  const { count, tasks } = await planAll(db, orgId, prepared, subjects, limit);
  const isTooLarge = count > limit;
  const concerned = isTooLarge ? [] : [...new Set(tasks.map(({ subject }) => subject))];
  return { policy, subjects, count, isTooLarge, concerned: concerned.sort() };
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
  db: Db,
  orgId: string,
  policies: readonly Policy[],
  { after, to }: { after: Moment; to: Moment },
): Promise<Triggered> {
  const wanted = new Set<Trigger>(['user.reactivated', ...policies.map(({ trigger }) => trigger)]);
  const triggers = TRIGGERS.filter((trigger) => wanted.has(trigger));
  const triggerOf = new Map<ContractType, Trigger>(
    triggers.flatMap((trigger) => EVENTS_OF[trigger].map((type) => [type, trigger] as const)),
  );
  const triggered: Triggered = new Map(triggers.map((trigger) => [trigger, new Map()]));
  for (;;) {
    const events = await eventsBetween(db, orgId, { after, to }, [...triggerOf.keys()], EVENTS_AT_ONCE);
    for (const event of events) {
      const trigger = triggerOf.get(event.type) as Trigger;
      if (trigger === 'account.discovered' && !isDiscovery(event)) continue;
      triggered.get(trigger)?.set(event.subject.uuid, event.moment);
    }
    const last = events.at(-1);
    if (last === undefined || events.length < EVENTS_AT_ONCE) return triggered;
    after = last.moment;
  }
}

/** Whether a sync discovered an account that was unknown or inactive before. */
const isDiscovery = ({ source, payload }: FollowedEvent) =>
  source.type === 'sync' && [null, undefined, 'INACTIVE'].includes(payload.previous_status as null);
