import { approversWaitedFor } from '../../decisions/requests/waiting.ts';
import { reviewersWaitedFor } from '../../decisions/reviews/waiting.ts';
import { providersExpiringBefore } from '../../directory/access/sign-in/providers.ts';
import type { OrgDb } from '../../kit/database/organization.ts';
import { openAssignment } from '../../work/fulfillment/tasks.ts';
import { countHeldTasks } from '../../work/provisioning/held.ts';
import type { KindName } from './kinds.ts';
import * as facts from './queries/facts.ts';
import { accessEndKey, certificateExpiryKey, keyExpiryKey } from './recipients.ts';

/** Something that waits for a person, or that was about to happen, when its notification was stored. */
export interface Wait {
  kind: KindName;
  key: string;
  /** The request, review cycle, task or app. */
  about: string | null;
}

type Check<About = string> = (
  db: OrgDb,
  person: facts.PersonFacts,
  wait: { key: string; about: About },
) => Promise<boolean>;

const isApprover: Check = async (db, { id }, { about }) =>
  (await approversWaitedFor(db, about)).some(({ userId }) => userId === id);
const isReviewer: Check = async (db, { id }, { about }) =>
  (await reviewersWaitedFor(db, about)).some(({ userId }) => userId === id);
const isPending: Check = async (db, _, { about }) =>
  (await facts.findTicket(db, about))?.status === 'PENDING';

/** The requester waits as long as the request does, and an approver until they have decided their step. */
const concernsExpiry: Check = async (db, person, wait) => {
  const ticket = await facts.findTicket(db, wait.about);
  if (ticket?.status !== 'PENDING') return false;
  return ticket.requester_id === person.id || isApprover(db, person, wait);
};

/** A task without an assignee waits for the administrators, and one that was escalated as well. */
const isAssigned: Check = async (db, { id, role }, { about }) => {
  const assignment = await openAssignment(db, about);
  if (assignment === undefined) return false;
  const isForAdministrators = assignment.assignee_id === null || assignment.escalated_at !== null;
  return assignment.assignee_id === id || (isForAdministrators && (role === 'owner' || role === 'admin'));
};

/** Access that was extended ends at another time, which has a notification of its own. */
const accessEnds: Check = async (db, _, { about, key }) =>
  (await facts.accessEnds(db, facts.ACCESS_ENDS_DAYS)).some(
    ({ ticket_id, ends_at }) => ticket_id === about && accessEndKey(ticket_id, ends_at) === key,
  );
const isOverdue: Check = async (db, _, { about }) =>
  (await facts.overdueSyncs(db)).some(({ app_id }) => app_id === about);
const CHECKS: Partial<Record<KindName, Check>> = {
  request_waiting: isApprover,
  request_reassigned: isApprover,
  request_reminder: isApprover,
  information_provided: isApprover,
  information_requested: isPending,
  request_expires: concernsExpiry,
  access_ends: accessEnds,
  review_assigned: isReviewer,
  review_reassigned: isReviewer,
  review_due: isReviewer,
  review_reminder: isReviewer,
  review_overdue: isReviewer,
  fulfillment_assigned: isAssigned,
  fulfillment_reassigned: isAssigned,
  fulfillment_due: isAssigned,
  fulfillment_overdue: isAssigned,
  removal_held: (db, _, { about }) => facts.hasHeldRemoval(db, about),
  budget_held: async (db, _, { about }) => ((await countHeldTasks(db, [about])).get(about) ?? 0) > 0,
  sync_overdue: isOverdue,
};

/** Kinds that are about a thing whose expiry only their keys name. */
const CHECKS_BY_KEY: Partial<Record<KindName, Check<unknown>>> = {
  key_expires: async (db, _, { key }) =>
    (await facts.expiringKeys(db, facts.KEY_EXPIRES_DAYS)).some(
      ({ id, expires_at }) => keyExpiryKey(id, expires_at) === key,
    ),
  certificate_expires: async (db, _, { key }) =>
    (await providersExpiringBefore(db, FAR)).some(
      ({ id, expires_at }) => certificateExpiryKey(id, expires_at) === key,
    ),
};
const FAR = new Date(8.64e15);

/** Returns whether what a notification says still waits for the person. Notices of what has happened always do. */
export async function stillWaits(
  db: OrgDb,
  person: facts.PersonFacts,
  { kind, key, about }: Wait,
): Promise<boolean> {
  const byKey = CHECKS_BY_KEY[kind];
  if (byKey !== undefined) return byKey(db, person, { key, about });
  if (about === null) return true;
  return (await CHECKS[kind]?.(db, person, { key, about })) ?? true;
}
