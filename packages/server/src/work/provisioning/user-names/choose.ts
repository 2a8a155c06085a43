import { userNameSettingsOf } from '#inventory/apps/facts.ts';
import { type NamedPerson, type Naming, namingOf } from '#inventory/apps/user-names/naming.ts';
import { accountsNamed, type NamedAccount } from '#inventory/records/accounts/account-facts.ts';
import type { OrgDb, OrgTx } from '#kit/database.ts';
import { nameKey } from '#kit/nfc.ts';
import { lockUserNames, nameablePeople } from '../queries/user-names.ts';
import { taskRefusals } from '../sentences.ts';

/** An account that is about to be created. */
export interface ToName {
  appId: string;
  userId: string;
  /** The account itself, if it is known: its own name is not taken. */
  accountId: string | null;
  /** The name that the system has refused. Only later ones count. */
  after?: string;
}

/**
 * Chooses the user names of new accounts (D82): for each, the first by the rule of its app that no account of the app has or is about to
 * get, compared without case. Reserves them until `tx` ends, after which the rows of the accounts do. Null: the app has no rule, and the
 * account gets the user name of its person. In the order of `given`.
 */
export async function chooseUserNames(tx: OrgTx, given: readonly ToName[]): Promise<(string | null)[]> {
  const { wanted, names } = await wantedNames(tx, given);
  const search = searchFor(wanted, names);
  for (let open = [...wanted]; open.length > 0; ) {
    const chosen = await search.choose(tx, open);
    await lockUserNames(tx, chosen);
    // Another transaction may have given the name since, and has ended now.
    const taken = holdersOf(await accountsNamed(tx, chosen));
    open = open.filter((one, i) => {
      const name = (chosen[i] as { name: string }).name;
      const isTaken = taken(one.appId, name).some(({ id }) => id !== one.accountId);
      if (isTaken) search.giveUp(one, name);
      return isTaken;
    });
  }
  return names;
}

/** A name that a person would get. */
export interface FoundName {
  name: string;
  /** The account that has the first choice, if it is another one. */
  takenBy: NamedAccount | undefined;
}

/**
 * Finds the names that new accounts of these people would get now, without reserving them. Without `numbers`, they get their first
 * choice even if it is taken.
 */
export async function findUserNames(
  db: OrgDb,
  naming: Naming,
  people: readonly { appId: string; person: NamedPerson; accountId: string | null }[],
  { numbers }: { numbers: boolean },
): Promise<FoundName[]> {
  const names: (string | null)[] = people.map(({ person }) => naming.nameOf(person, 1));
  const wanted = people.map((one, index) => ({ ...one, naming, index, after: undefined }));
  if (numbers) await searchFor(wanted, names).choose(db, wanted);
  const first = wanted.map(({ appId, person }) => ({ app_id: appId, name: naming.nameOf(person, 1) }));
  const taken = holdersOf(await accountsNamed(db, first));
  return wanted.map(({ appId, accountId }, i) => ({
    name: names[i] as string,
    takenBy: taken(appId, (first[i] as { name: string }).name).find(({ id }) => id !== accountId),
  }));
}

interface Wanted {
  appId: string;
  accountId: string | null;
  person: NamedPerson;
  naming: Naming;
  after: string | undefined;
  index: number;
}

async function wantedNames(tx: OrgTx, given: readonly ToName[]) {
  const names: (string | null)[] = given.map(() => null);
  const settings = await userNameSettingsOf(tx, [...new Set(given.map(({ appId }) => appId))]);
  const namings = new Map([...settings].map(([id, one]) => [id, namingOf(one)]));
  const named = given.flatMap((one, index) => {
    const naming = namings.get(one.appId);
    return naming == null ? [] : [{ ...one, after: one.after, index, naming }];
  });
  if (named.length === 0) return { wanted: [], names };
  const people = new Map(
    (await nameablePeople(tx, [...new Set(named.map(({ userId }) => userId))])).map((one) => [one.id, one]),
  );
  const wanted = named.flatMap((one): Wanted[] => {
    const person = people.get(one.userId);
    return person === undefined ? [] : [{ ...one, person }];
  });
  return { wanted, names };
}

/** How many names are tried at the same time for a person, in the first round and at most, and how many in all. */
const FIRST_TRIES = 2;
const MOST_TRIES_AT_ONCE = 200;
const MOST_TRIES = 10_000;

/** Searches for names that neither an account nor somebody earlier in the list has. `names` receives them by index. */
function searchFor(wanted: readonly Wanted[], names: (string | null)[]) {
  /** The number that comes next for each. */
  const next = new Map(wanted.map((one) => [one, firstNumber(one)]));
  const given = new Map<string, Wanted>();
  const placeOf = ({ appId }: Wanted, name: string) => `${appId} ${nameKey(name)}`;

  async function chooseOne(db: OrgDb, open: readonly Wanted[], tries: number): Promise<Wanted[]> {
    const candidates = open.map((one) => {
      const from = next.get(one) as number;
      return Array.from({ length: tries }, (_, i) => one.naming.nameOf(one.person, from + i));
    });
    const asked = open.flatMap(({ appId }, i) =>
      (candidates[i] as string[]).map((name) => ({ app_id: appId, name })),
    );
    const taken = holdersOf(await accountsNamed(db, asked));
    return open.filter((one, i) => {
      const isFree = (name: string) =>
        !given.has(placeOf(one, name)) && !taken(one.appId, name).some(({ id }) => id !== one.accountId);
      const found = (candidates[i] as string[]).findIndex(isFree);
      const from = next.get(one) as number;
      next.set(one, from + (found === -1 ? tries : found + 1));
      if (found === -1) {
        if (from + tries > MOST_TRIES) throw noneLeft(one);
        return true;
      }
      const name = (candidates[i] as string[])[found] as string;
      given.set(placeOf(one, name), one);
      names[one.index] = name;
      return false;
    });
  }

  return {
    /** Finds a name for each. Returns them in the order of `open`. */
    async choose(db: OrgDb, open: readonly Wanted[]): Promise<{ app_id: string; name: string }[]> {
      let left = [...open];
      for (let tries = FIRST_TRIES; left.length > 0; tries = Math.min(tries * 4, MOST_TRIES_AT_ONCE))
        left = await chooseOne(db, left, tries);
      return open.map(({ appId, index }) => ({ app_id: appId, name: names[index] as string }));
    },
    /** The name turned out to be taken: the next one follows. */
    giveUp(one: Wanted, name: string) {
      given.delete(placeOf(one, name));
    },
  };
}

/** Returns the number of the first name that counts: 1, or the one after a name that the system has refused. */
function firstNumber({ naming, person, after }: Wanted): number {
  if (after === undefined) return 1;
  for (let number = 1; number <= MOST_TRIES; number++)
    if (nameKey(naming.nameOf(person, number)) === nameKey(after)) return number + 1;
  return 1;
}

const noneLeft = ({ naming, person }: Wanted) =>
  taskRefusals.no_free_username({ name: naming.nameOf(person, 1) });

/** Returns a function that finds the accounts with a name. */
function holdersOf(accounts: readonly NamedAccount[]) {
  const byPlace = Map.groupBy(accounts, ({ app_id, name }) => `${app_id} ${nameKey(name)}`);
  return (appId: string, name: string): readonly NamedAccount[] =>
    byPlace.get(`${appId} ${nameKey(name)}`) ?? [];
}
