-- Requests for access, their approvals and their outcomes (protocol 2.10, protocol 13, D33). The API calls a request
-- a ticket.

-- The newest request number of each organization. It is incremented in the transaction that creates the request, so
-- numbers have no gaps or duplicates.
create table ticket_number (
  org_id uuid primary key references organization (id),
  last_number bigint not null
);

create table ticket (
  org_id uuid not null references organization (id),
  id uuid not null default uuidv7(),
  number bigint not null,
  label text not null,
  type text not null check (type in ('NEW_ACCESS', 'MODIFY_ACCESS', 'EXTEND_ACCESS')),
  status text not null default 'PENDING' check (status in ('PENDING', 'APPROVED', 'REJECTED', 'EXPIRED', 'CANCELED')),
  app_id uuid not null,
  -- The beneficiary, the requester, and the person who submitted the request: the requester or an administrator.
  user_id uuid not null,
  requester_id uuid not null,
  created_by uuid not null,
  -- The beneficiary's account in the app. Null until it exists.
  account_id uuid,
  start_time timestamptz,
  end_time timestamptz,
  initial_comment text not null,
  -- Copies of the app's approval steps, [{approvers, require}], and fallback approvers, made with the request.
  steps jsonb not null,
  fallback_approvers uuid[],
  -- The people whom steps and fallback_approvers name by id. They can always see the request.
  named uuid[] not null,
  -- The current approval step, counted from 0.
  step integer not null default 0,
  -- A sentence about the result. Null if the status says it all.
  outcome text,
  -- The tasks that replace scheduled removals of earlier requests.
  moved_tasks uuid[] not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  decided_at timestamptz,
  primary key (org_id, id),
  unique (org_id, number),
  foreign key (org_id, app_id) references app (org_id, id),
  foreign key (org_id, user_id) references platform_user (org_id, id),
  foreign key (org_id, requester_id) references platform_user (org_id, id),
  foreign key (org_id, created_by) references platform_user (org_id, id),
  foreign key (org_id, account_id) references account (org_id, id)
);
create index ticket_app on ticket (org_id, app_id, number);
create index ticket_user on ticket (org_id, user_id, number);
create index ticket_requester on ticket (org_id, requester_id, number);
create index ticket_status on ticket (org_id, status, number);
create index ticket_named on ticket using gin (named);
create index ticket_pending on ticket (created_at) where status = 'PENDING';

-- The requested groups and licenses.
create table ticket_entitlement (
  org_id uuid not null,
  ticket_id uuid not null,
  entitlement_id uuid not null,
  primary key (org_id, ticket_id, entitlement_id),
  foreign key (org_id, ticket_id) references ticket (org_id, id),
  foreign key (org_id, entitlement_id) references entitlement (org_id, id)
);

create table ticket_approval (
  org_id uuid not null,
  ticket_id uuid not null,
  step integer not null,
  approver_id uuid not null,
  decision text not null check (decision in ('approved', 'denied')),
  -- An administrator decided in place of all approvers.
  override boolean not null,
  comment text not null,
  decided_at timestamptz not null default clock_timestamp(),
  primary key (org_id, ticket_id, step, approver_id),
  foreign key (org_id, ticket_id) references ticket (org_id, id),
  foreign key (org_id, approver_id) references platform_user (org_id, id)
);
create index ticket_approval_approver on ticket_approval (org_id, approver_id, ticket_id);

create index platform_user_administrator on platform_user (org_id, id) where role in ('owner', 'admin');

-- Returns the people who can decide the current step of a pending request: the approvers that the step names; if none
-- of them is eligible, the fallback approvers; if none of those is eligible either, the administrators. Deactivated
-- people, auditors, the requester and the beneficiary are never eligible. `manager` and `app_owner` mean the current
-- manager and owner.
create function ticket_approvers(t ticket) returns table (user_id uuid, via text) language sql stable as $$
  with candidate as (
    select p.manager_id as id, 1 as rank from platform_user p
    where p.org_id = t.org_id and p.id = t.user_id and t.steps -> t.step ->> 'approvers' = 'manager'
    union all
    select a.owner_id, 1 from app a
    where a.org_id = t.org_id and a.id = t.app_id and t.steps -> t.step ->> 'approvers' = 'app_owner'
    union all
    select named.id::uuid, 1 from jsonb_array_elements_text(
      case jsonb_typeof(t.steps -> t.step -> 'approvers') when 'array' then t.steps -> t.step -> 'approvers' else '[]' end
    ) named (id)
    union all
    select fallback.id, 2 from unnest(t.fallback_approvers) fallback (id)
    union all
    select u.id, 3 from platform_user u where u.org_id = t.org_id and u.role in ('owner', 'admin')
  ), eligible as (
    select c.id, c.rank, min(c.rank) over () as first_rank
    from candidate c
    join platform_user u on u.org_id = t.org_id and u.id = c.id
      and u.status = 'active' and u.role <> 'auditor' and u.id not in (t.user_id, t.requester_id)
    where t.status = 'PENDING'
  )
  select distinct id, case rank when 1 then 'named' when 2 then 'fallback' else 'administrators' end
  from eligible where rank = first_rank;
$$;

-- The removal was skipped because another decision still grants the access
-- (packages/server/src/provisioning/preconditions/last-holder.ts).
alter table task_change add column spared boolean not null default false;
