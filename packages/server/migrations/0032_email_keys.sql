-- One normal form for all comparisons of emails: NFKC and case-folded, so that no two spellings of an address belong to
-- two people. Almost all emails are ASCII, for which lower() is the same and much faster. The collation is built in, so
-- the form does not depend on the database's locale. Not strict, because PostgreSQL could not inline it otherwise.

create function email_key(email text) returns text
  language sql immutable parallel safe
  return case
    when octet_length(email) = char_length(email) then lower(email collate pg_unicode_fast)
    else normalize(casefold(normalize(email, NFKC) collate pg_unicode_fast), NFKC)
  end;

do $$
declare
  twice text;
begin
  select string_agg(email, ' and ') into twice from platform_user
  group by org_id, email_key(email) having count(*) > 1 limit 1;
  if twice is not null then
    raise exception 'These people have the same email in different spellings: %. Change one of the emails with the previous version of Gatehouse, then start this version again.', twice;
  end if;
end $$;

drop index platform_user_email;
create unique index platform_user_email on platform_user (org_id, email_key(email));
drop index account_unlinked;
create index account_unlinked on account (org_id, email_key(email))
  where user_id is null and not user_linked_by_hand and email <> '';

drop view sign_in_user;
-- Active people as better-auth's model "user". Read-only.
create view sign_in_user as
  select u.org_id, u.id, email_key(u.email) as email, true as email_verified,
    coalesce(nullif(btrim(u.first_name || ' ' || u.last_name), ''), u.username) as name,
    null::text as image,
    exists (
      select from sign_in_two_factor f where f.org_id = u.org_id and f.user_id = u.id and f.verified
    ) as two_factor_enabled,
    u.created_at, u.updated_at
  from platform_user u where u.status = 'active';

-- What an email beyond ASCII looks like (packages/server/src/people/lookalikes.ts). Null for ASCII, and until the next
-- change of people fills it in.
alter table platform_user add column email_skeleton text;
create index platform_user_skeleton on platform_user (org_id, email_skeleton) where email_skeleton is not null;
create index platform_user_no_skeleton on platform_user (org_id)
  where email_skeleton is null and octet_length(email) <> char_length(email);
