import type { OrgDb } from '#kit/database.ts';
import { one } from '#kit/sql.ts';
import { awaitsPerson } from './facts.ts';
import { isOfLeaver } from './leaver-facts.ts';

/** To whom the accounts of an app belong. */
interface Ownership {
  accounts: number;
  linked: number;
  /** Accounts of nobody that have an email: they belong to the person with that email as soon as there is one. */
  linkable: number;
  /** Accounts that people who have left could use or resume. */
  of_leavers: number;
  /** The number of these people. */
  leavers: number;
}

/** Counts the accounts of an app that exist, by whether they belong to somebody. */
export async function ownershipOf(db: OrgDb, appId: string): Promise<Ownership> {
  const isLeavers = isOfLeaver(db, 'a');
  return (await one<Ownership>(db)`
    select count(*)::integer as accounts, count(a.user_id)::integer as linked,
      (count(*) filter (where ${awaitsPerson('a')}))::integer as linkable,
      (count(*) filter (where ${isLeavers}))::integer as of_leavers,
      (count(distinct a.user_id) filter (where ${isLeavers}))::integer as leavers
    from account a
    where a.org_id = ${db.orgId} and a.app_id = ${appId} and a.removed_at is null and a.external_id is not null
      and a.status <> 'INACTIVE'`) as Ownership;
}
