import type { Org, OrgTx } from '#kit/database.ts';
import { emailKey } from '#kit/identity.ts';
import { many, one, type RawBuilder, run, sql, value } from '#kit/sql.ts';
import type { Change } from '../../history/change.ts';
import { beginningOf, beginState } from '../../history/queries/periods.ts';
import type { AccountStatus } from '../account.ts';
import { personWithEmail } from '../facts.ts';
import { countSteps, insertedAccountColumns, updatedAccountColumns } from './account-counts.ts';
import { isAnotherEmail } from './link-rule.ts';

const column = (alias: string, name: string) => sql.ref(`${alias}.${name}`);

/**
 * Whether the account with the alias `candidate` may still be the account that a task created: it exists, it fits an account that
 * no record has taken over, and it belongs to nobody else. `account` is the alias of the latter.
 */
export const isCandidate = (account: string, candidate: string): RawBuilder<boolean> => sql`(
  ${column(candidate, 'removed_at')} is null and ${column(candidate, 'external_id')} is not null
  and (${column(account, 'external_id')} is not null
    or ${emailKey(column(candidate, 'email'))} = ${emailKey(column(account, 'email'))}
    or name_key(${column(candidate, 'username')}) = name_key(${column(account, 'username')}))
  and (${column(candidate, 'user_id')} = ${column(account, 'user_id')}
    or ${column(candidate, 'user_id')} is null and not ${column(candidate, 'user_linked_by_hand')}))`;

/** An account that a task created, and that a record has taken over or still may. */
export interface CorrelatedAccount {
  id: string;
  app_id: string;
  resource_type_id: string;
  external_id: string | null;
  user_id: string | null;
  status: AccountStatus;
  removed_at: Date | null;
  /** The email and username that the task sent. Null: no task awaits a record, or the right one has taken it over. */
  sent: { email: string; username: string } | null;
}

/** Locks an account and returns what is known of its correlation. */
export const lockCorrelated = (tx: OrgTx, accountId: string) => one<CorrelatedAccount>(tx)`
    select a.id, a.app_id, a.resource_type_id, a.external_id, a.user_id, a.status, a.removed_at,
      case when a.external_id is null and a.status in ('NEW', 'INVITED')
        then jsonb_build_object('email', a.email, 'username', a.username)
        when a.external_id is not null then (
          select jsonb_build_object('email', r.email, 'username', r.username) from account_correlation r
          where r.org_id = ${tx.orgId} and r.account_id = a.id) end as sent
    from account a where a.org_id = ${tx.orgId} and a.id = ${accountId} for no key update`;

/** An account with an external id, as a record of an app. */
export interface RecordedAccount {
  id: string;
  resource_type_id: string;
  user_id: string | null;
  removed_at: Date | null;
  /** It was stored as a candidate for the account. */
  is_candidate: boolean;
}

/** Locks the accounts of an app with an external id: one for each account type that has it. Candidates come first. */
export const lockRecorded = (
  tx: OrgTx,
  { id, app_id }: Pick<CorrelatedAccount, 'id' | 'app_id'>,
  externalId: string,
) => many<RecordedAccount>(tx)`
    select c.id, c.resource_type_id, c.user_id, c.removed_at, exists (
      select from account_candidate k
      where k.org_id = ${tx.orgId} and k.account_id = ${id} and k.candidate_id = c.id) as is_candidate
    from account c
    where c.org_id = ${tx.orgId} and c.app_id = ${app_id} and c.external_id = ${externalId}
    order by is_candidate desc, c.id for no key update`;

/**
 * Inserts an account that is about to take over the record of an account that a task created. Returns its id. A record with another
 * email than the task sent belongs to the person with its email.
 */
export async function insertCopy(
  tx: OrgTx,
  change: Change,
  { id: accountId, sent }: Pick<CorrelatedAccount, 'id' | 'sent'>,
): Promise<string> {
  const isOther = isAnotherEmail(sql`${sent?.email ?? ''}::text`, sql`a.email`);
  return value<string>(tx)`
    with added as (
      insert into account (org_id, app_id, resource_type_id, email, username, first_name, last_name, display_name, user_id,
        status, since, not_before, change_id)
      select a.org_id, a.app_id, a.resource_type_id, a.email, a.username, a.first_name, a.last_name, a.display_name,
        case when ${sent !== null} and a.email <> '' and ${isOther}
          then ${personWithEmail(tx, emailKey(sql`a.email`))} else a.user_id end,
        'NEW', ${beginningOf(change)}
      from account a where a.org_id = ${tx.orgId} and a.id = ${accountId}
      returning id, ${insertedAccountColumns}
    ), counted as (${countSteps(tx, sql`added`)})
    select id from added`;
}

/** Makes an account awaited again, with what the task sent. */
export const awaitAgain = (
  tx: OrgTx,
  change: Change,
  { id, sent }: Pick<CorrelatedAccount, 'id' | 'sent'>,
) => run(tx)`
    with changed as (
      update account a set status = 'INVITED', external_id = null, removed_at = null, tasked_at = clock_now(),
        email = coalesce(${sent?.email ?? null}, email), username = coalesce(${sent?.username ?? null}, username),
        ${beginState(change, sql`true`)}
      where org_id = ${tx.orgId} and id = ${id} returning ${updatedAccountColumns}
    )
    ${countSteps(tx, sql`changed`)}`;

/** An account, as the payload of events shows it. */
export interface NamedAccount {
  app_id: string;
  app_name: string;
  account_id: string;
  external_id: string | null;
  email: string;
  username: string;
  display_name: string;
  user_id: string | null;
}

export const namedAccounts = (tx: OrgTx, ids: readonly string[]) => many<NamedAccount>(tx)`
    select a.app_id, p.name as app_name, a.id as account_id, a.external_id, a.email, a.username, a.display_name, a.user_id
    from account a join app p on p.org_id = a.org_id and p.id = a.app_id
    where a.org_id = ${tx.orgId} and a.id = any(${ids}::uuid[])`;

/** Forgets that other records may be these accounts. */
export async function settle(tx: OrgTx, accountIds: readonly string[]): Promise<void> {
  await run(
    tx,
  )`delete from account_correlation where org_id = ${tx.orgId} and account_id = any(${accountIds}::uuid[])`;
  await run(
    tx,
  )`delete from account_candidate where org_id = ${tx.orgId} and account_id = any(${accountIds}::uuid[])`;
}

/** Whether the account with this alias waits for an administrator to choose its record (D24). */
export const isAmbiguous = (org: Org, account: string): RawBuilder<boolean> => sql`(
  ${column(account, 'id')} in (select k.account_id from account_candidate k where k.org_id = ${org.orgId})
  and (${column(account, 'external_id')} is not null or ${column(account, 'status')} in ('NEW', 'INVITED'))
  and (
    select count(*) from account_candidate k join account c on c.org_id = ${org.orgId} and c.id = k.candidate_id
    where k.org_id = ${org.orgId} and k.account_id = ${column(account, 'id')} and ${isCandidate(account, 'c')})
    >= case when ${column(account, 'external_id')} is null then 2 else 1 end)`;

/** The records among which an administrator may choose for the account with this alias, as JSON. */
export const candidatesOf = (org: Org, account: string): RawBuilder<unknown> => sql`(
  select jsonb_agg(jsonb_build_object('account', c.id, 'external_id', c.external_id, 'email', c.email,
    'username', c.username, 'display_name', c.display_name, 'status', c.status) order by c.external_id, c.id)
  from account_candidate k join account c on c.org_id = ${org.orgId} and c.id = k.candidate_id
  where k.org_id = ${org.orgId} and k.account_id = ${column(account, 'id')} and ${isCandidate(account, 'c')})`;
