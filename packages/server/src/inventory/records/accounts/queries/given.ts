import type { OrgTx } from '#kit/database.ts';
import { run } from '#kit/sql.ts';

/** A group or license of an account. */
interface Membership {
  account_id: string;
  entitlement_id: string;
}

/** Marks memberships as given. */
export const markGiven = (tx: OrgTx, memberships: readonly Membership[]) => run(tx)`
    update membership m set given = true
    from unnest(${memberships.map(({ account_id }) => account_id)}::uuid[],
      ${memberships.map(({ entitlement_id }) => entitlement_id)}::uuid[]) as g (account_id, entitlement_id)
    where m.org_id = ${tx.orgId} and m.account_id = g.account_id and m.entitlement_id = g.entitlement_id and not m.given`;

/** Marks accounts as found. */
export const markFound = (tx: OrgTx, accountIds: readonly string[]) => run(tx)`
    update account set given = false where org_id = ${tx.orgId} and id = any(${accountIds}::uuid[]) and given`;
