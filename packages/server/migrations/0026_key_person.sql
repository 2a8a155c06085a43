-- Migration 0032 makes emails unique in one normal form. Check here, in the first migration of the release, so that the
-- previous version still starts if two people share an email.
do $$
declare
  twice text;
begin
  select string_agg(email, ' and ' order by email collate "C") into twice from platform_user
  group by org_id, case
    when octet_length(email) = char_length(email) then lower(email collate pg_unicode_fast)
    else normalize(casefold(normalize(email, NFKC) collate pg_unicode_fast), NFKC)
  end
  having count(*) > 1 limit 1;
  if twice is not null then
    raise exception 'These people have the same email in different spellings: %. Change one of the emails with the previous version of Gatehouse, then start this version again.', twice;
  end if;
end $$;

-- The person for whom a key acts. It is the creator until the key is transferred (D8).
alter table api_key add column user_id uuid;
update api_key set user_id = created_by;
alter table api_key
  alter column user_id set not null,
  add foreign key (org_id, user_id) references platform_user (org_id, id);
drop index api_key_person;
create index api_key_person on api_key (org_id, user_id);
create index api_key_creator on api_key (org_id, created_by);
