import { userNameSettingsOf } from '#inventory/apps/facts.ts';
import { type Naming, namingOf } from '#inventory/apps/user-names/naming.ts';
import type { UserNameRule } from '#inventory/apps/user-names/rule.ts';
import { mainAccountsOf, type NamedAccount } from '#inventory/records/accounts/account-facts.ts';
import type { OrgDb } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import { type NameablePerson, nameablePeople, peopleByAccount } from '../queries/user-names.ts';
import { findUserNames } from './choose.ts';

/** The user name that a person would get with a rule. */
export interface PreviewedName {
  person: NameablePerson;
  name: string;
  /** The account that has the first choice, so that the name has a number. */
  takenBy: NamedAccount | undefined;
  /** Whether the system accepts the name, as far as its kind is known. */
  fits: boolean;
}

/** The naming of an app without a rule: the user names of people, whoever has them. */
const AS_THEY_ARE: Naming = { nameOf: ({ username }) => username, fits: (name) => name !== '' };

/** Shows the user names that people would get with a rule: first those who have no account in the app. Reserves nothing. */
export async function previewUserNames(
  db: OrgDb,
  appId: string,
  { rule, limit }: { rule: UserNameRule | null | undefined; limit: number },
): Promise<PreviewedName[]> {
  const without = await peopleByAccount(db, appId, { hasAccount: false, limit });
  const rest = limit - without.length;
  const others = rest > 0 ? await peopleByAccount(db, appId, { hasAccount: true, limit: rest }) : [];
  return namesOf(db, appId, { rule, people: [...without, ...others] });
}

/** Returns the user names that these people would get in an app by its rule, by the person's id. */
export async function expectedUserNames(
  db: OrgDb,
  appId: string,
  userIds: readonly string[],
): Promise<Map<string, string>> {
  const people = await nameablePeople(db, userIds);
  const names = await namesOf(db, appId, { rule: undefined, people });
  return new Map(names.map(({ person, name }) => [person.id, name]));
}

async function namesOf(
  db: OrgDb,
  appId: string,
  { rule, people }: { rule: UserNameRule | null | undefined; people: readonly NameablePerson[] },
): Promise<PreviewedName[]> {
  if (people.length === 0) return [];
  const settings = (await userNameSettingsOf(db, [appId])).get(appId);
  if (settings === undefined) throw notFound('App');
  const named = namingOf(rule === undefined ? settings : { ...settings, user_name: rule });
  const naming = named ?? AS_THEY_ARE;
  const accounts = await mainAccountsOf(db, people, [appId]);
  const own = new Map(accounts.map(({ person_id, id }) => [person_id, id]));
  const wanted = people.map((person) => ({ appId, person, accountId: own.get(person.id) ?? null }));
  const found = await findUserNames(db, naming, wanted, { numbers: named !== null });
  return people.map((person, i) => {
    const { name, takenBy } = found[i] as (typeof found)[number];
    return { person, name, takenBy, fits: naming.fits(name) };
  });
}
