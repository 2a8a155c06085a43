import type { OrgDb } from '#kit/database.ts';
import { many } from '#kit/sql.ts';
import { type Giver, giverOf, sourceOf } from './facts.ts';

/** A group or license of an account. */
export interface Held {
  account_id: string;
  entitlement_id: string;
}

/** A group or license that something else gives to the account. */
export interface Derived extends Held {
  /** Its name, or its id in the app. */
  name: string;
  giver: Giver;
  /** The giver of the giver, and so on, that the account holds directly. Null if the app lists no such giver. */
  source: Giver | null;
}

/** Returns those of these groups and licenses that something else gives. */
export async function derivedAmong(db: OrgDb, held: readonly Held[]): Promise<Derived[]> {
  if (held.length === 0) return [];
  return many<Derived>(db)`
    select m.account_id, m.entitlement_id, coalesce(nullif(e.name, ''), e.external_id) as name,
      ${giverOf(db, 'm')} as giver, ${sourceOf(db, 'm')} as source
    from (
      select distinct account_id, entitlement_id
      from unnest(${held.map((one) => one.account_id)}::uuid[], ${held.map((one) => one.entitlement_id)}::uuid[])
        as given (account_id, entitlement_id)) wanted
    join membership m on m.org_id = ${db.orgId} and m.account_id = wanted.account_id
      and m.entitlement_id = wanted.entitlement_id and m.via_id is not null
    join entitlement e on e.org_id = ${db.orgId} and e.id = m.entitlement_id`;
}
