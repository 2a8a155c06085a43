import type { Sample } from '#directory/access/organization-facts.ts';
import { SAMPLE_DOMAIN } from '#directory/people/sample-emails.ts';
import type { OrgDb } from '#kit/database.ts';
import { exists, values } from '#kit/sql.ts';

/**
 * Returns the apps of the sample company that have become real: a connector has joined, a person has uploaded a file, there is a sync, a
 * review or a task of a request that is not part of the sample. The one place that says so (D92).
 */
export const findRealApps = (db: OrgDb, { apps, sessions, review }: Sample) => values<string>(db)`
    select a.id from app a
    where a.org_id = ${db.orgId} and a.id = any(${apps.map(({ id }) => id)}::uuid[]) and (
      exists (select from connector c where c.org_id = ${db.orgId} and c.app_id = a.id)
      or exists (select from connector_run r where r.org_id = ${db.orgId} and r.app_id = a.id)
      or exists (select from api_key_app k where k.org_id = ${db.orgId} and k.app_id = a.id)
      or exists (select from upload l where l.org_id = ${db.orgId} and l.app_id = a.id)
      or exists (
        select from sync_session s
        where s.org_id = ${db.orgId} and s.app_id = a.id and s.id <> all(${sessions}::uuid[]))
      or exists (
        select from review_item i join review_cycle c on c.org_id = i.org_id and c.id = i.cycle_id
        where i.org_id = ${db.orgId} and i.app_id = a.id and c.campaign_id is distinct from ${review}::uuid)
      or exists (
        select from task t where t.org_id = ${db.orgId} and t.app_id = a.id and t.source_type = 'ticket'))
    order by a.id`;

/** Returns whether the review has items about apps other than these. Its cycles are then evidence. */
export const reviewsOthers = (db: OrgDb, review: string, apps: readonly string[]) => exists(db)`
    select from review_item i join review_cycle c on c.org_id = i.org_id and c.id = i.cycle_id
    where i.org_id = ${db.orgId} and c.campaign_id = ${review} and i.app_id <> all(${[...apps]}::uuid[])
    limit 1`;

/**
 * Returns whether a person of the sample company has become real: by a role, an address outside the sample, a way to sign in, an API key, an
 * identity provider or a merge.
 */
export const isRealPerson = (db: OrgDb, userId: string) => exists(db)`
    select from platform_user u
    where u.org_id = ${db.orgId} and u.id = ${userId} and (
      u.role <> 'member' or lower(u.email) not like ${`%@${SAMPLE_DOMAIN}`} or u.merged_into is not null
      or exists (select from platform_user m where m.org_id = ${db.orgId} and m.merged_into = ${userId})
      or exists (select from sign_in_account a where a.org_id = ${db.orgId} and a.user_id = ${userId})
      or exists (select from sign_in_passkey k where k.org_id = ${db.orgId} and k.user_id = ${userId})
      or exists (select from sign_in_session s where s.org_id = ${db.orgId} and s.user_id = ${userId})
      or exists (
        select from api_key k
        where k.org_id = ${db.orgId} and k.user_id = ${userId} and k.revoked_at is null)
      or exists (select from person_source s where s.org_id = ${db.orgId} and s.user_id = ${userId}))`;
