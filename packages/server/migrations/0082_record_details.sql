-- runs-with: 0060
-- The fields of pushed accounts that give no access (D54): the last sign-in, the owner that the app names, and attributes.
-- They have a table of their own, so that a daily change of the last sign-in writes one narrow row, keeps the account's
-- digest (ADR 14), and adds nothing to the history. Accounts without any of them have no row.
create table account_detail (
  org_id uuid not null,
  account_id uuid not null,
  app_id uuid not null,
  last_sign_in_at timestamptz,
  owner_email text,
  attributes jsonb,
  -- Of the fields as they were pushed.
  digest uuid not null,
  -- Whether an administrator made it the account of a person, or of an owner of their choice.
  owner_overruled boolean not null default false,
  primary key (org_id, account_id)
);
create index account_detail_sign_in on account_detail (org_id, app_id, last_sign_in_at, account_id)
  where last_sign_in_at is not null;
create index account_detail_owner on account_detail (org_id, app_id) where owner_email is not null;
create index account_detail_owner_email on account_detail (org_id, email_key(owner_email)) where owner_email is not null;

-- Whether an administrator set the kind and the owner. Otherwise they follow from account_detail.owner_email.
alter table account_owner add column by_hand boolean not null default true;
create index account_owner_pushed on account_owner (org_id, account_id) where not by_hand;

alter table entitlement add column risk text check (risk in ('low', 'medium', 'high'));
alter table entitlement add column owner_email text;
create index entitlement_owner on entitlement (org_id, email_key(owner_email)) where owner_email is not null;

-- For each account of the page, its details as JSON and their digest, or null. Empty if none of them has any. Null for pages
-- of an earlier release, which says nothing about details.
alter table sync_page add column details text[] storage external;
alter table sync_page add column detail_digests uuid[] storage external;

-- The relations of a publication, for a cluster (ADR 16).
alter table staging.staged_entitlement add column risk text;
alter table staging.staged_entitlement add column owner_email text;
create table staging.changed_detail (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  last_sign_in_at timestamptz,
  owner_email text,
  attributes jsonb,
  digest uuid not null
);
create table staging.changed_owner (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  old_kind text not null,
  new_kind text not null,
  old_owner uuid,
  new_owner uuid
);
