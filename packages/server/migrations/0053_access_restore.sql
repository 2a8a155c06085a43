-- Plans to bring access back to what it was. A plan is kept when it is shown, so that applying it can tell what has
-- changed since. Plans that nobody applies are deleted after a week.
create table access_restore (
  org_id uuid not null references organization,
  id uuid not null default uuidv7(),
  created_by uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  -- The people, accounts or app that it concerns, the time, and whether it includes access that is only possible.
  input jsonb not null,
  -- The tasks that it creates.
  tasks jsonb not null,
  applied_at timestamptz,
  primary key (org_id, id)
);
create index access_restore_open on access_restore (org_id, created_at) where applied_at is null;
