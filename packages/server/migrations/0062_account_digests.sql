-- runs-with: 0060
-- A digest of the record from which the last publication took an account, with the groups and licenses that it named. A row
-- means that the account and its memberships have not changed since: every other change of them deletes it (ADR 14).
create table account_digest (
  org_id uuid not null,
  account_id uuid not null,
  digest uuid not null,
  -- The time of the publication.
  kept_at timestamptz not null,
  primary key (org_id, account_id)
);

-- The digests of the page's accounts, in their order. Empty for groups, licenses, and pages of an earlier release.
alter table sync_page add column digests uuid[] storage external not null default '{}';

-- Whether the change forgot the digests of the accounts that it changed. A process of an earlier release does not: then digests
-- from before the change do not count.
alter table inventory_change add column forgets_digests boolean not null default false;
create index inventory_change_unaware on inventory_change (org_id, at) where not forgets_digests;

-- The relations of a publication, for a cluster (ADR 16).
create table staging.staged_record (
  org_id uuid not null,
  run_id uuid not null,
  resource_type_id uuid not null,
  external_id text collate "C" not null,
  page bigint not null,
  place integer not null,
  digest uuid
);
create table staging.unchanged_account (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  page bigint not null,
  place integer not null
);
create table staging.changed_record (
  org_id uuid not null,
  run_id uuid not null,
  resource_type_id uuid not null,
  external_id text collate "C" not null,
  page bigint not null,
  place integer not null,
  digest uuid
);
-- A process of an earlier release does not name these columns.
alter table staging.pushed_account add column unchanged boolean not null default false;
alter table staging.planned_account add column unchanged boolean not null default false;
