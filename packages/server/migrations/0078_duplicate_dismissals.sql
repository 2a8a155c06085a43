-- runs-with: 0060
-- Pairs of people who are different, although their records look alike. People remove the pairs of deleted and merged people.
create table duplicate_dismissal (
  org_id uuid not null,
  lower_id uuid not null,
  higher_id uuid not null,
  dismissed_by uuid not null,
  dismissed_at timestamptz not null default now(),
  primary key (org_id, lower_id, higher_id),
  check (lower_id < higher_id)
);
create index duplicate_dismissal_higher on duplicate_dismissal (org_id, higher_id);
