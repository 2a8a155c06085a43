-- The held removals that were shown to somebody, so that an approval can tell what has changed since. A version is the
-- `plan` of the response. Memberships are two arrays in the same order.
create table sync_plan_shown (
  org_id uuid not null,
  session_id uuid not null,
  version text not null,
  shown_at timestamptz not null,
  accounts uuid[] not null,
  entitlements uuid[] not null,
  member_accounts uuid[] not null,
  member_entitlements uuid[] not null,
  primary key (org_id, session_id, version),
  foreign key (org_id, session_id) references sync_session (org_id, id) on delete cascade
);
