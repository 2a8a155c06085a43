import { mainAccountsOf } from '#inventory/records/accounts/account-facts.ts';
import type { OrgDb } from '#kit/database.ts';
import type { FormerAccount, FormerMembership, PresentAccount, Scope } from './queries/access.ts';
import * as access from './queries/access.ts';
import type {
  Certainty,
  Coverage,
  PlannedTask,
  RestoreAction,
  RestoreResult,
  RestoreTask,
  Skipped,
} from './schemas.ts';

const SKIPPED = {
  deactivated: 'The person is deactivated.',
  ended: 'The last day of the person has passed.',
  nobody: 'The account no longer exists and belonged to nobody, so it cannot be created again.',
  reassigned: 'The account belongs to another person now.',
  type: 'The person has an account of another type in the app, which takes its place.',
  archived: 'The app is archived.',
  resource: 'Groups or licenses of the account no longer exist in the app.',
  derived:
    'The account had groups or licenses through another one that it does not get back. Grant that one, or change it in the app.',
} as const;

export interface RestorePlan {
  coverage: Coverage[];
  items: RestoreTask[];
  skipped: Skipped[];
}

export interface RestoreInput {
  scope: Scope;
  /** In ISO 8601 with microseconds. */
  asOf: string;
  includePossible: boolean;
}

/**
 * Finds the tasks that bring access back to what it was at a time. It removes nothing, and gives nothing to people who
 * are deactivated now or whose last day has passed.
 */
export async function planRestore(db: OrgDb, input: RestoreInput): Promise<RestorePlan> {
  const { scope, asOf } = input;
  const within =
    'users' in scope ? { accounts: await access.accountsLinkedAt(db, scope.users, asOf) } : scope;
  const former = await access.accountsAt(db, within, asOf);
  const held = Map.groupBy(await access.membershipsAt(db, within, asOf), ({ account_id }) => account_id);
  const plan = newPlan(input, await contextOf(db, former));
  for (const account of former) plan.add(account, held.get(account.account_id) ?? []);
  return { coverage: await coverageOf(db, scope, former, asOf), ...plan.result() };
}

/** Whether the access of the concerned apps was known. If there are no accounts, every app is concerned. */
function coverageOf(db: OrgDb, scope: Scope, former: FormerAccount[], asOf: string) {
  if ('app' in scope) return access.coverageOf(db, [scope.app], asOf);
  const apps = [...new Set(former.map(({ app_id }) => app_id))];
  return access.coverageOf(db, apps.length === 0 ? null : apps, asOf);
}

interface Context {
  people: Map<string, access.PresentPerson>;
  accounts: Map<string, PresentAccount>;
  /** The account that a person has in an app now, by `<person> <app>`. */
  main: Map<string, string>;
}

async function contextOf(db: OrgDb, former: FormerAccount[]): Promise<Context> {
  const ids = new Set(former.flatMap((account) => personOf(account) ?? []));
  const people = await access.peopleNow(db, [...ids]);
  const gone = former.filter(({ present_status }) => present_status === 'INACTIVE');
  const owners = new Set(gone.flatMap((account) => personOf(account) ?? []));
  const found = await mainAccountsOf(
    db,
    [...people.values()].filter(({ id }) => owners.has(id)),
    [...new Set(gone.map(({ app_id }) => app_id))],
  );
  const concerned = new Set([...former.map(({ account_id }) => account_id), ...found.map(({ id }) => id)]);
  return {
    people,
    accounts: await access.accountsNow(db, [...concerned]),
    main: new Map(found.map(({ id, app_id, person_id }) => [`${person_id} ${app_id}`, id])),
  };
}

/** The person whose access it was. An account that belonged to nobody then counts for its present person. */
const personOf = ({ person_id, present_user_id }: FormerAccount) => person_id ?? present_user_id;

/** Whether something was given by what the account neither has nor gets back (D68). The rest returns with its giver. */
function losesDerived(held: FormerMembership[], had: Set<string>): boolean {
  let derived = held.filter(({ active, entitlement_id, via }) => {
    return active && via !== null && !had.has(entitlement_id);
  });
  for (;;) {
    const given = derived.filter(({ via }) => via !== null && had.has(via));
    if (given.length === 0) return derived.length > 0;
    for (const { entitlement_id } of given) had.add(entitlement_id);
    derived = derived.filter(({ entitlement_id }) => !had.has(entitlement_id));
  }
}

/** Collects the items. Two accounts of a person that no longer exist become one. */
function newPlan({ includePossible }: RestoreInput, { people, accounts, main }: Context) {
  const items = new Map<string, RestoreTask>();
  const skipped: Skipped[] = [];
  const counts = (certainty: Certainty) => includePossible || certainty === 'certain';

  function put(
    former: FormerAccount,
    action: RestoreAction,
    target: string | null,
    resources: RestoreTask['resources'],
  ) {
    const { certainty } = former;
    const user = personOf(former);
    const key = `${target ?? `${user} ${former.app_id}`} ${action}`;
    const known = items.get(key);
    const included = action === 'update_account' ? resources.some((one) => one.included) : counts(certainty);
    if (known === undefined) {
      const { app_id, app_name } = former;
      items.set(key, {
        app: { id: app_id, name: app_name },
        account: accountOf(former),
        target,
        user,
        action,
        resources,
        certainty,
        included,
      });
      return;
    }
    const ids = new Set(known.resources.map(({ entitlement_id }) => entitlement_id));
    known.resources.push(...resources.filter(({ entitlement_id }) => !ids.has(entitlement_id)));
    known.included ||= included;
    if (certainty === 'certain') known.certainty = 'certain';
  }

  function skip(former: FormerAccount, reason: keyof typeof SKIPPED) {
    const { app_id: id, app_name: name } = former;
    skipped.push({
      app: { id, name },
      account: accountOf(former),
      user: personOf(former),
      reason: SKIPPED[reason],
    });
  }

  /** The groups and licenses that the account held then, still exist, and neither are held nor about to be. */
  function missing(
    former: FormerAccount,
    held: FormerMembership[],
    now: PresentAccount | undefined,
  ): RestoreTask['resources'] {
    if (held.some(({ active }) => !active)) skip(former, 'resource');
    const present = new Set([...(now?.held ?? []), ...(now?.open ?? []).flatMap(({ added }) => added)]);
    const returning = held.filter(({ active, entitlement_id, via }) => {
      return active && via === null && !present.has(entitlement_id);
    });
    if (losesDerived(held, new Set([...present, ...returning.map(({ entitlement_id }) => entitlement_id)])))
      skip(former, 'derived');
    return returning.map(({ account_id: _, active: __, via: ___, ...one }) => ({
      ...one,
      included: counts(one.certainty),
    }));
  }

  /** An account that exists: it is unsuspended if it was not suspended then, and gets back what it lacks. */
  function change(former: FormerAccount, held: FormerMembership[], now: PresentAccount) {
    const isUnsuspended = now.open.some(({ action }) => action === 'unsuspend_account');
    if (now.status === 'SUSPENDED' && former.status !== 'SUSPENDED' && !isUnsuspended)
      put(former, 'unsuspend_account', now.id, []);
    const resources = missing(former, held, now);
    if (resources.length > 0) put(former, 'update_account', now.id, resources);
  }

  /** Why an account gets nothing back, if so. */
  function obstacleOf(former: FormerAccount, isGone: boolean): keyof typeof SKIPPED | undefined {
    const { app_archived, person_id, present_user_id } = former;
    const person = people.get(personOf(former) ?? '');
    if (app_archived) return 'archived';
    if (person?.status === 'deactivated') return 'deactivated';
    if (person?.has_ended) return 'ended';
    if (isGone) return person === undefined ? 'nobody' : undefined;
    return person_id !== null && person_id !== present_user_id ? 'reassigned' : undefined;
  }

  function add(former: FormerAccount, held: FormerMembership[]) {
    const now = existing(former.account_id);
    if (former.status === 'INACTIVE' || (now === undefined && former.status === 'SUSPENDED')) return;
    const obstacle = obstacleOf(former, now === undefined);
    if (obstacle !== undefined) return skip(former, obstacle);
    // A person whose account is gone may already have another one in the app, or gets that one again.
    const other = main.get(`${personOf(former)} ${former.app_id}`);
    const { resource_type_id: type } = accounts.get(other ?? '') ?? former;
    if (now === undefined && type !== former.resource_type_id) return skip(former, 'type');
    const target = now ?? existing(other);
    if (target !== undefined) return change(former, held, target);
    put(former, 'create_account', null, missing(former, held, undefined));
  }

  function existing(id: string | undefined): PresentAccount | undefined {
    const account = accounts.get(id ?? '');
    return account?.status === 'INACTIVE' ? undefined : account;
  }

  return { add, result: () => ({ items: [...items.values()], skipped }) };
}

const accountOf = ({ account_id: id, email, display_name, external_id }: FormerAccount) => ({
  id,
  email,
  display_name,
  external_id,
});

/** The tasks of the included items, in an order that two plans can be compared in. */
export const tasksOf = ({ items }: RestorePlan): PlannedTask[] =>
  items
    .filter(({ included }) => included)
    .map(({ app, target, user, action, resources }) => ({
      app: app.id,
      account: target,
      user,
      action,
      add: resources
        .filter(({ included }) => included)
        .map(({ entitlement_id }) => entitlement_id)
        .sort(),
    }));

export function countsOf({ items, skipped }: RestorePlan): RestoreResult['counts'] {
  const included = items.filter((item) => item.included);
  const resources = included.flatMap((item) => item.resources.filter((one) => one.included));
  const of = (action: RestoreAction) => included.filter((item) => item.action === action).length;
  const withType = (type: string) => resources.filter((one) => one.type === type).length;
  return {
    create_account: of('create_account'),
    unsuspend_account: of('unsuspend_account'),
    update_account: of('update_account'),
    groups: withType('group'),
    licenses: withType('license'),
    left_out:
      items.length -
      included.length +
      items.flatMap((item) => item.resources).filter((one) => !one.included).length,
    skipped: skipped.length,
  };
}
