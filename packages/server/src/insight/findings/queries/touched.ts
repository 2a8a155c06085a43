import { accountOwners, accounts, entitlements, isHighRiskGroup } from '#inventory/records/accounts/facts.ts';
import { accountLinks } from '#inventory/records/history/link-facts.ts';
import type { OrgDb } from '#kit/database.ts';
import { type RawBuilder, sql, values } from '#kit/sql.ts';
import type { KindName } from '../finding.ts';

/** Returns the people who have these accounts, or had them before. */
export const peopleOfAccounts = (db: OrgDb, ids: readonly string[]) => values<string>(db)`
    select a.user_id from ${accounts} a
    where a.org_id = ${db.orgId} and a.id = any(${ids}::uuid[]) and a.user_id is not null
    union select l.user_id from ${accountLinks(db)} l where l.account_id = any(${ids}::uuid[]) and l.user_id is not null`;

/** Returns the accounts of these people, and those that name them as owners. */
export const accountsOfPeople = (db: OrgDb, ids: readonly string[]) => values<string>(db)`
    select a.id from ${accounts} a where a.org_id = ${db.orgId} and a.user_id = any(${ids}::uuid[])
    union select o.account_id from ${accountOwners} o where o.org_id = ${db.orgId} and o.owner_id = any(${ids}::uuid[])`;

/** Returns the groups whose risk is high in these apps, and in the apps of accounts. `ids` are of both. */
export const highRiskGroups = (db: OrgDb, ids: readonly string[]) => values<string>(db)`
    select e.id from ${entitlements} e
    where e.org_id = ${db.orgId} and ${isHighRiskGroup('e')} and e.app_id in (
      select p.id from app p where p.org_id = ${db.orgId} and p.id = any(${ids}::uuid[])
      union select a.app_id from ${accounts} a where a.org_id = ${db.orgId} and a.id = any(${ids}::uuid[]))`;

/** Returns the groups whose risk is high and that these people own. */
export const ownedHighRiskGroups = (db: OrgDb, people: readonly string[]) => values<string>(db)`
    select e.id from ${entitlements} e
    where e.org_id = ${db.orgId} and ${isHighRiskGroup('e')} and e.owner_id = any(${people}::uuid[])`;

/** Returns the groups whose risk is high and that nobody owns. */
export const highRiskGroupsWithoutOwner = (db: OrgDb) => values<string>(db)`
    select e.id from ${entitlements} e where e.org_id = ${db.orgId} and ${isHighRiskGroup('e')} and e.owner_id is null`;

const hasFinding = (db: OrgDb, kind: KindName) =>
  sql`f.org_id = ${db.orgId} and f.kind = ${kind} and f.resolved_at is null`;

/** Returns the subjects of a kind's findings. */
export const withFinding = (db: OrgDb, kind: KindName) => values<string>(db)`
    select f.subject_id from finding f where ${hasFinding(db, kind)}`;

/** Returns those in these apps. */
export const withFindingIn = (db: OrgDb, kind: KindName, appIds: readonly string[]) => values<string>(db)`
    select f.subject_id from finding f where ${hasFinding(db, kind)} and f.app_id = any(${appIds}::uuid[])`;

/** Returns the ids that a kind names for a stretch of time, or for some apps. */
export const idsOf = (db: OrgDb, ids: RawBuilder<unknown>) =>
  values<string>(db)`select distinct ids.id from (${ids}) ids`;
