-- Keeps lists of a million accounts fast: account_count also distinguishes linked accounts, and accounts that are not
-- ACTIVE can be read in order of email.

create index account_exceptional_email on account (org_id, status, lower(email), id) where status <> 'ACTIVE';

alter table account_count add column linked boolean;
truncate account_count;
insert into account_count (org_id, app_id, status, linked, n)
select org_id, app_id, status, user_id is not null, count(*) from account group by 1, 2, 3, 4;
alter table account_count alter column linked set not null;

create or replace function count_accounts() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into account_count (org_id, app_id, status, linked, n)
    select org_id, app_id, status, user_id is not null, -count(*) from old_rows group by 1, 2, 3, 4;
  end if;
  if tg_op <> 'DELETE' then
    insert into account_count (org_id, app_id, status, linked, n)
    select org_id, app_id, status, user_id is not null, count(*) from new_rows group by 1, 2, 3, 4;
  end if;
  return null;
end $$;

create or replace function fold_account_counts() returns void language sql as $$
  with taken as (delete from account_count returning *)
  insert into account_count (org_id, app_id, status, linked, n)
  select org_id, app_id, status, linked, sum(n) from taken group by 1, 2, 3, 4 having sum(n) <> 0;
$$;
