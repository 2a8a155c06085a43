import { PERSON_FIELDS, personFields } from '#directory/people/facts.ts';
import type { NamedPerson } from '#inventory/apps/user-names/naming.ts';
import { accounts } from '#inventory/records/accounts/facts.ts';
import type { OrgDb, OrgTx } from '#kit/database.ts';
import { many, run } from '#kit/sql.ts';
import type { Holder } from '../task.ts';

/** A person with all fields that templates read. */
export interface NameablePerson extends NamedPerson {
  id: string;
  first_name: string;
  last_name: string;
}

const FIELDS = Object.keys(PERSON_FIELDS);

export const nameablePeople = (db: OrgDb, ids: readonly string[]) => many<NameablePerson>(db)`
    select ${personFields('u', db, FIELDS)} from platform_user u
    where u.org_id = ${db.orgId} and u.id = any(${ids}::uuid[])`;

/** Returns active people in the order of their emails: those who have a live account in the app, or those who have none. */
export const peopleByAccount = (
  db: OrgDb,
  appId: string,
  { hasAccount, limit }: { hasAccount: boolean; limit: number },
) => many<NameablePerson>(db)`
    select ${personFields('u', db, FIELDS)} from platform_user u
    where u.org_id = ${db.orgId} and u.status = 'active' and u.identity_type = 'human' and exists (
      select from ${accounts} a
      where a.org_id = ${db.orgId} and a.org_id = u.org_id and a.user_id = u.id and a.app_id = ${appId}
        and a.removed_at is null and a.status <> 'INACTIVE') = ${hasAccount}
    order by email_key(u.email), u.id limit ${limit}`;

/**
 * Locks user names of apps until `tx` ends, in one order, so that another transaction that gives one of them waits and then sees who
 * has it.
 */
export async function lockUserNames(
  tx: OrgTx,
  names: readonly { app_id: string; name: string }[],
): Promise<void> {
  if (names.length === 0) return;
  await run(tx)`
    insert into reserved_user_name (org_id, app_id, name_key)
    select distinct ${tx.orgId}::uuid, w.app_id, name_key(w.name) collate "C"
    from unnest(${names.map(({ app_id }) => app_id)}::uuid[], ${names.map(({ name }) => name)}::text[]) as w (app_id, name)
    order by 2, 3
    on conflict (org_id, app_id, name_key) do update set reserved_at = excluded.reserved_at`;
}

/** Stores whose account exists in the place of the one that a failed task was to create. */
export const setHolder = (tx: OrgTx, taskId: string, holder: Holder) => run(tx)`
    update task set error = error || jsonb_build_object('holder', ${JSON.stringify(holder)}::jsonb)
    where org_id = ${tx.orgId} and id = ${taskId} and error is not null`;
