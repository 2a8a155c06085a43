-- Provisioning tasks: actions for connectors, and their outcomes (protocol 2.6, 3.2; D25, D26, D28 to D32).

create table task (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  -- The order of creation. Unlike a clock, an identity column never goes backwards.
  number bigint generated always as identity,
  app_id uuid not null,
  account_id uuid not null,
  action text not null check (action in
    ('create_account', 'update_account', 'delete_account', 'suspend_account', 'unsuspend_account', 'reset_password')),
  status text not null default 'scheduled'
    check (status in ('scheduled', 'pending', 'completed', 'failed', 'cancelled', 'preempted')),
  execute_after timestamptz not null,
  -- Why a due task stays scheduled: another task of its account is pending, or the account's external id is unknown
  -- (D28). Null: the task waits only for execute_after.
  waits_for text check (waits_for in ('account', 'external_id')),
  -- When task.dispatch_blocked was recorded, which happens only once (D28).
  blocked_at timestamptz,
  -- When the task was first listed to a connector.
  dispatched_at timestamptz,
  ended_at timestamptz,
  -- Why the task was cancelled.
  ended_reason text,
  preempted_by uuid,
  -- The code and message of a failed report.
  error jsonb,
  retry_of uuid,
  attempt integer not null default 1,
  task_type text not null check (task_type in ('USER_ACTION', 'ACCESS_REVIEW', 'APPROVAL_WORKFLOW', 'POLICY')),
  -- The decision that created the task: a request ('ticket'), a review item or a policy.
  source_type text,
  source_id uuid,
  -- Null if a policy or Gatehouse created the task. No foreign key: people can be deleted, and history stays.
  created_by uuid,
  reason text,
  -- Conditions that are checked again when the task's turn comes (D31): a list of {kind, ...}.
  preconditions jsonb not null default '[]',
  created_at timestamptz not null default clock_timestamp(),
  primary key (org_id, id),
  foreign key (org_id, app_id) references app (org_id, id),
  foreign key (org_id, account_id) references account (org_id, id)
);
-- An account has at most one pending task (D28).
create unique index task_pending on task (org_id, account_id) where status = 'pending';
create index task_app on task (org_id, app_id, status, number);
create index task_account on task (org_id, account_id, number);
create index task_number on task (org_id, number);
create index task_source on task (org_id, source_id) where source_id is not null;
-- For the promoter, which looks every second for due tasks of all organizations.
create index task_due on task (execute_after, org_id, app_id) where status = 'scheduled' and waits_for is null;

-- The groups and licenses that a task adds or removes. A follow-up update_account assigns the licenses of a
-- create_account.
create table task_change (
  org_id uuid not null,
  task_id uuid not null,
  entitlement_id uuid not null,
  added boolean not null,
  primary key (org_id, task_id, entitlement_id),
  foreign key (org_id, task_id) references task (org_id, id),
  foreign key (org_id, entitlement_id) references entitlement (org_id, id)
);

-- Releases the tasks that wait for an account's external id, as soon as a sync or a report provides it, or the
-- account is removed without ever having one.
create function wake_tasks() returns trigger language plpgsql as $$
begin
  update task set waits_for = null
  where org_id = new.org_id and account_id = new.id and status = 'scheduled' and waits_for = 'external_id';
  return null;
end $$;
create trigger account_wakes_tasks after update on account for each row
  when (old.external_id is null and (new.external_id is not null or (old.removed_at is null and new.removed_at is not null)))
  execute function wake_tasks();
