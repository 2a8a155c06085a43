import type { OrgTx } from '#kit/database.ts';
import { type RawBuilder, run, sql, value } from '#kit/sql.ts';
import { forgetDigests } from '../../accounts/queries/digests.ts';
import type {
  AccountRecords,
  droppedMembership,
  endedAccess,
  keptMembership,
  pushedAccount,
  Scope,
  stagedEntitlement,
  unchangedAccount,
} from '../relations.ts';
import { isStagedAccount } from './accounts.ts';
import { isStagedEntitlement } from './entitlements.ts';
import { rowsOf } from './relations.ts';

/**
 * Selects the pushed accounts that an earlier publication took from the same record and that nothing has changed since.
 * The marks of tasks are checked as well: a sync must clear them (D16).
 */
export const selectUnchanged = (scope: Scope, records: AccountRecords): RawBuilder<unknown> => sql`
  select a.id, s.page, s.place
  from ${rowsOf(scope, records)} s
  join account a on ${isStagedAccount(scope)}
  join account_digest d on d.org_id = ${scope.orgId} and d.account_id = a.id and d.digest = s.digest
  where a.removed_at is null and a.tasked_at is null
    and not exists (
    select from membership m where m.org_id = ${scope.orgId} and m.account_id = a.id and m.tasked_at is not null)`;

/** Whether the app has entitlements that are not staged. */
export const hasUnstaged = (tx: OrgTx, scope: Scope, staged: typeof stagedEntitlement) => value<boolean>(tx)`
    select exists (
      select from entitlement e where e.org_id = ${scope.orgId} and e.app_id = ${scope.appId}
        and not exists (select from ${rowsOf(scope, staged)} s where ${isStagedEntitlement(scope)})) as found`;

/**
 * Selects a placeholder for each entitlement that unchanged accounts refer to, or that gives them one, and that is not
 * staged yet, with the columns of `stagedEntitlement`. It has its name already, since an earlier publication took it from
 * the same reference.
 */
export const selectUnchangedStubs = (
  scope: Scope,
  staged: typeof stagedEntitlement,
  unchanged: typeof unchangedAccount,
): RawBuilder<unknown> => sql`
  select e.resource_type_id, e.external_id, e.name, '', null::bigint, null::bigint, null::boolean, null::boolean, null::text,
    null::text, false
  from entitlement e
  where e.org_id = ${scope.orgId} and e.app_id = ${scope.appId}
    and not exists (select from ${rowsOf(scope, staged)} s where ${isStagedEntitlement(scope)})
    and e.id in (
      select held.id from membership m join ${rowsOf(scope, unchanged)} u on u.account_id = m.account_id
      cross join lateral (values (m.entitlement_id), (m.via_id)) as held (id)
      where m.org_id = ${scope.orgId})`;

/**
 * Keeps the digests of the accounts that now are as they were pushed. Those of `unlike` have none: a
 * membership or the status was not applied, or a membership that was not pushed stays. Nor have those with a membership that a task has granted. In the
 * order of the key, which the accounts of a first sync continue, the insertion is faster.
 */
export async function keepDigests(
  tx: OrgTx,
  scope: Scope,
  {
    records,
    pushed,
    unlike,
    isFirst,
  }: {
    records: AccountRecords;
    pushed: typeof pushedAccount;
    unlike: (typeof droppedMembership | typeof keptMembership | typeof endedAccess)[];
    isFirst: boolean;
  },
): Promise<void> {
  const { orgId } = scope;
  if (!isFirst) {
    const compared = sql`select account_id from ${rowsOf(scope, pushed)} where not unchanged`;
    await forgetDigests({ orgId }, compared).execute(tx);
  }
  const differs = sql.join(
    unlike.map(
      (rows) => sql`exists (select from ${rowsOf(scope, rows)} u where u.account_id = p.account_id)`,
    ),
    sql` or `,
  );
  await run(tx)`
    insert into account_digest (org_id, account_id, digest)
    select ${orgId}, p.account_id, r.digest
    from ${rowsOf(scope, pushed)} p join ${rowsOf(scope, records)} r on r.page = p.page and r.place = p.place
    where not p.unchanged and r.digest is not null and not (${unlike.length === 0 ? sql`false` : differs}) and not exists (
      select from membership m
      where m.org_id = ${orgId} and m.account_id = p.account_id and m.tasked_at is not null)
    order by p.account_id`;
}
