import type { Excluded } from '#directory/means/excluded.ts';
import type { Derived } from '#inventory/records/accounts/derived-facts.ts';
import type { OrgDb } from '#kit/database.ts';
import type { DomainError } from '#kit/errors.ts';
import type { RevokedEntry } from '#reasons/grants/grant.ts';
import type { Change } from '../change.ts';

/** The reason of each check for what it leaves out. */
export interface Results {
  /** The refusal: an open task already does it. */
  under_way: DomainError;
  /** The connector signs in with the account, and the policy has tried before. */
  own_account: null;
  /** A person gave the account, or something in it, and its person is there. */
  given_by_people: null;
  /** The access that something else gives (D68), and whether it goes with that. */
  derived: { one: Derived; isCovered: boolean };
  /** The decision of a person that stands against a policy or role (D73). */
  revoked: RevokedEntry;
  /** The account has it already: its grant begins without a task (D73). */
  held: null;
  /** Somebody behind the decision would get it (D76). */
  own_benefit: Excluded;
}
export type CheckName = keyof Results;

/** The verdict of a check on the change with this index, or on one of its parts. */
export interface Judged<Name extends CheckName> {
  index: number;
  /** The group or license. Null: the whole change. */
  part: string | null;
  result: Results[Name];
}

/** A rule that a change must keep, whatever decision wants it. */
export interface Check<Name extends CheckName> {
  /** Whether it has anything to say about a change. */
  concerns: (change: Change) => boolean;
  /** Returns what the changes may not do. Set-based: they can be thousands. */
  judge: (db: OrgDb, changes: readonly Change[]) => Promise<Judged<Name>[]>;
}
