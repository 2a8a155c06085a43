-- A list of the tasks that a policy would create, which a job writes and which expires. `status` is running until all
-- tasks have been written, and failed if the job has given up.
create table policy_preview (
  org_id uuid not null references organization,
  id uuid not null default uuidv7(),
  policy_id uuid not null,
  status text not null default 'running' check (status in ('running', 'completed', 'failed')),
  counts jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (org_id, id),
  foreign key (org_id, policy_id) references policy on delete cascade
);
create index policy_preview_age on policy_preview (created_at);

create table policy_preview_task (
  org_id uuid not null,
  preview_id uuid not null,
  number integer not null,
  task jsonb not null,
  primary key (org_id, preview_id, number),
  foreign key (org_id, preview_id) references policy_preview on delete cascade
);
