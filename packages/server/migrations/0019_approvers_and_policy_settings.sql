-- A query of the requests feature now finds the people who can decide a request
-- (packages/server/src/requests/queries/approvers.ts).
drop function ticket_approvers(ticket);

-- The policy settings of an organization. An organization without a row has the defaults.
create table policy_settings (
  org_id uuid primary key references organization (id) on delete cascade,
  -- The number of tasks that a policy can create at once without confirmation.
  task_limit integer not null check (task_limit > 0)
);
insert into policy_settings (org_id, task_limit)
  select id, policy_task_limit from organization where policy_task_limit <> 1000;
alter table organization drop column policy_task_limit;
