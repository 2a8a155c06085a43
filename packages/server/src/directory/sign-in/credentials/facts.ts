import type { Org, OrgDb } from '#kit/database.ts';
import { many, type RawBuilder, sql } from '#kit/sql.ts';

export interface OfferedProvider {
  id: string;
  name: string;
  type: 'oidc' | 'saml';
}

/** Returns the providers that the sign-in page offers. */
export const listOfferedProviders = (db: OrgDb) => many<OfferedProvider>(db)`
    select provider_id as id, coalesce(nullif(name, ''), provider_id) as name,
      case when oidc_config is null then 'saml' else 'oidc' end as type
    from sign_in_provider where org_id = ${db.orgId} order by 2, 1`;

export interface SignsNotIn {
  external_uuid: string;
  email: string;
}

/** Whether the person `u` has no way to sign in: neither a password nor a passkey, and no provider for their email domain. */
export const hasNoSignIn = (org: Org): RawBuilder<boolean> => sql`(
  not exists (
    select from sign_in_account a where a.org_id = ${org.orgId} and a.user_id = u.id and a.provider_id = 'credential')
  and not exists (select from sign_in_passkey k where k.org_id = ${org.orgId} and k.user_id = u.id)
  and not exists (
    select from sign_in_provider p
    where p.org_id = ${org.orgId} and (p.domain = '' or split_part(u.email, '@', 2) = any(string_to_array(p.domain, ',')))))`;

/** Returns those of these people who have no way to sign in. By email. */
export const withoutSignIn = (db: OrgDb, userIds: string[]) => many<SignsNotIn>(db)`
    select u.id as external_uuid, u.email from platform_user u
    where u.org_id = ${db.orgId} and u.id = any(${userIds}::uuid[]) and ${hasNoSignIn(db)}
    order by u.email, u.id`;
