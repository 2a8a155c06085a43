-- runs-with: 0060
-- Prepares the schema for a Citus cluster (ADR 16), with the same tables on every engine.

-- clock_timestamp() for updates and deletions: Citus refuses volatile functions there, and calls stable ones once, before
-- the statement waits for a lock. Without Citus, the clock is read for each row.
create function clock_now() returns timestamptz language plpgsql stable parallel safe as $$
begin
  return clock_timestamp();
end $$;

-- `moment + seconds`. The operator counts as stable, because other intervals depend on the time zone; Citus refuses stable
-- functions of columns in updates.
create function seconds_after(moment timestamptz, seconds double precision) returns timestamptz
language sql immutable strict parallel safe as $$ select moment + make_interval(secs => seconds) $$;

-- Without a correlated subquery, for which Citus would look at all shards.
create or replace view sign_in_user as
select u.org_id, u.id, email_key(u.email) as email, true as email_verified,
  coalesce(nullif(btrim(u.first_name || ' ' || u.last_name), ''), u.username) as name, null::text as image,
  f.user_id is not null as two_factor_enabled, u.created_at, u.updated_at
from platform_user u
left join (select distinct org_id, user_id from sign_in_two_factor where verified) f
  on f.org_id = u.org_id and f.user_id = u.id
where u.status = 'active';

-- Citus does not distribute tables with two levels of partitions. The two catalogs of events become tables of their own,
-- and `event` a view of both.
alter table event detach partition event_contract;
alter table event detach partition event_configuration;
drop table event;
create view event as select * from event_contract union all select * from event_configuration;

create function is_contract_event(event_type text) returns boolean language sql immutable parallel safe
return event_type in (
  'session.login.succeeded', 'session.login.failed', 'session.logout', 'session.ip_blocked', 'session.expired',
  'warp.login.attempted', 'warp.login.failed', 'api_key.created', 'api_key.revoked', 'api_key.used',
  'account.provisioned', 'account.deprovisioned', 'account.activated', 'account.suspended', 'account.unsuspended',
  'account.group.added', 'account.group.removed', 'ticket.created', 'ticket.approved', 'ticket.denied',
  'app.created', 'app.connected', 'app.disconnected', 'app.sync.started', 'app.sync.completed', 'app.sync.failed',
  'app.sync.paused', 'app.connection_request.created', 'task.created', 'task.dispatched', 'task.completed',
  'task.failed', 'task.retried', 'task.preempted', 'task.cancelled', 'task.dispatch_blocked', 'user.created',
  'user.updated', 'user.deactivated', 'user.reactivated', 'user.deleted', 'user.identity_type.changed'
);

-- Assigns the next positions of an organization to events and inserts them, each into the table of its catalog. Returns
-- their number.
create or replace function append_events(
  org uuid, types text[], occurred timestamptz[], actors uuid[], ips text[], subjects uuid[], heads text[], tails text[]
) returns integer language plpgsql as $$
declare
  n integer := cardinality(types);
  position_before bigint;
  last_moment timestamptz;
  contract_events integer;
begin
  if n = 0 then
    return 0;
  end if;
  -- Waits for all transactions that recorded events before. The clock is read after that wait.
  select h.last_position, h.last_ingested_at into strict position_before, last_moment
    from event_head h where h.org_id = org for no key update;
  last_moment := greatest(clock_timestamp(), last_moment + interval '1 microsecond') + (n - 1) * interval '1 microsecond';
  update event_head h set last_position = position_before + n, last_ingested_at = last_moment where h.org_id = org;
  contract_events := (select count(*) from unnest(types) type where is_contract_event(type));
  if contract_events > 0 then
    insert into event_contract (org_id, position, ingested_at, event_id, event_type, occurred_at, actor_uuid, actor_ip,
      subject_uuid, lag, body)
    select org, position_before + i, ingested_at, event_id, type, occurred_at, actor, ip, subject, lag, body
    from placed_events(n, last_moment, types, occurred, actors, ips, subjects, heads, tails)
    where contract_events = n or is_contract_event(type);
  end if;
  if contract_events < n then
    insert into event_configuration (org_id, position, ingested_at, event_id, event_type, occurred_at, actor_uuid,
      actor_ip, subject_uuid, lag, body)
    select org, position_before + i, ingested_at, event_id, type, occurred_at, actor, ip, subject, lag, body
    from placed_events(n, last_moment, types, occurred, actors, ips, subjects, heads, tails)
    where not is_contract_event(type);
  end if;
  return n;
end $$;

-- The rows of events that end at `last_moment`, with ids, times and envelopes.
create function placed_events(
  n integer, last_moment timestamptz, types text[], occurred timestamptz[], actors uuid[], ips text[], subjects uuid[],
  heads text[], tails text[]
) returns table (i bigint, type text, event_id uuid, ingested_at timestamptz, occurred_at timestamptz, actor uuid,
  ip text, subject uuid, lag smallint, body text) language sql as $$
  select i, type, event_id, ingested_at, occurred_at, actor, ip, subject, event_lag(occurred_at, ingested_at),
    '{"event_id":"' || event_id || '",' || head
      || ',"occurred_at":"' || to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
      || '","ingested_at":"' || to_char(ingested_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
      || '",' || tail
  from (
    select given.*, gen_random_uuid() as event_id, least(given.at, placed.ingested_at) as occurred_at, placed.ingested_at
    from unnest(types, occurred, actors, ips, subjects, heads, tails) with ordinality
        as given (type, at, actor, ip, subject, head, tail, i)
      cross join lateral (select last_moment - (n - given.i) * interval '1 microsecond' as ingested_at) placed
  ) placed
$$;

-- Identity columns do not exist on distributed tables. A sequence serves as long as all processes connect to the coordinator.
alter table task alter column number drop identity;
create sequence task_number_seq owned by task.number;
select setval('task_number_seq', coalesce((select max(number) from task), 0) + 1, false);
alter table task alter column number set default nextval('task_number_seq');

alter table sync_page alter column number drop identity;
create sequence sync_page_number_seq owned by sync_page.number;
select setval('sync_page_number_seq', coalesce((select max(number) from sync_page), 0) + 1, false);
alter table sync_page alter column number set default nextval('sync_page_number_seq');

-- The relations through which the steps of a publication, a plan or a revert hand rows to each other, for a cluster:
-- Citus does not join temporary tables with distributed ones. Each run deletes its rows before it commits. They are logged:
-- otherwise Citus could not move them while they are written.
create schema staging;
create table staging.added_membership (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  entitlement_id uuid not null
);
create table staging.adopted_account (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  resource_type_id uuid not null,
  external_id text collate "C" not null
);
create table staging.changed_account (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  old_status text,
  new_status text not null
);
create table staging.dropped_membership (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  entitlement_id uuid not null
);
create table staging.lost_membership (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  entitlement_id uuid not null
);
create table staging.planned_account (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid,
  page bigint not null,
  place integer not null
);
create table staging.planned_difference (
  org_id uuid not null,
  run_id uuid not null,
  type text not null,
  change text not null,
  account_id uuid,
  account_type text,
  external_id text collate "C",
  email text,
  display_name text,
  user_id uuid,
  slug text,
  kind text,
  resource_id text collate "C",
  resource_name text,
  before jsonb,
  after jsonb
);
create table staging.planned_entitlement (
  org_id uuid not null,
  run_id uuid not null,
  entitlement_id uuid,
  resource_type_id uuid not null,
  external_id text collate "C" not null,
  name text not null
);
create table staging.pushed_account (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  page bigint not null,
  place integer not null
);
create table staging.pushed_membership (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  entitlement_id uuid not null
);
create table staging.removed_account (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  old_status text,
  new_status text not null
);
create table staging.removed_membership (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  entitlement_id uuid not null
);
create table staging.staged_account (
  org_id uuid not null,
  run_id uuid not null,
  resource_type_id uuid not null,
  external_id text collate "C" not null,
  email text not null,
  username text not null,
  first_name text not null,
  last_name text not null,
  display_name text not null,
  status text not null,
  page bigint not null,
  place integer not null
);
create table staging.staged_entitlement (
  org_id uuid not null,
  run_id uuid not null,
  resource_type_id uuid not null,
  external_id text collate "C" not null,
  name text not null,
  description text not null,
  max_count bigint,
  used_count bigint,
  is_paid boolean,
  is_unlimited boolean,
  pushed boolean not null
);
create table staging.staged_reference (
  org_id uuid not null,
  run_id uuid not null,
  page bigint not null,
  place integer not null,
  resource_type_id uuid not null,
  external_id text collate "C" not null,
  name text
);
create table staging.stale_account (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null
);
create table staging.revert_entitlement (
  org_id uuid not null,
  run_id uuid not null,
  entitlement_id uuid not null,
  undo text not null,
  former_id uuid
);
create table staging.revert_link (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  user_id uuid,
  conflict text
);
create table staging.revert_membership (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  entitlement_id uuid not null,
  period_id uuid,
  conflict text
);
create table staging.revert_state (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  undo text not null,
  former_id uuid,
  conflict text
);
create table staging.returned_membership (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  entitlement_id uuid not null
);
create table staging.reverted_account (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  old_status text,
  new_status text not null
);
create table staging.withdrawn_membership (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  entitlement_id uuid not null
);
