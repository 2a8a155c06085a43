import type { OrgTx } from '#kit/database.ts';
import { many, run, sql, values } from '#kit/sql.ts';
import type { Change } from '../../history/change.ts';
import {
  beginningOf,
  beginState,
  endedLink,
  endedState,
  keepLinks,
  keepStates,
  linkedBy,
} from '../../history/queries/periods.ts';
import type { AccountChange, AccountHolder, AwaitedAccount } from '../account.ts';
import { countSteps, insertedAccountColumns, updatedAccountColumns } from './account-counts.ts';
import { settle } from './correlation.ts';
import { forgetDigests } from './digests.ts';

/** Inserts accounts that a task is about to create, as NEW. Returns their ids in the order of `awaited`. */
export async function insertAwaitedAccounts(
  tx: OrgTx,
  change: Change,
  awaited: readonly AwaitedAccount[],
): Promise<string[]> {
  const { orgId } = change;
  if (awaited.length === 0) return [];
  const rows = awaited.map(({ app_id, resource_type_id, reserved_id, person }) => ({
    app_id,
    resource_type_id,
    reserved_id,
    ...person,
  }));
  return values<string>(tx)`
    with given as (
      select case when g.reserved_id is null
          or exists (select from account a where a.org_id = ${orgId} and a.id = g.reserved_id)
          then uuidv7() else g.reserved_id end as account_id, g.*
      from rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as (
        app_id uuid, resource_type_id uuid, reserved_id uuid, id uuid, email text, username text, first_name text,
        last_name text
      )) with ordinality as g (app_id, resource_type_id, reserved_id, id, email, username, first_name, last_name, i)
    ), added as (
      insert into account (org_id, id, app_id, resource_type_id, user_id, email, username, first_name, last_name, status,
        since, not_before, change_id, given)
      select ${orgId}, account_id, app_id, resource_type_id, id, email, username, first_name, last_name, 'NEW',
        ${beginningOf(change)}, true from given
      returning ${insertedAccountColumns}
    ), counted as (${countSteps({ orgId }, sql`added`)})
    select account_id as id from given order by i`;
}

/**
 * Makes INACTIVE accounts NEW again, with the person's present data (D25). A removed account may come back under
 * another id: its old one is cleared, so that a sync recognizes it (D24).
 */
export async function resetForCreation(
  tx: OrgTx,
  change: Change,
  resets: readonly { account_id: string; person: AccountHolder }[],
): Promise<AccountChange[]> {
  const { orgId } = change;
  if (resets.length === 0) return [];
  const given = resets.map(({ account_id, person }) => ({ account_id, ...person }));
  const rows = await many<AccountChange>(tx)`
    with changed as (
      update account a set status = 'NEW', user_id = g.id, email = g.email, username = g.username,
        first_name = g.first_name, last_name = g.last_name,
        external_id = case when a.removed_at is null then a.external_id end, removed_at = null, tasked_at = null, given = true,
        linked_at = case when a.user_id is distinct from g.id then ${linkedBy(change)} else a.linked_at end,
        ${beginState(change, sql`true`)}
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g (
        account_id uuid, id uuid, email text, username text, first_name text, last_name text)
      where a.org_id = ${orgId} and a.id = g.account_id
      returning new.id as account_id, ${updatedAccountColumns}, ${endedState}, ${endedLink}
    ), counted as (${countSteps({ orgId }, sql`changed`)}), kept as (${keepStates(change, sql`changed`)}
    ), unlinked as (${keepLinks({ orgId }, sql`changed`)}
    ), forgotten as (${forgetDigests({ orgId }, sql`select account_id from changed`)})
    select account_id, old_status as "from", new_status as "to" from changed`;
  await settle(
    tx,
    resets.map(({ account_id }) => account_id),
  );
  return rows;
}

/** Changes the user name of a NEW account. */
export const renameAwaited = (
  tx: OrgTx,
  change: Change,
  { accountId, username }: { accountId: string; username: string },
) => run(tx)`
    with changed as (
      update account a set username = ${username}, ${beginState(change, sql`true`)}
      where a.org_id = ${change.orgId} and a.id = ${accountId} and a.status = 'NEW'
      returning new.id as account_id, ${updatedAccountColumns}, ${endedState}
    ), counted as (${countSteps(change, sql`changed`)}), kept as (${keepStates(change, sql`changed`)})
    select from changed`;

/** Makes accounts whose creation failed NEW again, because it is retried. Returns those that changed. */
export const reopenFailedCreation = (tx: OrgTx, change: Change, accountIds: string[]) => many<AccountChange>(
  tx,
)`
    with changed as (
      update account a set status = 'NEW', ${beginState(change, sql`true`)}
      where org_id = ${change.orgId} and id = any(${accountIds}::uuid[]) and status = 'INACTIVE' and removed_at is null
      returning new.id as account_id, ${updatedAccountColumns}, ${endedState}
    ), counted as (${countSteps(change, sql`changed`)}), kept as (${keepStates(change, sql`changed`)}
    ), forgotten as (${forgetDigests(change, sql`select account_id from changed`)})
    select account_id, old_status as "from", new_status as "to" from changed`;

/** Makes NEW accounts that no task will create any more INACTIVE (D25). */
export async function markNeverCreated(
  tx: OrgTx,
  change: Change,
  accountIds: string[],
): Promise<AccountChange[]> {
  if (accountIds.length === 0) return [];
  return many<AccountChange>(tx)`
    with changed as (
      update account a set status = 'INACTIVE', ${beginState(change, sql`true`)}
      where org_id = ${change.orgId} and id = any(${accountIds}::uuid[]) and status = 'NEW'
      returning new.id as account_id, ${updatedAccountColumns}, ${endedState}
    ), counted as (${countSteps(change, sql`changed`)}), kept as (${keepStates(change, sql`changed`)}
    ), forgotten as (${forgetDigests(change, sql`select account_id from changed`)})
    select account_id, old_status as "from", new_status as "to" from changed`;
}
