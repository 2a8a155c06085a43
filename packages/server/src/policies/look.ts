import type { EventType } from '../events/catalog.ts';
import { endOfLog, eventsBetween, type FollowedEvent, type Moment } from '../events/follow.ts';
import type { Db } from '../platform/database/open.ts';
import { planAll, ready } from './plan.ts';
import { EVENTS_OF, type Policy, TRIGGERS, type Trigger } from './policy.ts';
import * as queries from './queries/firing.ts';
import { enabledPolicies, taskLimit } from './queries/policies.ts';

const EVENTS_AT_ONCE = 5000;

/** What is to be done about what the log holds, and about a new day. */
export interface Findings {
  readTo: Moment;
  /** As far as was looked. */
  end: Moment;
  firings: Firing[];
  /** People who were reactivated. */
  returned: string[];
}

export interface Firing {
  policy: Policy;
  /** Whom the trigger is about; null: everyone. */
  subjects: string[] | null;
  /** The tasks that it would create, and whether they are more than the limit. */
  count: number;
  isTooLarge: boolean;
  /** Those of its subjects whom they are about, unless it is too large. */
  concerned: string[];
}

/**
 * Looks, before anything is locked, what there is to do for an organization's policies: that may take a while, and
 * most who are looked at are no concern of theirs. Undefined where there was never a policy.
 */
export async function look(db: Db, orgId: string): Promise<Findings | undefined> {
  const readTo = await queries.readTo(db, orgId);
  if (readTo === undefined) return undefined;
  const end = await endOfLog(db, orgId);
  const policies = await enabledPolicies(db, orgId);
  const happened = await whatHappened(db, orgId, policies, { after: readTo, to: end });
  const due = await queries.dueToday(db, orgId);
  const firings: Firing[] = [];
  for (const policy of policies) {
    const subjects = due.has(policy.id) ? null : subjectsOf(policy, happened);
    if (subjects?.length !== 0) firings.push(await firing(db, orgId, policy, subjects));
  }
  return { readTo, end, firings, returned: [...(happened.get('user.reactivated')?.keys() ?? [])] };
}

async function firing(db: Db, orgId: string, policy: Policy, subjects: string[] | null): Promise<Firing> {
  const limit = await taskLimit(db, orgId);
  const { count, tasks } = await planAll(db, orgId, await ready(db, orgId, policy), subjects, limit);
  const isTooLarge = count > limit;
  const concerned = isTooLarge ? [] : [...new Set(tasks.map(({ subject }) => subject))];
  return { policy, subjects, count, isTooLarge, concerned: concerned.sort() };
}

/** By trigger, whom something happened to, and when last. */
type Happened = Map<Trigger, Map<string, Moment>>;

const subjectsOf = ({ trigger, fires_after }: Policy, happened: Happened): string[] =>
  [...(happened.get(trigger) ?? [])]
    .filter(([, moment]) => moment > fires_after)
    .map(([id]) => id)
    .sort();

async function whatHappened(
  db: Db,
  orgId: string,
  policies: readonly Policy[],
  { after, to }: { after: Moment; to: Moment },
): Promise<Happened> {
  const wanted = new Set<Trigger>(['user.reactivated', ...policies.map(({ trigger }) => trigger)]);
  const triggers = TRIGGERS.filter((trigger) => wanted.has(trigger));
  const triggerOf = new Map<EventType, Trigger>(
    triggers.flatMap((trigger) => EVENTS_OF[trigger].map((type) => [type, trigger] as const)),
  );
  const happened: Happened = new Map(triggers.map((trigger) => [trigger, new Map()]));
  for (;;) {
    const page = await eventsBetween(db, orgId, { after, to }, [...triggerOf.keys()], EVENTS_AT_ONCE);
    for (const event of page) {
      const trigger = triggerOf.get(event.type) as Trigger;
      if (trigger === 'account.discovered' && !isDiscovery(event)) continue;
      happened.get(trigger)?.set(event.subject.uuid, event.moment);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < EVENTS_AT_ONCE) return happened;
    after = last.moment;
  }
}

/** A sync found an account, active or suspended, where we knew of none, or of one that was gone. */
const isDiscovery = ({ source, payload }: FollowedEvent) =>
  source.type === 'sync' && [null, undefined, 'INACTIVE'].includes(payload.previous_status as null);
