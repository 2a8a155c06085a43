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
alter table sync_page add column digests uuid[] not null default '{}';
alter table sync_page alter column digests set storage external;

-- Whether the change forgot the digests of the accounts that it changed. A process of an earlier release does not: then digests
-- from before the change do not count.
alter table inventory_change add column forgets_digests boolean not null default false;
create index inventory_change_unaware on inventory_change (org_id, at) where not forgets_digests;
