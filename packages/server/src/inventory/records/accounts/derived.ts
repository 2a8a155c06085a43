import type { OrgDb } from '#kit/database.ts';
import type { Sentence } from '#kit/sentences.ts';
import { derivedSentences } from '../sentences.ts';
import * as queries from './derived-facts.ts';

/** Access that something else gives (D68). Only what gives it can take it away. */

interface Removable {
  /** Access that can be removed: it was given directly, or is not held at all. */
  direct: queries.Held[];
  /** Access that goes with its source, which is removed as well. */
  covered: queries.Derived[];
  /** Access that stays, because its source stays. */
  kept: queries.Derived[];
}

/** Finds out what becomes of groups and licenses that are to be removed from their accounts. */
export async function removable(db: OrgDb, wanted: readonly queries.Held[]): Promise<Removable> {
  const derived = await queries.derivedAmong(db, wanted);
  const known = new Map(derived.map((one) => [keyOf(one), one]));
  const isRemoved = new Set(wanted.map(keyOf));
  const goes = (one: queries.Derived) => isAmong(isRemoved, one);
  return {
    direct: wanted.filter((one) => !known.has(keyOf(one))),
    covered: derived.filter(goes),
    kept: derived.filter((one) => !goes(one)),
  };
}

export const keyOf = ({ account_id, entitlement_id }: queries.Held) => `${account_id} ${entitlement_id}`;

/** Whether the source of this access is among these groups and licenses of accounts, given by keyOf. */
export const isAmong = (keys: ReadonlySet<string>, { account_id, source }: queries.Derived): boolean =>
  source !== null && keys.has(keyOf({ account_id, entitlement_id: source.external_uuid }));

/** Says why access cannot be removed. */
export const obstacleTo = ({ name, giver }: queries.Derived): Sentence =>
  derivedSentences.access_derived({ name, giver: labelOf(giver) });

/** Says why access stays, and what to remove instead. */
export function keptBecause({ name, giver, source }: queries.Derived): Sentence {
  const values = { name, giver: labelOf(giver) };
  return source === null
    ? derivedSentences.access_derived_in_app(values)
    : derivedSentences.access_derived_from_source({ ...values, source: labelOf(source) });
}

export const labelOf = ({ name, id }: queries.Derived['giver']) => name || id;
