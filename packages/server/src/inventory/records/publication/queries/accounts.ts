import type { OrgTx } from '#kit/database.ts';
import { emailKey } from '#kit/identity.ts';
import { affected, type RawBuilder, sql, value } from '#kit/sql.ts';
import { personWithEmail } from '../../accounts/facts.ts';
import {
  countSteps,
  insertedAccountColumns,
  updatedAccountColumns,
} from '../../accounts/queries/account-counts.ts';
import { isAnotherEmail } from '../../accounts/queries/link-rule.ts';
import type { Change } from '../../history/change.ts';
import { beginningOf, beginState, endedState, keepStates } from '../../history/queries/periods.ts';
import type {
  changedAccount,
  pushedAccount,
  Scope,
  StartedAt,
  stagedAccount,
  unchangedAccount,
} from '../relations.ts';
import { insertInto, rowsOf } from './relations.ts';

/** Whether the app has accounts, removed ones and those without an external id included. */
export const hasAccounts = (tx: OrgTx, { orgId, appId }: Scope) => value<boolean>(tx)`
    select exists (select from account where org_id = ${orgId} and app_id = ${appId}) as found`;

/** Joins account `a` to a staged account `s`. */
export const isStagedAccount = ({ orgId, appId }: Scope) => sql`
  a.org_id = ${orgId} and a.app_id = ${appId}
  and a.resource_type_id = s.resource_type_id and a.external_id = s.external_id`;

/** Whether the pushed state `s` differs from that of account `a`, in more than the form of its letters (D89). */
export const accountDiffers = sql<boolean>`(
  (a.email, a.username, a.first_name, a.last_name, a.display_name, a.status)
    is distinct from (s.email, s.username, s.first_name, s.last_name, s.display_name, s.status)
  and (in_nfc(a.email), in_nfc(a.username), in_nfc(a.first_name), in_nfc(a.last_name), in_nfc(a.display_name), a.status)
    is distinct from
    (in_nfc(s.email), in_nfc(s.username), in_nfc(s.first_name), in_nfc(s.last_name), in_nfc(s.display_name), s.status)
  or a.removed_at is not null)`;

/** Assigns the pushed text of a field, unless it differs only in the form of its letters. */
const published = (field: string) => {
  const [given, stored] = [sql.ref(`s.${field}`), sql.ref(`a.${field}`)];
  return sql`${sql.ref(field)} = case when in_nfc(${given}) = in_nfc(${stored}) then ${stored} else ${given} end`;
};
const publishedTexts = sql.join(
  ['email', 'username', 'first_name', 'last_name', 'display_name'].map(published),
);

/** Updates the accounts `a` of `which`, adds them to `changed` and returns their number. */
export const updateAccounts = (
  tx: OrgTx,
  scope: Scope,
  change: Change,
  { staged, changed }: { staged: typeof stagedAccount; changed: typeof changedAccount },
  which: RawBuilder<boolean> = sql`true`,
) => affected(tx)`
    with updated as (
      update account a set ${publishedTexts}, status = s.status, removed_at = null, tasked_at = null,
        unseen = false, seen_at = now(), ${beginState(change, accountDiffers)}
      from ${rowsOf(scope, staged)} s
      where ${isStagedAccount(scope)} and (${accountDiffers} or a.tasked_at is not null) and ${which}
      returning a.id, ${updatedAccountColumns}, ${endedState},
        ${isAnotherEmail(sql`old.email`, sql`new.email`)} as email_changed
    ), counted as (${countSteps(scope, sql`updated`)}), kept as (${keepStates(change, sql`updated`)})
    ${insertInto(scope, changed, sql`select id, old_status, new_status, email_changed from updated`)}`;

/**
 * Inserts the staged accounts that the app does not have, all if `isFirst`. Adds them to `changed` if it is not null, and returns their
 * number.
 */
export async function insertAccounts(
  tx: OrgTx,
  scope: Scope,
  change: Change,
  staged: typeof stagedAccount,
  { changed, isFirst }: { changed: typeof changedAccount | null; isFirst: boolean },
): Promise<number> {
  const isNew = sql`not exists (select from account a where ${isStagedAccount(scope)})`;
  const inserted = sql`
    with inserted as (
      insert into account (org_id, app_id, resource_type_id, external_id, email, username, first_name, last_name,
        display_name, status, seen_at, user_id, since, not_before, change_id)
      select ${scope.orgId}, ${scope.appId}, s.resource_type_id, s.external_id, s.email, s.username, s.first_name,
        s.last_name, s.display_name, s.status, now(), ${personWithEmail(scope, emailKey(sql`s.email`))},
        ${beginningOf(change)}
      from ${rowsOf(scope, staged)} s
      ${isFirst ? sql`` : sql`where ${isNew}`}
      returning id, ${insertedAccountColumns}
    ), counted as (${countSteps(scope, sql`inserted`)})`;
  if (changed === null) {
    return value<number>(tx)`${inserted} select count(*) as n from inserted`;
  }
  return affected(tx)`
    ${inserted} ${insertInto(scope, changed, sql`select id, old_status, new_status, false from inserted`)}`;
}

export const selectPushedAccounts = (
  scope: Scope,
  { accounts, unchanged }: { accounts: typeof stagedAccount; unchanged: typeof unchangedAccount },
): RawBuilder<unknown> => sql`
  select a.id, s.page, s.place, false from ${rowsOf(scope, accounts)} s join account a on ${isStagedAccount(scope)}
  union all select account_id, page, place, true from ${rowsOf(scope, unchanged)}`;

/**
 * Selects the `account_id` of each account of the app that the session did not push. NEW accounts do not count: they
 * are not in the external system yet. Accounts whose creation failed do not count either: they never were. Nor do accounts that
 * a pushed record may be (D24): one that is already stored, or one that fits the accounts of `claimed`. Nor do those of the types of
 * `unreadable`, of which the connector may not read all (D81).
 */
export const selectStaleAccounts = (
  scope: Scope,
  pushed: typeof pushedAccount,
  {
    startedAt,
    unreadable,
    claimed,
  }: {
    startedAt: StartedAt;
    unreadable: readonly string[];
    claimed?: RawBuilder<unknown>;
  },
): RawBuilder<unknown> => sql`
  select a.id as account_id from account a
  where a.org_id = ${scope.orgId} and a.app_id = ${scope.appId} and a.removed_at is null
    and a.status <> 'NEW' and (a.external_id is not null or a.status <> 'INACTIVE')
    and (a.tasked_at is null or a.tasked_at <= ${startedAt})
    and not exists (select from ${rowsOf(scope, pushed)} p where p.account_id = a.id)
    and not (a.external_id is null and exists (
      select from account_candidate k join ${rowsOf(scope, pushed)} p on p.account_id = k.candidate_id
      where k.org_id = ${scope.orgId} and k.account_id = a.id))
    ${unreadable.length === 0 ? sql`` : sql`and a.resource_type_id <> all(${unreadable}::uuid[])`}
    ${claimed === undefined ? sql`` : sql`and a.id not in (${claimed})`}`;
