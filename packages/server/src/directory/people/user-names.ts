import type { OrgTx } from '#kit/database.ts';
import type { DomainError } from '#kit/errors.ts';
import { nameKey } from '#kit/nfc.ts';
import { filterInTurns, pacer } from '#kit/pacer.ts';
import type { Draft } from './person.ts';
import { findByUserNames, type UserNameHolder } from './queries/user-names.ts';
import { personRefusals } from './sentences.ts';

/**
 * Returns why drafts would give a person the user name of another one, compared without case and in NFC, by the person's id (D82). Merged
 * and succeeded people, and those whom their provider deleted, keep no name. A person's own email is theirs as a user name, even if
 * somebody who had the address before still has it as one. A holder with the email of the draft is judged by the email.
 */
export async function takenUserNames(tx: OrgTx, drafts: readonly Draft[]): Promise<[string, DomainError][]> {
  const named = await filterInTurns(drafts, givesName);
  if (named.length === 0) return [];
  const holders = await holdersOf(tx, named);
  const given = await namesAfter(drafts);
  const refusals: [string, DomainError][] = [];
  const pace = pacer();
  for (const { after } of named) {
    await pace();
    const key = nameKey(after.username);
    const isOwnEmail = key === nameKey(after.email);
    const other = (holders.get(key) ?? []).find(
      (one) =>
        one.id !== after.id &&
        !isOwnEmail &&
        nameKey(one.email) !== nameKey(after.email) &&
        (given.nameOf(one.id) ?? key) === key,
    );
    const first = given.firstWith(key);
    const holder = other?.id ?? (first === after.id ? undefined : first);
    if (holder !== undefined)
      refusals.push([after.id, personRefusals.person_username_taken({ username: after.username, holder })]);
  }
  return refusals;
}

/** Whether a draft gives a person a user name, or lets somebody come back who kept none. */
const givesName = ({ before, after }: Draft) =>
  after.username !== '' &&
  (before === undefined ||
    nameKey(before.username) !== nameKey(after.username) ||
    (before.succeeded_by != null && after.status === 'active'));

async function holdersOf(tx: OrgTx, drafts: readonly Draft[]): Promise<Map<string, UserNameHolder[]>> {
  const names = [...new Set(drafts.map(({ after }) => after.username))];
  const holders = new Map<string, UserNameHolder[]>();
  for (const holder of await findByUserNames(tx, names)) {
    const key = nameKey(holder.name);
    holders.set(key, [...(holders.get(key) ?? []), holder]);
  }
  return holders;
}

/** The names that people have after all drafts, which may exchange them. */
async function namesAfter(drafts: readonly Draft[]) {
  const byId = new Map<string, string>();
  const first = new Map<string, string>();
  const pace = pacer();
  for (const draft of drafts) {
    await pace();
    const key = nameKey(draft.after.username);
    byId.set(draft.after.id, key);
    if (givesName(draft) && !first.has(key)) first.set(key, draft.after.id);
  }
  return {
    nameOf: (id: string) => byId.get(id),
    firstWith: (key: string) => first.get(key),
  };
}
