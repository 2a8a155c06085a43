-- Provisioning: what is to be done in the external systems, and what came of it (contract 2.6, 3.2; D25 to D32).

create table task (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  -- The order of creation: a clock can jump, this cannot.
  number bigint generated always as identity,
  app_id uuid not null,
  account_id uuid not null,
  action text not null check (action in
    ('create_account', 'update_account', 'delete_account', 'suspend_account', 'unsuspend_account', 'reset_password')),
  status text not null default 'scheduled'
    check (status in ('scheduled', 'pending', 'completed', 'failed', 'cancelled', 'preempted')),
  execute_after timestamptz not null,
  -- Why a scheduled task that is due does not become pending: another task of its account is pending, or the
  -- external system's id of the account is not known yet (D28). Null: it waits for its time only.
  waits_for text check (waits_for in ('account', 'external_id')),
  -- When task.dispatch_blocked was told, which happens once.
  blocked_at timestamptz,
  -- When it was first listed to a connector.
  dispatched_at timestamptz,
  ended_at timestamptz,
  -- Why it was cancelled.
  ended_reason text,
  preempted_by uuid,
  -- Of a failed report: code and message.
  error jsonb,
  retry_of uuid,
  attempt integer not null default 1,
  task_type text not null check (task_type in ('USER_ACTION', 'ACCESS_REVIEW', 'APPROVAL_WORKFLOW', 'POLICY')),
  -- The decision that made it: a ticket, an item of a review, a policy.
  source_type text,
  source_id uuid,
  -- The person; null where a policy or the service made it. No foreign key: people can be deleted, history stays.
  created_by uuid,
  reason text,
  -- What must hold when its turn comes (D31), as a list of {kind, ...}.
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
-- Those whose turn comes with time, of all organizations: what the promoter looks at every second.
create index task_due on task (execute_after, org_id, app_id) where status = 'scheduled' and waits_for is null;

-- The groups and licenses that a task gives or takes. Licenses of a create_account follow as an update_account.
create table task_change (
  org_id uuid not null,
  task_id uuid not null,
  entitlement_id uuid not null,
  added boolean not null,
  primary key (org_id, task_id, entitlement_id),
  foreign key (org_id, task_id) references task (org_id, id),
  foreign key (org_id, entitlement_id) references entitlement (org_id, id)
);

-- Tasks that wait for an account's external id get their turn when a sync or a report tells it, or when the account
-- is gone without ever having had one.
create function wake_tasks() returns trigger language plpgsql as $$
begin
  update task set waits_for = null
  where org_id = new.org_id and account_id = new.id and status = 'scheduled' and waits_for = 'external_id';
  return null;
end $$;
create trigger account_wakes_tasks after update on account for each row
  when (old.external_id is null and (new.external_id is not null or (old.removed_at is null and new.removed_at is not null)))
  execute function wake_tasks();
