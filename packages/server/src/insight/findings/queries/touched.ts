import { accountOwners, accounts } from '#inventory/records/accounts/facts.ts';
import { accountLinks } from '#inventory/records/history/link-facts.ts';
import type { OrgDb } from '#kit/database.ts';
import { type RawBuilder, values } from '#kit/sql.ts';

/** Returns the people who have these accounts, or had them before. */
export const peopleOfAccounts = (db: OrgDb, ids: readonly string[]) => values<string>(db)`
    select a.user_id from ${accounts} a
    where a.org_id = ${db.orgId} and a.id = any(${ids}::uuid[]) and a.user_id is not null
    union select l.user_id from ${accountLinks(db)} l where l.account_id = any(${ids}::uuid[]) and l.user_id is not null`;

/** Returns the accounts of these people, and those that name them as owners. */
export const accountsOfPeople = (db: OrgDb, ids: readonly string[]) => values<string>(db)`
    select a.id from ${accounts} a where a.org_id = ${db.orgId} and a.user_id = any(${ids}::uuid[])
    union select o.account_id from ${accountOwners} o where o.org_id = ${db.orgId} and o.owner_id = any(${ids}::uuid[])`;

/** Returns the tasks of apps about which there are findings. */
export const tasksWithFindings = (db: OrgDb, appIds: readonly string[]) => values<string>(db)`
    select f.subject_id from finding f
    where f.org_id = ${db.orgId} and f.app_id = any(${appIds}::uuid[]) and f.subject_type = 'task' and f.resolved_at is null`;

/** Returns the ids that a kind names for a stretch of time. */
export const idsOf = (db: OrgDb, ids: RawBuilder<unknown>) =>
  values<string>(db)`select distinct ids.id from (${ids}) ids`;
