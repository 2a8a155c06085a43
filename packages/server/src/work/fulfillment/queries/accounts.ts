import { accountOwners, accounts } from '#inventory/records/accounts/facts.ts';
import type { OrgTx } from '#kit/database.ts';
import { exists } from '#kit/sql.ts';

/**
 * Whether another account of the app has this external id and belongs to another person than the account that a task
 * creates, or is a service or shared account. Locks that account, so that it cannot be linked to a person in the meantime.
 */
export const isAccountOfAnother = (tx: OrgTx, accountId: string, externalId: string) => exists(tx)`
    select from ${accounts} a
    join ${accounts} b on b.org_id = ${tx.orgId} and b.app_id = a.app_id and b.resource_type_id = a.resource_type_id
      and b.external_id = ${externalId} and b.id <> a.id and b.removed_at is null
    left join ${accountOwners} o on o.org_id = ${tx.orgId} and o.account_id = b.id
    where a.org_id = ${tx.orgId} and a.id = ${accountId}
      and (o.by_hand or o.owner_id <> a.user_id or b.user_id <> a.user_id)
    for no key update of b`;
