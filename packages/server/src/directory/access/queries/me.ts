import type { OrgDb } from '#kit/database.ts';
import type { Role } from '#kit/identity.ts';
import { one } from '#kit/sql.ts';

export interface Me {
  external_uuid: string;
  email: string;
  username: string;
  first_name: string;
  last_name: string;
  role: Role;
  organization: { slug: string; name: string; sample: boolean };
  has_password: boolean;
  second_factor: boolean;
  has_reports: boolean;
}

export const findMe = (db: OrgDb, userId: string) => one<Me>(db)`
    select u.id as external_uuid, u.email, u.username, u.first_name, u.last_name, u.role,
      jsonb_build_object('slug', o.slug, 'name', o.name, 'sample', o.sample is not null) as organization,
      exists (
        select from sign_in_account a
        where a.org_id = ${db.orgId} and a.user_id = u.id and a.provider_id = 'credential') as has_password,
      exists (
        select from sign_in_two_factor f
        where f.org_id = ${db.orgId} and f.user_id = u.id and f.verified) as second_factor,
      exists (
        select from platform_user r
        where r.org_id = ${db.orgId} and r.manager_id = u.id and r.merged_into is null) as has_reports
    from platform_user u join organization o on o.id = u.org_id
    where u.org_id = ${db.orgId} and u.id = ${userId}`;
