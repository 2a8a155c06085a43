-- runs-with: 0060
-- When people are away, and who decides for them. The absences of a person do not overlap. Without foreign keys, which Citus
-- refuses between local and distributed tables (ADR 16): people delete the absences of deleted people.
create table absence (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  user_id uuid not null,
  deputy_id uuid not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  check (ends_at > starts_at)
);
create index absence_person on absence (org_id, user_id, ends_at);
-- To find out whether anybody is away.
create index absence_current on absence (org_id, ends_at);
create index absence_deputy on absence (org_id, deputy_id, ends_at);

-- Returns the moment after a number of working days, Monday to Friday in UTC. A moment at a weekend counts as Monday 00:00.
create function after_working_days(moment timestamptz, days integer) returns timestamptz
language sql immutable strict parallel safe as $$
  select (start + make_interval(days => days + 2 * ((extract(isodow from start)::integer - 1 + days) / 5))) at time zone 'UTC'
  from (
    select case when extract(isodow from local) < 6 then local
      else date_trunc('week', local) + interval '7 days' end as start
    from (select moment at time zone 'UTC' as local) as converted
  ) as normalized
$$;

-- Null: nothing is escalated.
alter table app add column escalate_after_working_days integer check (escalate_after_working_days between 1 and 100);

-- escalation_level counts for the step in escalation_step only: 1 adds the managers of the approvers, 2 the next in line.
alter table ticket
  add column reassigned_at timestamptz,
  add column escalation_step integer,
  add column escalation_level integer,
  add column escalated_at timestamptz,
  -- Of the step that waits: {by, at, comment}. An answer clears it and adds to the seconds that escalation does not count.
  add column information_requested jsonb,
  add column paused_step integer,
  add column paused_seconds double precision;

-- on_behalf_of: the absent or late approvers in whose place the approver decided. via: why the approver was able to.
alter table ticket_approval add column on_behalf_of uuid[], add column via text;

create table ticket_comment (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  ticket_id uuid not null,
  author_id uuid not null,
  author_email text not null,
  kind text not null check (kind in ('comment', 'information_requested', 'information_provided', 'reassigned', 'withdrawn')),
  comment text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (org_id, ticket_id, id)
);

-- escalated_to: people who may decide besides the reviewers. assigned_at: when the item was last handed over.
alter table review_item
  add column on_behalf_of uuid[],
  add column escalated_to uuid[],
  add column escalation_level integer,
  add column assigned_at timestamptz;
