import { PERSON_FIELDS } from '../people/facts.ts';
import { type Fields, plainFields } from '../platform/cel-fields.ts';
import type { Db } from '../platform/database/open.ts';
import type { Trigger, VARIABLES } from './policy.ts';
import type { AccountFacts, AppFacts, PersonFacts, Window } from './queries/targets.ts';
import * as queries from './queries/targets.ts';

/** The subject of a condition: a person in an app with one of their accounts there, or an orphaned account. */
export interface Target {
  user: PersonFacts | null;
  account: AccountFacts | null;
  app: AppFacts;
  /** Whether a grant concerns this account if the person has several in the app. */
  isMain: boolean;
}

/** The people or accounts that a trigger can concern. The stages of a trigger run in order. */
type Stage = { of: 'people'; status: PersonFacts['status'] | null } | { of: 'accounts'; orphaned: boolean };

export const STAGES: Record<Trigger, readonly Stage[]> = {
  'user.created': [{ of: 'people', status: null }],
  'user.updated': [{ of: 'people', status: null }],
  'user.deactivated': [{ of: 'people', status: 'deactivated' }],
  'user.reactivated': [{ of: 'people', status: 'active' }],
  'account.discovered': [{ of: 'accounts', orphaned: false }],
  daily: [
    { of: 'people', status: null },
    { of: 'accounts', orphaned: true },
  ],
};

/** The apps of a policy's effects, and those in which it also concerns people without an account. */
export interface Reach {
  apps: readonly AppFacts[];
  granting: ReadonlySet<string>;
}

/** Returns the targets of one window, and its last id: undefined if the window is empty. */
export async function targetsIn(
  db: Db,
  orgId: string,
  reach: Reach,
  stage: Stage,
  window: Window,
): Promise<{ targets: Target[]; last: string | undefined }> {
  return stage.of === 'people'
    ? targetsOfPeople(db, orgId, reach, await queries.peopleWithin(db, orgId, window, stage.status))
    : targetsOfAccounts(db, orgId, reach, stage.orphaned, window);
}

async function targetsOfPeople(db: Db, orgId: string, { apps, granting }: Reach, people: PersonFacts[]) {
  const ids = apps.map(({ id }) => id);
  const accounts = people.length === 0 ? [] : await queries.accountsOf(db, orgId, people, ids);
  const byPersonAndApp = Map.groupBy(accounts, ({ person_id, app_id }) => `${person_id} ${app_id}`);
  const targets: Target[] = [];
  for (const user of people) {
    for (const app of apps) {
      const own = byPersonAndApp.get(`${user.id} ${app.id}`) ?? [];
      targets.push(...own.map((account, i) => ({ user, account, app, isMain: i === 0 })));
      if (own.length === 0 && granting.has(app.id)) targets.push({ user, account: null, app, isMain: true });
    }
  }
  return { targets, last: people.at(-1)?.id };
}

async function targetsOfAccounts(db: Db, orgId: string, { apps }: Reach, orphaned: boolean, window: Window) {
  const byId = new Map(apps.map((app) => [app.id, app]));
  const accounts = await queries.accountsWithin(db, orgId, window, [...byId.keys()], orphaned);
  const linked = new Set(accounts.flatMap(({ person_id }) => person_id ?? []));
  const people = await queries.peopleWithin(db, orgId, { ids: [...linked] });
  const userOf = new Map(people.map((person) => [person.id, person]));
  const targets = accounts.flatMap((account): Target[] => {
    const app = byId.get(account.app_id);
    const user = userOf.get(account.person_id ?? '') ?? null;
    return app === undefined ? [] : [{ user, account, app, isMain: true }];
  });
  return { targets, last: accounts.at(-1)?.id };
}

/** Returns the target as its condition sees it. Every slug of the app is present, with an empty list if unused. */
export function variablesOf({ user, account, app }: Target, today: string): Record<string, unknown> {
  return {
    user,
    account: account === null ? null : accountVariable(account, app),
    app: { id: app.id, name: app.name, owner: app.owner },
    today,
  };
}

/** The fields of these variables, for the check of a condition. Resource type slugs can have any name. */
export const FIELDS: Record<(typeof VARIABLES)[number], Fields | 'other'> = {
  user: PERSON_FIELDS,
  account: {
    ...plainFields('id', 'external_id', 'email', 'username', 'display_name', 'status', 'last_seen_at'),
    memberships: 'any',
    assignments: 'any',
  },
  app: plainFields('id', 'name', 'owner'),
  today: 'other',
};

function accountVariable(account: AccountFacts, { groups, licenses }: AppFacts) {
  const { id, external_id, email, username, display_name, status, last_seen_at, held } = account;
  const idsBySlug = (slugs: string[]) =>
    Object.fromEntries(
      slugs.map((slug) => [slug, held.filter((one) => one.slug === slug).map((one) => one.id)]),
    );
  return {
    ...{ id, external_id, email, username, display_name, status, last_seen_at },
    memberships: idsBySlug(groups),
    assignments: idsBySlug(licenses),
  };
}
