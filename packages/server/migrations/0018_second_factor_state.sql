-- A person has a second factor as soon as its first code is verified. The view now derives this state from
-- sign_in_two_factor, so that sign-in no longer writes a copy of it to platform_user.

drop view sign_in_user;
alter table platform_user drop column two_factor_enabled;

-- Active people as better-auth's model "user". Read-only.
create view sign_in_user as
  select u.org_id, u.id, lower(u.email) as email, true as email_verified,
    coalesce(nullif(btrim(u.first_name || ' ' || u.last_name), ''), u.username) as name,
    null::text as image,
    exists (
      select from sign_in_two_factor f where f.org_id = u.org_id and f.user_id = u.id and f.verified
    ) as two_factor_enabled,
    u.created_at, u.updated_at
  from platform_user u where u.status = 'active';
