-- runs-with: 0060
-- Apps whose provisioning tasks people carry out. Without foreign keys (ADR 16): the feature removes the rows of deleted people.

create table fulfilment_setting (
  org_id uuid not null,
  app_id uuid not null,
  enabled boolean not null,
  assignment text not null check (assignment in ('round_robin', 'owner')),
  -- By action: the text for the fulfiller, and the working days until the task is due.
  instructions jsonb not null,
  due_in_working_days jsonb not null,
  remind_before_working_days integer not null check (remind_before_working_days between 0 and 30),
  -- Working days after the due date. Null: overdue tasks stay with their assignees.
  escalate_after_working_days integer check (escalate_after_working_days between 1 and 100),
  updated_at timestamptz not null,
  primary key (org_id, app_id)
);

create table fulfiller (
  org_id uuid not null,
  app_id uuid not null,
  kind text not null check (kind in ('person', 'group')),
  member_id uuid not null,
  primary key (org_id, app_id, kind, member_id)
);
create index fulfiller_member on fulfiller (org_id, member_id);

-- The latest assignment of each task. A row stays after its task has ended.
create table fulfilment_assignment (
  org_id uuid not null,
  task_id uuid not null,
  app_id uuid not null,
  -- Null: nobody can carry the task out, and administrators see it.
  assignee_id uuid,
  assigned_at timestamptz not null,
  due_at timestamptz not null,
  -- When Gatehouse last looked for somebody, so that a task that nobody can take is not looked at every second.
  checked_at timestamptz not null,
  -- When the task was handed to the owner because it was overdue for too long.
  escalated_at timestamptz,
  reassign_reason text,
  note text,
  reported_by uuid,
  primary key (org_id, task_id)
);
create index fulfilment_assignment_turn on fulfilment_assignment (org_id, app_id, assignee_id, assigned_at);
create index fulfilment_assignment_assignee on fulfilment_assignment (org_id, assignee_id);
