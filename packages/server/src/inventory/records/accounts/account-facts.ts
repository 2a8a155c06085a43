import type { OrgDb, OrgTx } from '#kit/database.ts';
import { emailKey } from '#kit/identity.ts';
import { many, sql } from '#kit/sql.ts';
import type { AccountState } from './account.ts';
import { accountsOfPeople, isOwnAccount } from './facts.ts';

/** Locks accounts until `tx` ends, by id: the order that every transaction takes. */
export const lockAccounts = (tx: OrgTx, accountIds: string[]) => many<AccountState>(tx)`
    select id, app_id, status, external_id, removed_at, ${isOwnAccount(tx, sql`account.id`)} as is_own from account
    where org_id = ${tx.orgId} and id = any(${accountIds}::uuid[]) order by id for no key update`;

export interface PersonAccount {
  id: string;
  app_id: string;
  person_id: string;
}

/**
 * The account of each person in each of these apps: linked, or about to be linked by email. Of several, the one
 * closest to being usable.
 */
export const mainAccountsOf = (
  db: OrgDb,
  people: readonly { id: string; email: string }[],
  appIds: string[],
) => many<PersonAccount>(db)`
    select distinct on (a.person_id, a.app_id) a.id, a.app_id, a.person_id
    from ${accountsOfPeople(db, people)} a
    where a.app_id = any(${appIds}::uuid[])
    order by a.person_id, a.app_id, a.status = 'INACTIVE', a.removed_at is not null, a.id desc`;

/** An account that has a user name which another account was to get. */
export interface NamedAccount {
  app_id: string;
  /** The name as it was asked for. */
  name: string;
  id: string;
  email: string;
  /** The person of the account, and their email. */
  user_id: string | null;
  user_email: string | null;
}

/**
 * Returns the accounts of apps with these user names, compared without case and in NFC (D82): those that exist and those that a task is
 * about to create.
 */
export async function accountsNamed(
  db: OrgDb,
  wanted: readonly { app_id: string; name: string }[],
): Promise<NamedAccount[]> {
  if (wanted.length === 0) return [];
  return many<NamedAccount>(db)`
    select w.app_id, w.name, a.id, a.email, a.user_id, u.email as user_email
    from unnest(${wanted.map(({ app_id }) => app_id)}::uuid[], ${wanted.map(({ name }) => name)}::text[]) as w (app_id, name)
    join account a on a.org_id = ${db.orgId} and a.app_id = w.app_id and a.username <> ''
      and name_key(a.username) = name_key(w.name)
    left join platform_user u on u.org_id = a.org_id and u.id = a.user_id
    where a.removed_at is null and not (a.status = 'INACTIVE' and a.external_id is null)
    order by a.id`;
}

/** An account that exists in the place of one that a task was to create. */
export interface AccountInTheWay {
  id: string;
  user_id: string | null;
  user_email: string | null;
  /** Whether the connector named it. */
  is_found: boolean;
  /** Whether it has the email of the account to create. */
  has_email: boolean;
}

/**
 * Returns the existing accounts of an app with this user name, email or external id, the one with the external id first and those with
 * the user name before those with the email.
 */
export async function accountsInTheWay(
  db: OrgDb,
  {
    appId,
    except,
    username,
    email,
    externalId,
  }: { appId: string; except: string; username: string; email: string; externalId: string | null },
): Promise<AccountInTheWay[]> {
  const hasEmail = sql`(${email}::text <> '' and ${emailKey(sql`a.email`)} = ${emailKey(sql`${email}::text`)})`;
  const hasName = sql`(a.username <> '' and name_key(a.username) = name_key(${username}::text))`;
  const isFound = sql`coalesce(a.external_id = ${externalId}::text, false)`;
  return many<AccountInTheWay>(db)`
    select a.id, a.user_id, u.email as user_email, ${isFound} as is_found, ${hasEmail} as has_email
    from account a left join platform_user u on u.org_id = a.org_id and u.id = a.user_id
    where a.org_id = ${db.orgId} and a.app_id = ${appId} and a.id <> ${except} and a.removed_at is null
      and a.external_id is not null and (${isFound} or ${hasName} or ${hasEmail})
    order by ${isFound} desc, ${hasName} desc, a.id limit 20`;
}
