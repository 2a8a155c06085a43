-- A query of the requests feature finds the people who may decide a ticket (requests/queries/approvers.ts).
drop function ticket_approvers(ticket);

-- Settings of an organization's policies. No row: the defaults.
create table policy_settings (
  org_id uuid primary key references organization (id) on delete cascade,
  -- The number of tasks that one firing may create without confirmation.
  task_limit integer not null check (task_limit > 0)
);
insert into policy_settings (org_id, task_limit)
  select id, policy_task_limit from organization where policy_task_limit <> 1000;
alter table organization drop column policy_task_limit;
