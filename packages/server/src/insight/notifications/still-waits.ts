import { openHoldsAmong } from '../../decisions/holds/facts.ts';
import { heldPoliciesAmong } from '../../decisions/policies/facts.ts';
import { approversOfTickets } from '../../decisions/requests/waiting.ts';
import { cyclesWaitingFor } from '../../decisions/reviews/waiting.ts';
import { providersExpiringBefore } from '../../directory/access/sign-in/providers.ts';
import type { OrgDb } from '../../kit/database/organization.ts';
import { failingWebhooksAmong } from '../../log/webhooks/facts.ts';
import { openAssignments } from '../../work/fulfillment/facts.ts';
import { countHeldTasks } from '../../work/provisioning/facts.ts';
import type { KindName } from './kinds.ts';
import * as facts from './queries/lookups.ts';
import { accessEndKey, certificateExpiryKey, keyExpiryKey } from './recipients.ts';

/** Something that waits for a person, or that was about to happen, when its notification was stored. */
export interface Wait {
  kind: KindName;
  dedupe_key: string;
  /** The request, review cycle, task, app, webhook or policy. */
  about_id: string | null;
}

/** Returns those of the things that still wait, with as many statements for many as for one. */
type Check = (db: OrgDb, person: facts.PersonFacts, ids: readonly string[]) => Promise<Iterable<string>>;

const toApprove = async (db: OrgDb, { id }: facts.PersonFacts, tickets: readonly string[]) => {
  const approvers = await approversOfTickets(db, tickets);
  return tickets.filter((ticket) => approvers.get(ticket)?.some(({ userId }) => userId === id));
};
const toReview: Check = (db, person, cycles) => cyclesWaitingFor(db, cycles, person);

const toAnswer: Check = async (db, _, ids) => {
  const tickets = await facts.findTickets(db, ids);
  return [...tickets.values()]
    .filter(({ status, lacks_information }) => status === 'PENDING' && lacks_information)
    .map(({ id }) => id);
};

/** The requester waits as long as the request does, and an approver until they have decided their step. */
const expiring: Check = async (db, person, ids) => {
  const tickets = await facts.findTickets(db, ids);
  const requested = [...tickets.values()].filter(
    ({ status, requester_id }) => status === 'PENDING' && requester_id === person.id,
  );
  return [...requested.map(({ id }) => id), ...(await toApprove(db, person, ids))];
};

/** A task without an assignee waits for the administrators, and one that was escalated as well. */
const toFulfill: Check = async (db, { id, role }, tasks) => {
  const administers = role === 'owner' || role === 'admin';
  return (await openAssignments(db, tasks))
    .filter(
      ({ assignee_id, escalated_at }) =>
        assignee_id === id || (administers && (assignee_id === null || escalated_at !== null)),
    )
    .map(({ task_id }) => task_id);
};

const CHECKS: Partial<Record<KindName, Check>> = {
  request_waiting: toApprove,
  request_reassigned: toApprove,
  request_reminder: toApprove,
  information_provided: toApprove,
  information_requested: toAnswer,
  request_expires: expiring,
  review_assigned: toReview,
  review_reassigned: toReview,
  review_due: toReview,
  review_reminder: toReview,
  review_overdue: toReview,
  fulfillment_assigned: toFulfill,
  fulfillment_reassigned: toFulfill,
  fulfillment_due: toFulfill,
  fulfillment_overdue: toFulfill,
  removal_held: (db, _, apps) => facts.appsWithHeldRemoval(db, apps),
  people_change_held: (db, _, holds) => openHoldsAmong(db, holds),
  budget_held: async (db, _, apps) => (await countHeldTasks(db, apps)).keys(),
  sync_overdue: async (db) => (await facts.overdueSyncs(db)).map(({ app_id }) => app_id),
  webhook_failing: (db, _, webhooks) => failingWebhooksAmong(db, webhooks),
  policy_held: (db, _, policies) => heldPoliciesAmong(db, policies),
};

/** Kinds about a time that their keys name: another time has a notification of its own. Each returns the keys that still hold. */
const KEYS: Partial<Record<KindName, (db: OrgDb) => Promise<string[]>>> = {
  access_ends: async (db) =>
    (await facts.accessEnds(db, facts.ACCESS_ENDS_DAYS)).map(({ ticket_id, ends_at }) =>
      accessEndKey(ticket_id, ends_at),
    ),
  key_expires: async (db) =>
    (await facts.expiringKeys(db, facts.KEY_EXPIRES_DAYS)).map(({ id, expires_at }) =>
      keyExpiryKey(id, expires_at),
    ),
  certificate_expires: async (db) =>
    (await providersExpiringBefore(db, FAR)).map(({ id, expires_at }) =>
      certificateExpiryKey(id, expires_at),
    ),
};
const FAR = new Date(8.64e15);

/**
 * Returns the notifications of which what they say still waits for the person. Notices of what has happened always do. A digest can
 * have very many: each kind of thing takes the same few statements, however many of them there are.
 */
export async function stillWaiting<T extends Wait>(
  db: OrgDb,
  person: facts.PersonFacts,
  waits: readonly T[],
): Promise<T[]> {
  const over = new Set<T>();
  for (const [check, group] of Map.groupBy(waits, ({ kind }) => CHECKS[kind])) {
    if (check === undefined) continue;
    const ids = new Set(group.flatMap(({ about_id }) => about_id ?? []));
    const waiting = new Set(await check(db, person, [...ids]));
    for (const wait of group) if (wait.about_id !== null && !waiting.has(wait.about_id)) over.add(wait);
  }
  for (const [keys, group] of Map.groupBy(waits, ({ kind }) => KEYS[kind])) {
    if (keys === undefined) continue;
    const holding = new Set(await keys(db));
    for (const wait of group) if (!holding.has(wait.dedupe_key)) over.add(wait);
  }
  return waits.filter((wait) => !over.has(wait));
}
