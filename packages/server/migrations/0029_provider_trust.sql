-- Owners decide how far they trust a provider. Both flags start as false, also for existing providers.

alter table sign_in_provider
  -- OpenID Connect: accept email addresses for which the provider sends no email_verified claim.
  add column trusts_email boolean not null default false,
  -- Whether the provider may sign in people with the role owner, and who approved that.
  add column approved_for_owners_by uuid,
  add column approved_for_owners_at timestamptz,
  add foreign key (org_id, approved_for_owners_by)
    references platform_user (org_id, id) on delete set null (approved_for_owners_by);

-- Sign-in needs the role.
drop view sign_in_user;
create view sign_in_user as
  select u.org_id, u.id, lower(u.email) as email, true as email_verified,
    coalesce(nullif(btrim(u.first_name || ' ' || u.last_name), ''), u.username) as name,
    null::text as image,
    exists (
      select from sign_in_two_factor f where f.org_id = u.org_id and f.user_id = u.id and f.verified
    ) as two_factor_enabled,
    u.created_at, u.updated_at, u.role
  from platform_user u where u.status = 'active';
