import type { ArchiveHook } from '#inventory/apps/admin.ts';
import type { OrgTx } from '#kit/database.ts';
import type { Access, Ending, Given, NewGrant, Taken } from './grant.ts';
import * as revoked from './queries/revoked.ts';
import * as queries from './queries/write.ts';

/*
 * The grants of accounts that the caller has locked (D73). Decisions write them in their own transaction; provisioning, which stands above,
 * plans the tasks that follow from them (work/provisioning/ends.ts).
 */

/** Begins grants, without those that the same decision has given until the same time. One by a person ends what was revoked. */
export async function beginGrants(tx: OrgTx, wanted: readonly NewGrant[]): Promise<void> {
  await queries.insertGrants(tx, wanted);
  await revoked.forgetGranted(
    tx,
    wanted.filter(({ kind }) => kind !== 'policy' && kind !== 'business_role'),
  );
}

/** Ends all grants on these accesses: a decision takes them away. Returns the accounts that had some. */
export const endGrantsOn = async (tx: OrgTx, accesses: readonly Access[], by: Ending): Promise<string[]> =>
  noteEnded(tx, await queries.endOn(tx, accesses, by), by);

/** Ends all grants of accounts, and of everything in them. Returns the accounts that had some. */
export const endGrantsOfAccounts = async (
  tx: OrgTx,
  accountIds: readonly string[],
  by: Ending,
): Promise<string[]> => noteEnded(tx, await queries.endOfAccounts(tx, accountIds, by), by);

const BY_PEOPLE: ReadonlySet<string> = new Set(['request', 'review', 'manual']);

/** A revocation by a person also stands against the policy or role that gave the access. */
async function noteEnded(tx: OrgTx, ended: readonly queries.Ended[], by: Ending): Promise<string[]> {
  if (BY_PEOPLE.has(by.kind) && by.isSilent !== true) await revoked.insertRevoked(tx, ended, by);
  return [...new Set(ended.map(({ account_id }) => account_id))];
}

/** Ends what single decisions have given: it does not come to pass. Returns the accounts that had some. */
export const endGiven = async (tx: OrgTx, given: readonly Given[], by: Ending): Promise<string[]> => [
  ...new Set(await queries.endGiven(tx, given, by)),
];

/** Begins again what decisions have ended: they are not carried out. Returns the accounts of what has begun. */
export async function beginGrantsAgain(tx: OrgTx, taken: readonly Taken[]): Promise<string[]> {
  await revoked.forgetTaken(tx, taken);
  return [...new Set(await queries.insertAgain(tx, taken))];
}

/** Notes that a task has given accesses. */
export const accessBrought = (tx: OrgTx, accesses: readonly Access[]): Promise<unknown> =>
  queries.noteBrought(tx, accesses);

/** Notes that the removal of accesses was reported. With an account, all that it had is gone. */
export const accessGone = (tx: OrgTx, accesses: readonly Access[]): Promise<unknown> =>
  queries.noteGone(tx, accesses);

/** Ends all grants of an archived app. */
export const endGrantsOfApp: ArchiveHook = async (tx, { id, name }) => {
  await queries.endOfApp(tx, id, { kind: 'archive', id, label: name });
  return [];
};
