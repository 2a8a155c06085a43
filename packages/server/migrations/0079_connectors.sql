-- runs-with: 0060
-- The connectors that the server runs itself (docs/managed-connectors.md), at most one for each app.
create table connector (
  org_id uuid not null,
  app_id uuid not null,
  type text not null,
  -- The YAML text of a type that needs one.
  definition text,
  -- The settings that are not secret, by name.
  settings jsonb not null,
  -- The settings that the definition has, in JSON Schema, with its resource types and actions. Null: those of the type.
  described jsonb,
  schedule jsonb,
  paused boolean not null default false,
  carries_out_tasks boolean not null default false,
  -- The person for whom runs act: the last one who changed the connector.
  acts_for uuid not null,
  next_sync_at timestamptz,
  -- When pending tasks may start a run again.
  next_tasks_at timestamptz not null default now(),
  -- Since when the schedule counts, to find out whether a sync is overdue.
  scheduled_since timestamptz,
  last_success_at timestamptz,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  primary key (org_id, app_id)
);

create table connector_secret (
  org_id uuid not null,
  app_id uuid not null,
  name text not null,
  sealed text not null,
  set_at timestamptz not null default now(),
  primary key (org_id, app_id, name)
);

create table connector_run (
  org_id uuid not null,
  -- A UUID of version 7, so that runs sort by time.
  id uuid not null default uuidv7(),
  app_id uuid not null,
  kind text not null check (kind in ('sync', 'tasks', 'test', 'preview')),
  state text not null default 'queued'
    check (state in ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'timed_out', 'lost')),
  -- Null: the schedule or pending tasks started it.
  requested_by uuid,
  -- The node that runs it. After leased_until, the node has died.
  node uuid,
  leased_until timestamptz,
  key_id uuid,
  cancel_requested_at timestamptz,
  queued_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  -- What a sync or a task batch reports.
  counts jsonb,
  error text,
  log text,
  -- What a test or a preview found.
  result jsonb,
  primary key (org_id, id),
  check ((state in ('queued', 'running')) = (ended_at is null))
);
-- No two runs of a kind at once.
create unique index connector_run_unfinished on connector_run (org_id, app_id, kind) where ended_at is null;
create index connector_run_of_app on connector_run (org_id, app_id, id);
create index connector_run_ended on connector_run (org_id, ended_at);
