-- Stores the two catalogs of events (D43) apart, under one parent. The types of the contract are a closed list, so the list
-- is the partition key, and all other types are configuration events. Both share event_head, and with it one gapless
-- sequence of positions and moments. The pages that most readers ask for touch only the events of the contract,
-- however many configuration events lie between them, and appending to either table costs the same as before.
alter table event rename to event_contract;

create table event (like event_contract) partition by list (event_type);

-- Not divided by month: these events are few. Retention deletes them row by row.
create table event_configuration (like event_contract including all);
create trigger event_append_only before update or delete on event_configuration for each row
  when (current_setting('gatehouse.event_retention', true) is distinct from 'on')
  execute function refuse_event_change();
create trigger event_no_truncate before truncate on event_configuration for each statement
  execute function refuse_event_change();

alter table event attach partition event_configuration default;
alter table event attach partition event_contract for values in (
    'session.login.succeeded', 'session.login.failed', 'session.logout', 'session.ip_blocked', 'session.expired',
    'warp.login.attempted', 'warp.login.failed', 'api_key.created', 'api_key.revoked', 'api_key.used',
    'account.provisioned', 'account.deprovisioned', 'account.activated', 'account.suspended', 'account.unsuspended',
    'account.group.added', 'account.group.removed', 'ticket.created', 'ticket.approved', 'ticket.denied',
    'app.created', 'app.connected', 'app.disconnected', 'app.sync.started', 'app.sync.completed', 'app.sync.failed',
    'app.sync.paused', 'app.connection_request.created', 'task.created', 'task.dispatched', 'task.completed',
    'task.failed', 'task.retried', 'task.preempted', 'task.cancelled', 'task.dispatch_blocked', 'user.created',
    'user.updated', 'user.deactivated', 'user.reactivated', 'user.deleted', 'user.identity_type.changed'
);

-- Creates the monthly partitions from `first_month` (default: this month) to three months after the newest event. The
-- very first partition has no lower bound. No partition is open-ended upwards: with a default partition, pages of
-- events could not be read in order. The table lock makes concurrent callers wait for each other. It does not block
-- readers or writers of events.
create or replace function ensure_event_partitions(first_month date default null) returns integer language plpgsql as $$
declare
  month date;
  last_month date;
  floor text := 'minvalue';
  made integer := 0;
begin
  lock table only event_contract in share update exclusive mode;
  last_month := date_trunc('month', greatest(now(), (select max(last_ingested_at) from event_head)) at time zone 'UTC')
    + interval '3 months';
  select max(to_date(right(inhrelid::regclass::text, 7), 'YYYY_MM')) + interval '1 month' into month
    from pg_inherits where inhparent = 'event_contract'::regclass;
  if month is not null then
    floor := quote_literal(month || ' 00:00:00+00');
  else
    month := date_trunc('month', coalesce(first_month::timestamp, now() at time zone 'UTC'));
  end if;
  while month <= last_month loop
    -- Creating a table and then attaching it does not block readers and writers.
    execute format('create table %I (like event_contract including all)', to_char(month, '"event_"YYYY_MM'));
    execute format('alter table event_contract attach partition %I for values from (%s) to (%L)',
      to_char(month, '"event_"YYYY_MM'), floor, (month + interval '1 month')::date || ' 00:00:00+00');
    month := month + interval '1 month';
    floor := quote_literal(month || ' 00:00:00+00');
    made := made + 1;
  end loop;
  return made;
end $$;
