-- runs-with: 0060
-- The kind of an account, and the person who answers for it. An account without a row belongs to a person. A table of its own, so
-- that syncs neither read nor write it.
create table account_owner (
  org_id uuid not null,
  account_id uuid not null,
  kind text not null check (kind in ('service', 'shared')),
  owner_id uuid,
  primary key (org_id, account_id)
);
create index account_owner_person on account_owner (org_id, owner_id) where owner_id is not null;

-- People to whom an account does not belong, so that they are not suggested again.
create table link_dismissal (
  org_id uuid not null,
  account_id uuid not null,
  user_id uuid not null,
  primary key (org_id, account_id, user_id)
);

-- The person who remained when this one was merged, and the result of the merge, for a caller who asks again.
alter table platform_user add column merged_into uuid;
alter table platform_user add column merge_result jsonb;
alter table platform_user add constraint platform_user_merged_check check (merged_into is null or status = 'deactivated');
