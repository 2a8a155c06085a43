import { mainAccountsOf } from '#inventory/records/accounts/account-facts.ts';
import type { OrgDb } from '#kit/database.ts';
import { type Choice, chosenTasks, type Wish } from './choice.ts';
import type { FormerAccount, FormerMembership, PresentAccount, Scope } from './queries/access.ts';
import * as access from './queries/access.ts';
import type { Coverage, RestoreAction, RestoreTask, Skipped } from './schemas.ts';

const SKIPPED = {
  deactivated: 'The person is deactivated.',
  ended: 'The last day of the person has passed.',
  nobody: 'The account no longer exists and belonged to nobody, so it cannot be created again.',
  reassigned: 'The account belongs to another person now.',
  type: 'The person has an account of another type in the app, which takes its place.',
  archived: 'The app is archived.',
  suspended: 'The account was suspended then and no longer exists. A restore does not create it.',
  renamed: 'Groups or licenses of the account have another name now, so they are other ones.',
  resource: 'Groups or licenses of the account no longer exist in the app.',
  derived:
    'The account had groups or licenses through another one that it does not get back. Grant that one, or change it in the app.',
} as const;

export interface RestorePlan {
  coverage: Coverage[];
  items: RestoreTask[];
  skipped: Skipped[];
}

export interface RestoreInput extends Choice {
  scope: Scope;
  /** In ISO 8601 with microseconds. */
  asOf: string;
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
  const plan = newPlan(await contextOf(db, former));
  for (const account of former) plan.add(account, held.get(account.account_id) ?? []);
  return {
    coverage: await coverageOf(db, scope, former, asOf),
    items: await chosenTasks(db, plan.wishes, input, asOf),
    skipped: plan.skipped,
  };
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

/** Collects what is missing, and what cannot come back. */
function newPlan({ people, accounts, main }: Context) {
  const wishes: Wish[] = [];
  const skipped: Skipped[] = [];

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
  ): FormerMembership[] {
    if (held.some(({ active }) => !active)) skip(former, 'resource');
    const present = new Set([...(now?.held ?? []), ...(now?.open ?? []).flatMap(({ added }) => added)]);
    const lost = held.filter(({ active, entitlement_id, via }) => {
      return active && via === null && !present.has(entitlement_id);
    });
    const returning = lost.filter(({ renamed }) => !renamed);
    if (returning.length < lost.length) skip(former, 'renamed');
    if (losesDerived(held, new Set([...present, ...returning.map(({ entitlement_id }) => entitlement_id)])))
      skip(former, 'derived');
    return returning;
  }

  /** Why an account gets nothing back, if so. */
  function obstacleOf(former: FormerAccount, isGone: boolean): keyof typeof SKIPPED | undefined {
    const { app_archived, person_id, present_user_id } = former;
    const person = people.get(personOf(former) ?? '');
    if (app_archived) return 'archived';
    if (person?.status === 'deactivated') return 'deactivated';
    if (person?.has_ended) return 'ended';
    if (isGone && former.status === 'SUSPENDED') return 'suspended';
    if (isGone) return person === undefined ? 'nobody' : undefined;
    return person_id !== null && person_id !== present_user_id ? 'reassigned' : undefined;
  }

  function add(former: FormerAccount, held: FormerMembership[]) {
    const now = existing(former.account_id);
    if (former.status === 'INACTIVE') return;
    const obstacle = obstacleOf(former, now === undefined);
    if (obstacle !== undefined) return skip(former, obstacle);
    // A person whose account is gone may already have another one in the app, or gets that one again.
    const other = main.get(`${personOf(former)} ${former.app_id}`);
    const { resource_type_id: type } = accounts.get(other ?? '') ?? former;
    if (now === undefined && type !== former.resource_type_id) return skip(former, 'type');
    collect(former, held, now ?? existing(other), other);
  }

  /** `target`: the account that gets it; `other`: the one that the person has, or had. */
  function collect(
    former: FormerAccount,
    held: FormerMembership[],
    target: PresentAccount | undefined,
    other: string | undefined,
  ) {
    const user = personOf(former);
    const subject = target?.id ?? other ?? null;
    const wish = { former, account: accountOf(former), user, target: target?.id ?? null, subject };
    const of = (action: RestoreAction, resource: FormerMembership | null, found: boolean) =>
      wishes.push({ ...wish, action, resource, found });

    if (target === undefined)
      of('create_account', null, !former.given || held.some(({ given, via }) => !given && via === null));
    else if (target.status === 'SUSPENDED' && former.status !== 'SUSPENDED' && !isUnsuspended(target))
      of('unsuspend_account', null, false);
    for (const one of missing(former, held, target))
      of(target === undefined ? 'create_account' : 'update_account', one, !one.given);
  }

  function existing(id: string | undefined): PresentAccount | undefined {
    const account = accounts.get(id ?? '');
    return account?.status === 'INACTIVE' ? undefined : account;
  }

  return { add, wishes, skipped };
}

const isUnsuspended = ({ open }: PresentAccount) => open.some(({ action }) => action === 'unsuspend_account');

const accountOf = ({ account_id: id, email, display_name, external_id }: FormerAccount) => ({
  id,
  email,
  display_name,
  external_id,
});
