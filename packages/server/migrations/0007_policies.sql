-- Policies (governance.md "Policies"): rules that make tasks by themselves, and how far they have read the log.

alter table organization
  add column policy_task_limit integer not null default 1000 check (policy_task_limit > 0);

create table policy (
  org_id uuid not null references organization (id),
  id uuid not null default uuidv7(),
  name text not null check (length(name) between 1 and 255),
  trigger text not null check (trigger in
    ('user.created', 'user.updated', 'user.deactivated', 'user.reactivated', 'account.discovered', 'daily')),
  condition text not null,
  -- A list of {do, app, memberships, assignments}: slugs and external ids, as bodies name them.
  effects jsonb not null,
  -- An ISO 8601 duration; null: at once.
  delay text,
  enabled boolean not null,
  -- It acts on what the log holds behind this moment: the log's end when it was last enabled.
  fires_after timestamptz not null,
  -- The last day, in UTC, that a daily policy has run for, or need not run for.
  ran_on date not null,
  last_fired_at timestamptz,
  -- The tasks of that firing, made or held.
  last_fired_count integer,
  -- No foreign key: people can be deleted, policies stay.
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id)
);
create index policy_daily on policy (ran_on, org_id) where enabled and trigger = 'daily';

-- How far an organization's policies have acted on its log: there is a row from its first policy on. Its lock is
-- the turn of whoever fires, changes, or confirms policies of the organization. It moves in the transaction that
-- makes the tasks, so that what happened fires each policy once, whatever dies in between.
create table policy_cursor (
  org_id uuid primary key references organization (id) on delete cascade,
  read_to timestamptz not null
) with (fillfactor = 50);

-- A firing of more tasks than the organization's limit: held until a person confirms it, then worked off in pages.
create table policy_firing (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  policy_id uuid not null,
  -- The people or accounts that it is about; null: everyone, for a daily policy.
  subjects uuid[],
  -- The tasks that it stood for when it was held.
  count integer not null,
  held_at timestamptz not null default clock_timestamp(),
  confirmed_at timestamptz,
  confirmed_by uuid,
  -- How far the release has come: among people, or accounts, and behind which of them.
  stage smallint not null default 0,
  after_id uuid,
  created integer not null default 0,
  primary key (org_id, id),
  foreign key (org_id, policy_id) references policy (org_id, id) on delete cascade
);
create unique index policy_firing_held on policy_firing (org_id, policy_id) where confirmed_at is null;
create index policy_firing_released on policy_firing (org_id, confirmed_at) where confirmed_at is not null;
create index policy_firing_policy on policy_firing (org_id, policy_id);
