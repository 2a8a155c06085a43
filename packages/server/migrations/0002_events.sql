-- The event log (protocol 6, ADR 7). Each organization's events have a total order: `position` counts them in commit
-- order without gaps, and `ingested_at` increases strictly with it. Both are assigned under the lock of event_head,
-- so a new event always follows every event that is already visible. That is why `ingested_at`, which is also the
-- partition key, can be the primary key and the place that a cursor stores. A clock that runs backwards does not
-- break the order.

create table event_head (
  org_id uuid primary key references organization (id) on delete cascade,
  last_position bigint not null default 0,
  last_ingested_at timestamptz not null default clock_timestamp(),
  -- Retention has deleted the events before this moment, or will soon.
  retained_from timestamptz not null default '-infinity'
) with (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

create table event (
  org_id uuid not null,
  position bigint not null,
  ingested_at timestamptz not null,
  event_id uuid not null,
  event_type text collate "C" not null,
  occurred_at timestamptz not null,
  actor_uuid uuid,
  actor_ip text collate "C",
  subject_uuid uuid not null,
  -- How late the event was recorded (see event_lag): 0 means at once, which is normal; 1 to 4 mean within a second, a
  -- minute, an hour or a day; 5 means later. It limits the part of the log in which an `occurred_at` can be.
  lag smallint not null,
  -- The whole event as JSON text, so that list pages are concatenated rather than built again.
  body text not null,
  primary key (org_id, ingested_at)
) partition by range (ingested_at);
create index event_by_id on event (org_id, event_id);
create index event_by_type on event (org_id, event_type, ingested_at);
create index event_by_actor on event (org_id, actor_uuid, ingested_at) where actor_uuid is not null;
create index event_by_ip on event (org_id, actor_ip, ingested_at) where actor_ip is not null;
create index event_by_subject on event (org_id, subject_uuid, ingested_at);
create index event_late on event (org_id, lag, ingested_at) where lag > 0;

create function event_lag(occurred_at timestamptz, ingested_at timestamptz) returns smallint language sql stable as $$
  select case
    when occurred_at = ingested_at then 0
    when occurred_at >= ingested_at - interval '1 second' then 1
    when occurred_at >= ingested_at - interval '1 minute' then 2
    when occurred_at >= ingested_at - interval '1 hour' then 3
    when occurred_at >= ingested_at - interval '24 hours' then 4
    else 5 end::smallint;
$$;

-- Appends a batch of events in the order of the arrays. `heads` has the JSON text of the members that the event type
-- determines, `tails` that of the members from `actor` on. The update of event_head waits for all transactions that
-- recorded events before, and reads the clock after that wait. This lock makes positions follow the order of commits.
-- It is a function so that PostgreSQL keeps its plans: no time is spent on planning while the lock is held.
create function append_events(
  org uuid, types text[], occurred timestamptz[], actors uuid[], ips text[], subjects uuid[], heads text[], tails text[]
) returns integer language plpgsql as $$
declare
  n integer := cardinality(types);
  position_before bigint;
  last_moment timestamptz;
begin
  if n = 0 then
    return 0;
  end if;
  update event_head h set
    last_position = h.last_position + n,
    last_ingested_at = greatest(clock_timestamp(), h.last_ingested_at + interval '1 microsecond')
      + (n - 1) * interval '1 microsecond'
    where h.org_id = org
    returning old.last_position, new.last_ingested_at into strict position_before, last_moment;
  insert into event (org_id, position, ingested_at, event_id, event_type, occurred_at, actor_uuid, actor_ip,
    subject_uuid, lag, body)
  select org, position_before + i, ingested_at, event_id, type, occurred_at, actor, ip, subject,
    event_lag(occurred_at, ingested_at),
    '{"event_id":"' || event_id || '",' || head
      || ',"occurred_at":"' || to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
      || '","ingested_at":"' || to_char(ingested_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
      || '",' || tail
  from (
    select given.*, gen_random_uuid() as event_id, least(given.at, placed.ingested_at) as occurred_at, placed.ingested_at
    from unnest(types, occurred, actors, ips, subjects, heads, tails) with ordinality
        as given (type, at, actor, ip, subject, head, tail, i)
      cross join lateral (select last_moment - (n - given.i) * interval '1 microsecond' as ingested_at) placed
  ) placed;
  return n;
end $$;

-- The log is append-only. Only retention deletes events; it sets gatehouse.event_retention in its transaction.
create function refuse_event_change() returns trigger language plpgsql as $$
begin
  raise exception 'The event log is append-only.';
end $$;
create trigger event_append_only before update or delete on event for each row
  when (current_setting('gatehouse.event_retention', true) is distinct from 'on')
  execute function refuse_event_change();
create trigger event_no_truncate before truncate on event for each statement execute function refuse_event_change();

-- Creates the monthly partitions from `first_month` (default: this month) to three months after the newest event. The
-- very first partition has no lower bound. No partition is open-ended upwards: with a default partition, pages of
-- events could not be read in order.
create function ensure_event_partitions(first_month date default null) returns integer language plpgsql as $$
declare
  month date;
  last_month date;
  floor text := 'minvalue';
  made integer := 0;
begin
  perform pg_advisory_xact_lock(7408154);
  last_month := date_trunc('month', greatest(now(), (select max(last_ingested_at) from event_head)) at time zone 'UTC')
    + interval '3 months';
  select max(to_date(right(inhrelid::regclass::text, 7), 'YYYY_MM')) + interval '1 month' into month
    from pg_inherits where inhparent = 'event'::regclass;
  if month is not null then
    floor := quote_literal(month || ' 00:00:00+00');
  else
    month := date_trunc('month', coalesce(first_month::timestamp, now() at time zone 'UTC'));
  end if;
  while month <= last_month loop
    -- Made apart and attached: that lets readers and writers of the log go on.
    execute format('create table %I (like event including all)', to_char(month, '"event_"YYYY_MM'));
    execute format('alter table event attach partition %I for values from (%s) to (%L)',
      to_char(month, '"event_"YYYY_MM'), floor, (month + interval '1 month')::date || ' 00:00:00+00');
    month := month + interval '1 month';
    floor := quote_literal(month || ' 00:00:00+00');
    made := made + 1;
  end loop;
  return made;
end $$;

-- The keys that sign cursors (D36). The newest key signs. Every key verifies until it is deleted.
create table event_cursor_key (
  org_id uuid not null references organization (id) on delete cascade,
  key_id smallint not null check (key_id between 1 and 255),
  secret bytea not null,
  created_at timestamptz not null default now(),
  primary key (org_id, key_id)
);

-- 244 random bits from PostgreSQL's cryptographically strong source.
create function new_event_cursor_secret() returns bytea language sql volatile as $$
  select uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
$$;

-- Null keeps events forever.
alter table organization add column event_retention_days integer check (event_retention_days > 0);

create function begin_event_log() returns trigger language plpgsql as $$
begin
  perform ensure_event_partitions();
  insert into event_head (org_id) values (new.id);
  insert into event_cursor_key (org_id, key_id, secret) values (new.id, 1, new_event_cursor_secret());
  return null;
end $$;
create trigger organization_event_log after insert on organization for each row execute function begin_event_log();

-- The database cluster and timeline that wrote the log. If either changes, the database was restored or failed over.
create table event_log_origin (
  only_row boolean primary key default true check (only_row),
  system_identifier text not null,
  timeline integer not null
);

-- When api_key.used was last recorded for a key and a client. A client is the digest of an IP address and a user
-- agent (D37).
create table api_key_use (
  org_id uuid not null,
  api_key_id uuid not null,
  client text collate "C" not null,
  recorded_at timestamptz not null,
  primary key (org_id, api_key_id, client),
  foreign key (org_id, api_key_id) references api_key (org_id, id) on delete cascade
);

-- Sliding windows of the rate limits (D11): the time of each request of the last minute. There is no org_id, since a
-- window may belong to an IP address. The table is unlogged, because losing it in a crash does no harm.
create unlogged table rate_window (
  id text collate "C" primary key,
  passed timestamptz[] not null
) with (fillfactor = 40, toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Admits one request to all of the windows `ids`, or to none of them. It locks the windows in order of their ids, so
-- that two requests never deadlock. Returns one row per window, in the given order: whether the window admits the
-- request, how many more requests it would admit now, and the seconds until its oldest request leaves it.
create function take_turn(ids text[], limits integer[], length interval)
  returns table (passes boolean, remaining integer, seconds double precision) language plpgsql as $$
declare
  moment timestamptz;
  locked integer;
  row record;
  counts integer[] := '{}';
  oldest timestamptz[] := '{}';
  passes_all boolean := true;
begin
  loop
    insert into rate_window (id, passed) select id, '{}' from unnest(ids) id order by id on conflict do nothing;
    perform from rate_window where id = any (ids) order by id for update;
    get diagnostics locked = row_count;
    -- Fewer where an idle window was swept in between.
    exit when locked = cardinality(ids);
  end loop;
  moment := clock_timestamp();
  update rate_window w set passed = w.passed[width_bucket(moment - length, w.passed) + 1:]
    where id = any (ids) and cardinality(passed) > 0 and passed[1] <= moment - length;
  for row in
    select w.passed, a.lim from unnest(ids, limits) with ordinality a(id, lim, i) join rate_window w using (id) order by a.i
  loop
    counts := counts || cardinality(row.passed);
    oldest := oldest || coalesce(row.passed[greatest(1, cardinality(row.passed) - row.lim + 1)], moment);
    passes_all := passes_all and cardinality(row.passed) < row.lim;
  end loop;
  if passes_all then
    update rate_window set passed = passed || moment where id = any (ids);
  end if;
  return query
    select c < l, greatest(0, l - c - passes_all::integer), extract(epoch from o + length - moment)::double precision
    from unnest(counts, limits, oldest) as w(c, l, o);
end $$;
