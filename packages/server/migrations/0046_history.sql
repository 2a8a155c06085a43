-- The history of accounts, memberships and people (D45). A row of account, membership or platform_user is the open
-- period; its columns say when it began. The statement that changes the row copies the ended period to its history
-- table.

-- What changed the inventory, and the bounds that follow from it. A publication of a sync, its removals, or a completed task.
-- Bounds are null where nothing earlier is known.
create table inventory_change (
  org_id uuid not null references organization,
  id uuid not null default uuidv7(),
  -- Null for our own changes, whose times are exact.
  app_id uuid,
  kind text not null check (kind in ('sync', 'abandoned_sync', 'removal', 'task', 'revert')),
  -- The sync session, the task, or null.
  source_id uuid,
  actor jsonb,
  -- The start of the sync session. Null for our own changes.
  started_at timestamptz,
  -- When Gatehouse recorded the change.
  at timestamptz not null,
  -- When the sync completed, which makes it a sighting of everything that exists.
  completed_at timestamptz,
  -- When a state that begins with this change was last known to be absent.
  not_before timestamptz,
  -- When a state that ends with this change was last seen.
  seen_until timestamptz,
  -- When a state that ends with this change was known to be gone.
  gone_by timestamptz not null,
  primary key (org_id, id)
);
create index inventory_change_app on inventory_change (org_id, app_id, at desc) where started_at is not null;
create index inventory_change_source on inventory_change (org_id, source_id);

-- The present state of an account is certain since `since`, and possible after `not_before`.
alter table account rename column updated_at to since;
alter table account add column not_before timestamptz, add column change_id uuid, add column known_from timestamptz,
  -- Since when the account belongs to its present person. Null: since it was created.
  add column linked_at timestamptz;
-- A membership is certain since granted_at.
alter table membership add column not_before timestamptz, add column change_id uuid, add column known_from timestamptz;

-- States of accounts that have ended. `known_from`, `ended_at` and `known_to` say when Gatehouse learned that the
-- state began, learned that it ended, and found that it had recorded it wrongly.
create table account_period (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  account_id uuid not null,
  app_id uuid not null,
  resource_type_id uuid not null,
  external_id text collate "C",
  email text not null,
  username text not null,
  first_name text not null,
  last_name text not null,
  display_name text not null,
  status text not null,
  not_before timestamptz,
  since timestamptz not null,
  seen_until timestamptz not null,
  gone_by timestamptz not null,
  known_from timestamptz not null,
  ended_at timestamptz not null,
  known_to timestamptz,
  began_by uuid,
  ended_by uuid not null,
  primary key (org_id, account_id, ended_at, id)
) partition by range (ended_at);
create index account_period_app on account_period (org_id, app_id, account_id, ended_at);
create index account_period_change on account_period (org_id, ended_by);
create index account_period_begun on account_period (org_id, began_by);

create table membership_period (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  account_id uuid not null,
  entitlement_id uuid not null,
  app_id uuid not null,
  not_before timestamptz,
  since timestamptz not null,
  seen_until timestamptz not null,
  gone_by timestamptz not null,
  known_from timestamptz not null,
  ended_at timestamptz not null,
  known_to timestamptz,
  began_by uuid,
  ended_by uuid not null,
  primary key (org_id, account_id, ended_at, entitlement_id, id)
) partition by range (ended_at);
create index membership_period_app on membership_period (org_id, app_id, account_id, entitlement_id, ended_at);
create index membership_period_recent on membership_period (org_id, app_id, ended_at);
create index membership_period_entitlement on membership_period (org_id, entitlement_id, account_id, ended_at);
create index membership_period_change on membership_period (org_id, ended_by);
create index membership_period_begun on membership_period (org_id, began_by);

-- Links between accounts and people that have ended. Gatehouse makes them itself, so that their times are exact.
create table account_link_period (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  account_id uuid not null,
  user_id uuid not null,
  since timestamptz not null,
  ended_at timestamptz not null,
  primary key (org_id, account_id, ended_at, id)
) partition by range (ended_at);
create index account_link_period_user on account_link_period (org_id, user_id, account_id);

-- Earlier states of people. Gatehouse itself changes people, so that all bounds are exact.
create table person_period (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  user_id uuid not null,
  email text not null,
  username text not null,
  first_name text not null,
  last_name text not null,
  role text not null,
  status text not null,
  identity_type text not null,
  domain_type text not null,
  manager_id uuid,
  attributes jsonb not null,
  start_date date,
  end_date date,
  since timestamptz not null,
  ended_at timestamptz not null,
  primary key (org_id, user_id, ended_at, id)
) partition by range (ended_at);
create index person_period_manager on person_period (org_id, manager_id) where manager_id is not null;

-- How long ended periods are kept. Null keeps them for ever.
alter table organization add column history_days integer check (history_days between 30 and 36500);

-- Creates the monthly partitions of a history table from this month to three months ahead. The very first has no lower
-- bound, and later months follow without gaps.
create function ensure_history_partitions(parent text) returns integer language plpgsql as $$
declare
  month date;
  last_month date := date_trunc('month', now() at time zone 'UTC') + interval '3 months';
  floor text := 'minvalue';
  made integer := 0;
begin
  execute format('lock table only %I in share update exclusive mode', parent);
  select max(to_date(right(inhrelid::regclass::text, 7), 'YYYY_MM')) + interval '1 month' into month
    from pg_inherits where inhparent = parent::regclass;
  if month is not null then
    floor := quote_literal(month || ' 00:00:00+00');
  else
    month := date_trunc('month', now() at time zone 'UTC');
  end if;
  while month <= last_month loop
    execute format('create table %I (like %I including all)', parent || to_char(month, '"_"YYYY_MM'), parent);
    execute format('alter table %I attach partition %I for values from (%s) to (%L)',
      parent, parent || to_char(month, '"_"YYYY_MM'), floor, (month + interval '1 month')::date || ' 00:00:00+00');
    month := month + interval '1 month';
    floor := quote_literal(month || ' 00:00:00+00');
    made := made + 1;
  end loop;
  return made;
end $$;
select ensure_history_partitions('account_period'), ensure_history_partitions('membership_period'),
  ensure_history_partitions('account_link_period'), ensure_history_partitions('person_period');
