import { accountsOfRequests } from '#decisions/requests/facts.ts';
import { reviewersOfItems, reviewersOfOpenCycles } from '#decisions/reviews/reviewers/facts.ts';
import { accountsLinkedSince } from '#inventory/records/history/link-facts.ts';
import type { OrgDb } from '#kit/database.ts';
import { isUuid } from '#kit/ids.ts';
import type { EventType } from '#log/events/catalog.ts';
import type { LoggedEvent } from '#log/events/follow.ts';
import { KIND_NAMES, type Subject } from './finding.ts';
import { KINDS } from './queries/kinds/index.ts';
import * as queries from './queries/touched.ts';

/** The types of events after which findings can begin or end. */
export const TOUCHING_TYPES: EventType[] = [
  'account.provisioned',
  'account.deprovisioned',
  'account.activated',
  'account.suspended',
  'account.unsuspended',
  'account.group.added',
  'account.group.removed',
  'account_link.changed',
  'account_correlation.changed',
  'account_owner.changed',
  'app.connected',
  'app.disconnected',
  'app.sync.completed',
  'app.sync.failed',
  'app.sync.paused',
  'app_settings.archived',
  'app_settings.changed',
  'campaign.closed',
  'campaign.started',
  'factor.added',
  'factor.removed',
  'fulfillment.assigned',
  'fulfillment.configured',
  'fulfillment.reassigned',
  'password.changed',
  'provider.created',
  'provider.deleted',
  'provider.updated',
  'removal_budget.confirmed',
  'removal_budget.rejected',
  'removal_guard.approved',
  'removal_guard.rejected',
  'review.decided',
  'review.decision_withdrawn',
  'review.reassigned',
  'sync.reverted',
  'people.change_held',
  'people.change_confirmed',
  'people.change_discarded',
  'person.merged',
  'policy.actions_confirmed',
  'policy.actions_discarded',
  'policy.deleted',
  'policy.held',
  'policy.updated',
  'task.cancelled',
  'task.completed',
  'task.failed',
  'task.preempted',
  'ticket.approved',
  'user.created',
  'user.deactivated',
  'user.deleted',
  'user.reactivated',
  'user.updated',
];

/** The fields of payloads that name subjects. Fields with other texts than ids are ignored. */
const FIELDS: Record<string, Subject> = {
  account_id: 'account',
  user_id: 'person',
  from: 'person',
  to: 'person',
  policy_id: 'policy',
  hold_id: 'hold',
  task_id: 'task',
};
const SUBJECT_OF: Partial<Record<string, Subject>> = {
  platform_user: 'person',
  app_user: 'account',
  app: 'app',
  task: 'task',
};

/** Returns whether an event can concern any record of an app: a first sync, for example, has no events of single records. */
const concernsAll = ({ type, payload }: LoggedEvent): boolean =>
  type === 'app_settings.archived' ||
  type === 'sync.reverted' ||
  (type === 'app.sync.completed' && payload.baseline === true);

/** Returns whether an event can concern any reviewer. */
const concernsReviewers = ({ type }: LoggedEvent): boolean =>
  type.startsWith('campaign.') || type.startsWith('provider.');

type Touched = Record<Subject, Set<string>>;

const idsIn = (value: unknown): string[] =>
  [value].flat().filter((id): id is string => typeof id === 'string' && isUuid(id));

/** Returns the subjects that events name. */
function namedBy(events: readonly LoggedEvent[]): Touched {
  const named: Touched = {
    ...{ person: new Set(), account: new Set(), group: new Set(), app: new Set() },
    ...{ policy: new Set(), hold: new Set(), task: new Set() },
  };
  for (const { subject, payload } of events) {
    const type = SUBJECT_OF[subject.type];
    if (type !== undefined) named[type].add(subject.uuid);
    for (const [field, of] of Object.entries(FIELDS))
      for (const id of idsIn(payload[field])) named[of].add(id);
  }
  return named;
}

/** Returns the subjects of which the findings may have changed, by their type. Null: all. */
export async function touchedBy(
  db: OrgDb,
  events: readonly LoggedEvent[],
): Promise<Record<Subject, string[]> | null> {
  if (events.some(concernsAll)) return null;
  const touched = namedBy(events);
  const people = [...touched.person];
  const items = events.flatMap(({ payload }) => idsIn(payload.item_id));
  const merged = events.flatMap(({ type, payload, subject }) =>
    type === 'person.merged' ? [subject.uuid, ...idsIn(payload.from)] : [],
  );
  const add = async (subject: Subject, ids: readonly string[], find: typeof queries.peopleOfAccounts) => {
    if (ids.length > 0) for (const id of await find(db, ids)) touched[subject].add(id);
  };
  for (const { type, subject, payload } of events)
    if (type === 'app.sync.completed')
      await add('account', [subject.uuid], () =>
        accountsLinkedSince(db, subject.uuid, String(payload.started_at)),
      );
  await add('person', [...touched.account], queries.peopleOfAccounts);
  await add('account', people, queries.accountsOfPeople);
  await add('account', merged, accountsOfRequests);
  await add('person', items, reviewersOfItems);
  if (events.some(concernsReviewers)) {
    for (const id of await reviewersOfOpenCycles(db)) touched.person.add(id);
    for (const id of await queries.withFinding(db, 'reviewer_cannot_sign_in')) touched.person.add(id);
  }
  const apps = [...touched.app];
  for (const kind of KIND_NAMES) {
    const { subject, inApps } = KINDS[kind];
    if (inApps === undefined) continue;
    await add(subject, apps, (_, ids) => queries.withFindingIn(db, kind, ids));
    if (inApps !== 'found') await add(subject, apps, (_, ids) => queries.idsOf(db, inApps(db, ids)));
  }
  await add('group', [...apps, ...touched.account], queries.highRiskGroups);
  await add('group', people, queries.ownedHighRiskGroups);
  // A deletion leaves the groups of the person without a trace of them.
  if (events.some(({ type }) => type === 'user.deleted'))
    await add('group', people, queries.highRiskGroupsWithoutOwner);
  return {
    person: [...touched.person],
    account: [...touched.account],
    group: [...touched.group],
    app: apps,
    policy: [...touched.policy],
    hold: [...touched.hold],
    task: [...touched.task],
  };
}
