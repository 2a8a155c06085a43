import { accounts } from '#inventory/records/accounts/facts.ts';
import type { OrgTx } from '#kit/database.ts';
import { run } from '#kit/sql.ts';
import type { Access, Ending, Taken } from '../grant.ts';
import type { Ended } from './write.ts';

/**
 * Keeps that a person took these accesses away from policies and roles, unless the person of the account has left: who returns gets what
 * the policies give then.
 */
export async function insertRevoked(tx: OrgTx, ended: readonly Ended[], by: Ending): Promise<void> {
  const given = ended.filter(({ kind }) => kind === 'policy' || kind === 'business_role');
  if (given.length === 0) return;
  await run(tx)`
    insert into revoked_entry (org_id, app_id, account_id, entitlement_id, user_id, kind, source_id, revoked_kind, revoked_source,
      revoked_label)
    select ${tx.orgId}::uuid, g.app_id, g.account_id, g.entitlement_id, a.user_id, g.kind, g.source_id, ${by.kind}, ${by.id}::uuid, ${by.label}
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g (
      app_id uuid, account_id uuid, entitlement_id uuid, kind text, source_id uuid)
    join ${accounts} a on a.org_id = ${tx.orgId} and a.id = g.account_id
    where g.source_id is not null and (a.user_id is null or exists (
        select from platform_user u where u.org_id = ${tx.orgId} and u.id = a.user_id and u.status = 'active'))
      and not exists (
        select from revoked_entry same
        where same.org_id = ${tx.orgId} and same.account_id = g.account_id and same.source_id = g.source_id
          and same.entitlement_id is not distinct from g.entitlement_id)`;
}

/** Forgets what was taken away and is granted now, in these accounts or to their people. */
export async function forgetGranted(
  tx: OrgTx,
  granted: readonly (Access & { app_id: string })[],
): Promise<void> {
  if (granted.length === 0) return;
  const column = (name: keyof (typeof granted)[number]) => granted.map((one) => one[name]);
  await run(tx)`
    delete from revoked_entry r
    using unnest(${column('app_id')}::uuid[], ${column('account_id')}::uuid[], ${column('entitlement_id')}::uuid[])
      as g (app_id, account_id, entitlement_id)
    join ${accounts} a on a.org_id = ${tx.orgId} and a.id = g.account_id
    where r.org_id = ${tx.orgId} and r.app_id = g.app_id and r.entitlement_id is not distinct from g.entitlement_id
      and (r.account_id = g.account_id or r.user_id = a.user_id)`;
}

/** Forgets what decisions were to take away and do not. */
export async function forgetTaken(tx: OrgTx, taken: readonly Taken[]): Promise<void> {
  if (taken.length === 0) return;
  await run(tx)`
    delete from revoked_entry r
    using jsonb_to_recordset(${JSON.stringify(taken)}::jsonb) as e (account_id uuid, entitlement_id uuid, kind text, id uuid)
    where r.org_id = ${tx.orgId} and r.account_id = e.account_id and r.entitlement_id is not distinct from e.entitlement_id
      and r.revoked_kind = e.kind and r.revoked_source = e.id`;
}

/** Forgets what these decisions do not give: to these people, or in these accounts. */
export const forgetRevoked = (
  tx: OrgTx,
  revoked: readonly { source_id: string; app_id: string; subject: string }[],
) => run(tx)`
    delete from revoked_entry r
    using unnest(${revoked.map(({ source_id }) => source_id)}::uuid[], ${revoked.map(({ app_id }) => app_id)}::uuid[],
      ${revoked.map(({ subject }) => subject)}::uuid[]) as g (source_id, app_id, subject)
    where r.org_id = ${tx.orgId} and r.source_id = g.source_id and r.app_id = g.app_id and coalesce(r.user_id, r.account_id) = g.subject`;

/** Forgets what was taken away from these people. */
export const forgetOfPeople = (tx: OrgTx, userIds: readonly string[]) => run(tx)`
    delete from revoked_entry where org_id = ${tx.orgId} and user_id = any(${userIds}::uuid[])`;
