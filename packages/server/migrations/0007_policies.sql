-- Policies, which create tasks automatically (protocol 15), and how far they have read the event log.

alter table organization
  add column policy_task_limit integer not null default 1000 check (policy_task_limit > 0);

create table policy (
  org_id uuid not null references organization (id),
  id uuid not null default uuidv7(),
  name text not null check (length(name) between 1 and 255),
  trigger text not null check (trigger in
    ('user.created', 'user.updated', 'user.deactivated', 'user.reactivated', 'account.discovered', 'daily')),
  condition text not null,
  -- A list of {do, app, memberships, assignments}, with slugs and external ids as in request bodies.
  effects jsonb not null,
  -- An ISO 8601 duration. Null: no delay.
  delay text,
  enabled boolean not null,
  -- The policy acts only on events after this moment, the end of the log when it was last enabled.
  fires_after timestamptz not null,
  -- The last day (UTC) on which a daily policy has run or did not have to run.
  ran_on date not null,
  last_fired_at timestamptz,
  -- The number of tasks created or held at that time.
  last_fired_count integer,
  -- No foreign key: people can be deleted, and policies stay.
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id)
);
create index policy_daily on policy (ran_on, org_id) where enabled and trigger = 'daily';

-- How far an organization's policies have processed its event log. The row exists from the first policy on. Every
-- transaction that runs, changes or confirms policies of the organization locks it. The cursor advances in the
-- transaction that creates the tasks, so that an event triggers each policy exactly once, even after a crash.
create table policy_cursor (
  org_id uuid primary key references organization (id) on delete cascade,
  read_to timestamptz not null
) with (fillfactor = 50);

-- A run of a policy that exceeds the organization's task limit. It is held until a person confirms it. Its tasks are
-- then created in batches.
create table policy_firing (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  policy_id uuid not null,
  -- The people or accounts that triggered the policy. Null for a daily policy: everyone.
  subjects uuid[],
  -- The number of tasks that it would have created when it was held.
  count integer not null,
  held_at timestamptz not null default clock_timestamp(),
  confirmed_at timestamptz,
  confirmed_by uuid,
  -- The progress of a confirmed run: the current stage (people or accounts), and the last id that it has processed.
  stage smallint not null default 0,
  after_id uuid,
  created integer not null default 0,
  primary key (org_id, id),
  foreign key (org_id, policy_id) references policy (org_id, id) on delete cascade
);
create unique index policy_firing_held on policy_firing (org_id, policy_id) where confirmed_at is null;
create index policy_firing_released on policy_firing (org_id, confirmed_at) where confirmed_at is not null;
create index policy_firing_policy on policy_firing (org_id, policy_id);
