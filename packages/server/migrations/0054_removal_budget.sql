-- The accounts and memberships that each app lost lately, through syncs and tasks. The daily budget of an app counts them
-- (D46). Older rows are deleted whenever the app loses something.
create table access_loss (
  org_id uuid not null references organization,
  app_id uuid not null,
  -- The sync session or the task.
  source_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  accounts bigint not null,
  memberships bigint not null,
  -- Whether the access no longer counts as existing: the task was completed. A suspended account still exists.
  gone boolean not null,
  primary key (org_id, source_id)
);
create index access_loss_app on access_loss (org_id, app_id, at);

-- Locked while a transaction adds to the losses of an app, so that two cannot both use the rest of its budget.
create table removal_budget (
  org_id uuid not null references organization,
  app_id uuid not null,
  primary key (org_id, app_id)
);

-- A task over the budget waits until an administrator releases or rejects it.
alter table task drop constraint task_waits_for_check;
alter table task add constraint task_waits_for_check check (waits_for in ('account', 'external_id', 'confirmation'));
alter table task add column released_at timestamptz, add column released_by uuid;
create index task_held on task (org_id, app_id, number) where waits_for = 'confirmation';
