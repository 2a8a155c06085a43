import { holdApps } from '#inventory/apps/facts.ts';
import type { AccountHolder, AwaitedAccount } from '#inventory/records/accounts/account.ts';
import { lockAccounts, mainAccountsOf } from '#inventory/records/accounts/account-facts.ts';
import { awaitAccounts } from '#inventory/records/accounts/task-operations.ts';
import type { OrgTx } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import { type AccountType, accountTypes } from './queries/find.ts';
import { lockPeople } from './queries/lock.ts';
import { taskRefusals } from './sentences.ts';
import { chooseUserNames } from './user-names/choose.ts';

/** The part of a NewTask that says which account it is about. */
export type AboutAccount = { appId: string } & (
  | {
      action: 'create_account';
      userId: string;
      resourceType?: string | null;
      reservedAccountId?: string | null;
    }
  | { action: string; accountId: string }
);
type Creation = Extract<AboutAccount, { userId: string }>;

/**
 * Returns the account of each task, in the order of `given`, and locks them all. A create_account gets a new account,
 * or the person's INACTIVE one, which starts again (D25). Locks all people first and then all accounts, each by id, so
 * that two calls cannot deadlock.
 */
export async function accountsFor(tx: OrgTx, given: readonly AboutAccount[]): Promise<string[]> {
  const wanted = given.map(withLowerCaseIds);
  const creations = wanted.filter(isCreation);
  const people = await requirePeople(tx, creations);
  const known = await knownAccounts(tx, creations, people);
  const named = wanted.flatMap((task) => ('accountId' in task ? [task.accountId] : []));
  const locked = await lockAccounts(tx, [...new Set([...named, ...known.values()])]);
  const accounts = new Map(locked.map((account) => [account.id, account]));
  const missing = wanted.some(
    (task) => 'accountId' in task && accounts.get(task.accountId)?.app_id !== task.appId,
  );
  if (missing) throw notFound('Account');

  const isLive = (id: string | undefined) => id !== undefined && accounts.get(id)?.status !== 'INACTIVE';
  const keys = creations.map(keyOf);
  if (new Set(keys).size < keys.length || keys.some((key) => isLive(known.get(key))))
    throw taskRefusals.live_account_exists();
  if (creations.length === 0) return wanted.map((task) => (task as { accountId: string }).accountId);
  const added = creations.filter((creation) => !known.has(keyOf(creation)));
  const holders = await holdersOf(tx, creations, { people, known });
  const ids = await awaitAccounts(tx, {
    resets: creations.flatMap((creation) => {
      const account_id = known.get(keyOf(creation));
      return account_id === undefined ? [] : [{ account_id, person: holders(creation) }];
    }),
    awaited: await awaitedAccounts(tx, added, holders),
  });
  const created = new Map(added.map((creation, i) => [keyOf(creation), ids[i] as string]));
  return wanted.map((task) => {
    if (!isCreation(task)) return task.accountId;
    return (known.get(keyOf(task)) ?? created.get(keyOf(task))) as string;
  });
}

const withLowerCaseIds = (task: AboutAccount): AboutAccount =>
  'userId' in task
    ? { ...task, userId: task.userId.toLowerCase() }
    : { ...task, accountId: task.accountId.toLowerCase() };

const isCreation = (task: AboutAccount): task is Creation => 'userId' in task;

const keyOf = ({ appId, userId }: { appId: string; userId: string }) => `${appId} ${userId}`;

type People = ReadonlyMap<string, AccountHolder>;

type HolderOf = (creation: Creation) => AccountHolder;

/** Returns the person of each creation, with the user name that the account gets (D82). */
async function holdersOf(
  tx: OrgTx,
  creations: readonly Creation[],
  { people, known }: { people: People; known: ReadonlyMap<string, string> },
): Promise<HolderOf> {
  const names = await chooseUserNames(
    tx,
    creations.map((creation) => ({ ...creation, accountId: known.get(keyOf(creation)) ?? null })),
  );
  const byKey = new Map(creations.map((creation, i) => [keyOf(creation), names[i]]));
  return (creation) => {
    const person = people.get(creation.userId) as AccountHolder;
    return { ...person, username: byKey.get(keyOf(creation)) ?? person.username };
  };
}

async function requirePeople(tx: OrgTx, creations: readonly Creation[]): Promise<People> {
  const ids = [...new Set(creations.map(({ userId }) => userId))];
  const people = new Map((await lockPeople(tx, ids)).map((person) => [person.id, person]));
  if (people.size < ids.length) throw notFound('Person');
  return people;
}

/** The accounts that the people already have, by keyOf. */
async function knownAccounts(
  tx: OrgTx,
  creations: readonly Creation[],
  people: People,
): Promise<Map<string, string>> {
  if (creations.length === 0) return new Map();
  const appIds = [...new Set(creations.map(({ appId }) => appId))];
  const found = await mainAccountsOf(tx, [...people.values()], appIds);
  const wanted = new Set(creations.map(keyOf));
  const known = found.map(
    ({ id, app_id, person_id }) => [keyOf({ appId: app_id, userId: person_id }), id] as const,
  );
  return new Map(known.filter(([key]) => wanted.has(key)));
}

async function awaitedAccounts(
  tx: OrgTx,
  creations: readonly Creation[],
  holders: HolderOf,
): Promise<AwaitedAccount[]> {
  if (creations.length === 0) return [];
  const types = await accountTypes(tx, [...new Set(creations.map(({ appId }) => appId))]);
  return creations.map((creation) => ({
    app_id: creation.appId,
    resource_type_id: requireType(types, creation),
    reserved_id: creation.reservedAccountId ?? null,
    person: holders(creation),
  }));
}

function requireType(types: readonly AccountType[], { appId, resourceType = null }: Creation): string {
  const type = types.find(
    ({ app_id, slug }) => app_id === appId && (resourceType === null || slug === resourceType),
  );
  if (type !== undefined) return type.id;
  throw resourceType === null
    ? taskRefusals.account_type_missing()
    : taskRefusals.account_type_unknown({ type: resourceType });
}

/**
 * Returns the account of a person in an app, if any, and whether it is live, and locks it. Until `tx` ends, no other transaction
 * creates one or changes its access. 404 for an unknown user.
 */
export async function lockMainAccount(
  tx: OrgTx,
  appId: string,
  userId: string,
): Promise<{ id: string; live: boolean } | undefined> {
  await holdApps(tx, [appId]);
  const people = await lockPeople(tx, [userId]);
  if (people.length === 0) throw notFound('Person');
  const [known] = await mainAccountsOf(tx, people, [appId]);
  if (known === undefined) return undefined;
  const [account] = await lockAccounts(tx, [known.id]);
  return account === undefined ? undefined : { id: account.id, live: account.status !== 'INACTIVE' };
}

/** Does the same for a live account. Returns its id. */
export async function lockAccountOf(tx: OrgTx, appId: string, userId: string): Promise<string | undefined> {
  const account = await lockMainAccount(tx, appId, userId);
  return account?.live ? account.id : undefined;
}
