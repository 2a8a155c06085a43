-- The groups and licenses that the publication of a session created, changed or removed. Entitlements have no periods,
-- so that this is the only record of their earlier states. No foreign key (ADR 8).
create table sync_resource_change (
  org_id uuid not null,
  session_id uuid not null,
  slug text not null,
  kind text not null check (kind in ('group', 'license')),
  external_id text collate "C" not null,
  name text not null,
  change text not null check (change in ('created', 'changed', 'removed')),
  -- The states, as the plan shows them. Null if the entitlement did not exist.
  before jsonb,
  after jsonb,
  at timestamptz not null default now(),
  primary key (org_id, session_id, slug, external_id)
);

-- The plan of a large session in progress. It can be computed again at any time (ADR 13).
create table sync_plan (
  org_id uuid not null,
  session_id uuid not null,
  -- The newest page that the plan covers.
  last_page bigint not null,
  planned_at timestamptz not null,
  -- The loss that the removal guard would hold.
  held jsonb,
  primary key (org_id, session_id)
);
create table sync_plan_change (
  org_id uuid not null,
  session_id uuid not null,
  number bigint not null,
  type text not null,
  change text not null,
  account_id uuid,
  account_type text,
  external_id text collate "C",
  email text,
  display_name text,
  user_id uuid,
  slug text,
  kind text,
  resource_id text collate "C",
  resource_name text,
  before jsonb,
  after jsonb,
  primary key (org_id, session_id, number)
);

-- Finds what a publication began while it is still current. The rows of an app's first sync have no earlier bound and are
-- almost all of the app, so that they need no index, and the first sync does not pay for it.
create index account_change on account (org_id, change_id) where not_before is not null;
create index membership_change on membership (org_id, change_id) where not_before is not null;
