import { accountOwners, accounts, entitlements, isHighRiskGroup } from '#inventory/records/accounts/facts.ts';
import { accountLinks } from '#inventory/records/history/link-facts.ts';
import type { OrgDb } from '#kit/database.ts';
import { isUuid } from '#kit/ids.ts';
import { type RawBuilder, sql, values } from '#kit/sql.ts';
import type { LoggedEvent } from '#log/events/follow.ts';
import type { KindName } from '../finding.ts';

const idsOf = (value: unknown): string[] =>
  [value].flat().filter((id): id is string => typeof id === 'string' && isUuid(id));

/** Returns the ids in a field of events. */
export const idsIn = (events: readonly LoggedEvent[], field: string): string[] =>
  events.flatMap(({ payload }) => idsOf(payload[field]));

/** Returns the people of merges: both. */
export const mergedIn = (events: readonly LoggedEvent[]): string[] =>
  events.flatMap(({ type, payload, subject }) =>
    type === 'person.merged' ? [subject.uuid, ...idsOf(payload.from)] : [],
  );

/** Looks only if there is something to look for. */
export const found = async (
  ids: readonly string[],
  find: (ids: readonly string[]) => Promise<string[]>,
): Promise<string[]> => (ids.length === 0 ? [] : find(ids));

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
export const namedIds = (db: OrgDb, ids: RawBuilder<unknown>) =>
  values<string>(db)`select distinct ids.id from (${ids}) ids`;
