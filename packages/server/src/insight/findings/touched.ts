import { accountsLinkedSince } from '#inventory/records/history/link-facts.ts';
import type { OrgDb } from '#kit/database.ts';
import type { EventType } from '#log/events/catalog.ts';
import type { LoggedEvent } from '#log/events/follow.ts';
import { KIND_NAMES, type KindName, type Subject } from './finding.ts';
import { KINDS } from './queries/kinds/index.ts';
import type { Touched } from './queries/kinds/kind.ts';
import * as queries from './queries/touched.ts';

/** The types of events after which findings can begin or end. */
export const TOUCHING_TYPES: EventType[] = [
  ...new Set(KIND_NAMES.flatMap((kind) => KINDS[kind].events)),
].sort();

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

const bySubject = <T>(of: (subject: Subject) => T): Record<Subject, T> => ({
  ...{ person: of('person'), account: of('account'), group: of('group'), app: of('app') },
  ...{ policy: of('policy'), hold: of('hold'), task: of('task') },
});

/** Returns the subjects that events name. */
function namedBy(events: readonly LoggedEvent[]): Record<Subject, Set<string>> {
  const named = bySubject(() => new Set<string>());
  for (const { subject } of events) {
    const type = SUBJECT_OF[subject.type];
    if (type !== undefined) named[type].add(subject.uuid);
  }
  for (const [field, of] of Object.entries(FIELDS))
    for (const id of queries.idsIn(events, field)) named[of].add(id);
  return named;
}

/** Returns what events name, and what belongs to it. */
async function reachedBy(db: OrgDb, events: readonly LoggedEvent[]): Promise<Touched> {
  const named = namedBy(events);
  const people = [...named.person];
  for (const { type, subject, payload } of events)
    if (type === 'app.sync.completed')
      for (const id of await accountsLinkedSince(db, subject.uuid, String(payload.started_at)))
        named.account.add(id);
  const holders = await queries.found([...named.account], (ids) => queries.peopleOfAccounts(db, ids));
  const held = await queries.found(people, (ids) => queries.accountsOfPeople(db, ids));
  for (const id of holders) named.person.add(id);
  for (const id of held) named.account.add(id);
  const of = bySubject((subject) => [...named[subject]]);
  return { events, of };
}

/** Returns the subjects of a kind in apps that syncs may have changed without an event of their own. */
async function inApps(db: OrgDb, name: KindName, apps: readonly string[]): Promise<string[]> {
  const { inApps: named } = KINDS[name];
  if (named === undefined || apps.length === 0) return [];
  const found = await queries.withFindingIn(db, name, apps);
  return named === 'found' ? found : [...found, ...(await queries.namedIds(db, named(db, apps)))];
}

/** Returns the subjects of which the findings may have changed, by kind. Null: all. Kinds that the events do not concern are missing. */
export async function touchedBy(
  db: OrgDb,
  events: readonly LoggedEvent[],
): Promise<Map<KindName, string[]> | null> {
  if (events.some(concernsAll)) return null;
  const types = new Set(events.map(({ type }) => type));
  const touched = await reachedBy(db, events);
  const subjects = new Map<KindName, string[]>();
  for (const name of KIND_NAMES) {
    const { subject, events: after, also } = KINDS[name];
    if (!after.some((type) => types.has(type))) continue;
    const others = also === undefined ? [] : await also(db, touched);
    const ids = [...touched.of[subject], ...others, ...(await inApps(db, name, touched.of.app))];
    subjects.set(name, [...new Set(ids)]);
  }
  return subjects;
}
