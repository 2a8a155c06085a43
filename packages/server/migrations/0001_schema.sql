-- The schema, grouped by the features that own its tables (ARCHITECTURE.md). Every key begins with org_id, so that the schema
-- itself shows tenant isolation, and a Citus cluster can put everything of an organization into one shard (ADR 16). A sentence
-- above each table and index says who needs it. Primary keys and unique constraints are also the indexes for finding a row.

create extension if not exists pg_trgm;

-- access: organizations ------------------------------------------------------------------------------------------------------

-- The organizations: access finds one by the slug in the path of each request, and the operator's commands change them.
create table organization (
  id uuid primary key default uuidv7(),
  slug text not null unique check (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  name text not null,
  created_at timestamptz not null default now(),
  -- Signs cookies, and encrypts the secrets of second factors and providers. The plain column is null once the other is set.
  sign_in_secret text,
  sealed_sign_in_secret text,
  -- The roles whose people must have a second factor if they sign in with a password.
  second_factor_roles text[] not null default '{}'
    check (second_factor_roles <@ array['owner', 'admin', 'auditor', 'member']),
  -- The roles whose people must use a passkey.
  passkey_roles text[] not null default '{}' check (passkey_roles <@ array['owner', 'admin', 'auditor', 'member']),
  -- An organization with either is suspended: no request reaches it, and its background work pauses (D52).
  suspended_at timestamptz,
  delete_after timestamptz,
  suspended_reason text,
  -- How long ended periods are kept. Null keeps them for ever.
  history_days integer check (history_days between 30 and 36500),
  -- Whether a deletion by SCIM deletes the person for good, if no history names them. Otherwise it deactivates them.
  scim_deletes boolean not null default false,
  -- The attribute of people that says who somebody is, such as employee_number. Imports compare it (D63).
  person_key text,
  -- An IANA name. The days of conditions and requests are days there (D67).
  time_zone text not null default 'UTC',
  -- The addresses that are not public to which connectors may connect. Null: those of the server's settings.
  connector_networks text[],
  -- {percent, at_least}: how many of its people a client may deactivate in a day, and how many of its members a group of people may
  -- lose in an hour, before what follows is held (D78). Null: any number.
  people_guard jsonb default '{"percent": 10, "at_least": 5}',
  group_guard jsonb default '{"percent": 50, "at_least": 5}',
  -- The ids of the parts of the sample company, and the call that works on it (packages/server/src/directory/access/sample.ts). Null: none.
  sample jsonb
);

-- kit ------------------------------------------------------------------------------------------------------------------------

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

-- The keys that encrypt an organization's secrets, for kit/secrets. Each is encrypted with GATEHOUSE_SECRET_KEY, which is
-- kept outside the database; wrapped_by is the id of that key.
create table data_key (
  org_id uuid not null references organization (id),
  id uuid not null default uuidv7(),
  wrapped bytea not null,
  wrapped_by text not null,
  created_at timestamptz not null default now(),
  primary key (org_id, id)
);

-- A random mark that is renewed whenever the primary is on another timeline. A server that has the same mark has replayed
-- what this primary wrote on this timeline, so the readers of replicas can compare positions of the two (ADR 15).
create table replica_mark (
  only_row boolean primary key default true check (only_row),
  timeline integer not null,
  mark uuid not null
);

-- Deletes all rows of apps and the review of a sample company that have not become real (D92). The apps are archived, so nothing else changes them. The tables are
-- named at run time, those whose rows refer to others first. Only packages/server/src/operate/sample/remove.ts calls it: everything else keeps
-- its history. A test compares the tables with those that have rows of apps.
create function delete_sample(org uuid, apps uuid[], review uuid) returns void language plpgsql as $$
declare
  step record;
  accounts uuid[];
  entitlements uuid[];
  sessions uuid[];
  tasks uuid[];
  attachments uuid[];
  tickets uuid[];
  uploads uuid[];
  reviews uuid[] := array[review];
  cycles uuid[];
  types uuid[];
  -- A cluster finds the shard of a statement only if it names the organization literally.
  ids text := format('select coalesce(array_agg(id), ''{}'') from %%I where org_id = %L and %%I = any ($1)', org);
begin
  execute format(ids, 'account', 'app_id') into accounts using apps;
  execute format(ids, 'entitlement', 'app_id') into entitlements using apps;
  execute format(ids, 'sync_session', 'app_id') into sessions using apps;
  execute format(ids, 'task', 'app_id') into tasks using apps;
  execute format(ids, 'fulfillment_attachment', 'task_id') into attachments using tasks;
  execute format(ids, 'ticket', 'app_id') into tickets using apps;
  execute format(ids, 'upload', 'app_id') into uploads using apps;
  execute format(ids, 'review_cycle', 'campaign_id') into cycles using reviews;
  execute format('
    select coalesce(array_agg(t.id), ''{}'') from resource_type t
    where t.org_id = %1$L and t.clone_group_id in (select a.clone_group_id from app a where a.org_id = %1$L and a.id = any ($1))
      and t.clone_group_id not in (select a.clone_group_id from app a where a.org_id = %1$L and a.id <> all ($1))', org)
    into types using apps;
  for step in select * from (values
    ('review_item', 'app_id', apps),
    ('review_item', 'cycle_id', cycles),
    ('review_cycle', 'id', cycles),
    ('review_campaign', 'id', reviews),
    ('ticket_comment', 'ticket_id', tickets),
    ('ticket_approval', 'ticket_id', tickets),
    ('ticket_entitlement', 'ticket_id', tickets),
    ('ticket', 'id', tickets),
    ('fulfillment_attachment_chunk', 'attachment_id', attachments),
    ('fulfillment_attachment', 'task_id', tasks),
    ('fulfillment_assignment', 'app_id', apps),
    ('fulfiller', 'app_id', apps),
    ('fulfillment_setting', 'app_id', apps),
    ('policy_undo', 'app_id', apps),
    ('finding', 'app_id', apps),
    ('access_grant', 'app_id', apps),
    ('suspension', 'app_id', apps),
    ('revoked_entry', 'app_id', apps),
    ('reserved_user_name', 'app_id', apps),
    ('task_change', 'task_id', tasks),
    ('task', 'id', tasks),
    ('upload_chunk', 'upload_id', uploads),
    ('upload_problem', 'upload_id', uploads),
    ('upload', 'id', uploads),
    ('upload_mapping', 'target_id', apps),
    ('connector_secret', 'app_id', apps),
    ('connector_run', 'app_id', apps),
    ('connector', 'app_id', apps),
    ('sync_plan_change', 'session_id', sessions),
    ('sync_plan', 'session_id', sessions),
    ('sync_plan_shown', 'session_id', sessions),
    ('sync_resource_change', 'session_id', sessions),
    ('sync_removal', 'session_id', sessions),
    ('sync_new_record', 'session_id', sessions),
    ('sync_page', 'session_id', sessions),
    ('sync_session', 'id', sessions),
    ('membership_period', 'app_id', apps),
    ('entitlement_period', 'app_id', apps),
    ('account_period', 'app_id', apps),
    ('account_link_period', 'account_id', accounts),
    ('membership', 'account_id', accounts),
    ('member_count', 'entitlement_id', entitlements),
    ('link_dismissal', 'account_id', accounts),
    ('account_candidate', 'account_id', accounts),
    ('account_correlation', 'app_id', apps),
    ('account_owner', 'account_id', accounts),
    ('account_digest', 'account_id', accounts),
    ('account_detail', 'app_id', apps),
    ('account_count', 'app_id', apps),
    ('account', 'app_id', apps),
    ('entitlement', 'app_id', apps),
    ('access_loss', 'app_id', apps),
    ('removal_budget', 'app_id', apps),
    ('inventory_change', 'app_id', apps),
    ('notification_channel', 'app_id', apps),
    ('api_key_app', 'app_id', apps),
    ('app', 'id', apps),
    ('resource_type', 'id', types)
  ) as steps (name, key, ids) loop
    execute format('delete from %I where org_id = %L and %I = any ($1)', step.name, org, step.key) using step.ids;
  end loop;
end $$;

-- Deletes up to `most` rows of an organization from a table that is named at run time, so that deleting an organization
-- cannot miss a table. Only packages/server/src/operate/organizations/delete.ts calls it. Rows of different partitions can have the
-- same ctid, so both conditions are needed.
create function delete_rows_of_organization(wanted regclass, org uuid, most integer) returns integer
language plpgsql as $$
declare
  deleted integer;
begin
  execute format('delete from %s where org_id = $1 and ctid = any (array(select ctid from %s where org_id = $1 limit $2))',
    wanted, wanted)
    using org, most;
  get diagnostics deleted = row_count;
  return deleted;
end $$;

-- kit ------------------------------------------------------------------------------------------------------------------------

-- One normal form for all comparisons of emails: NFKC and case-folded, so that no two spellings of an address belong to
-- two people. Almost all emails are ASCII, for which lower() is the same and much faster. The collation is built in, so
-- the form does not depend on the database's locale. Not strict, because PostgreSQL could not inline it otherwise.
create function email_key(email text) returns text
  language sql immutable parallel safe
  return case
    when octet_length(email) = char_length(email) then lower(email collate pg_unicode_fast)
    -- NFKC would turn these into a dot or an at sign of the domain, so the email would equal that of somebody else.
    when email ~ E'@.*[\u2024-\u2026\u3002\uff61\ufe52\uff0e\ufe6b\uff20]' then email
    else normalize(casefold(normalize(email, NFKC) collate pg_unicode_fast), NFKC)
  end;

-- One form for all comparisons of names that people read: in lower case and NFC, so that a "ü" equals a "u" with a mark (D89). ASCII has
-- one form only. NFC comes first, because the lower case of "İ" in one character and of an "I" with a mark would differ otherwise. The
-- collation is built in: in a Turkish locale, the lower case of "I" is "ı". nameKey() is the same in TypeScript. Not strict, as above.
create function name_key(name text) returns text
  language sql immutable parallel safe
  return case
    when octet_length(name) = char_length(name) then lower(name collate pg_unicode_fast)
    else normalize(lower(normalize(name, NFC) collate pg_unicode_fast), NFC)
  end;

-- The look of a name beyond ASCII: letters that look like Latin ones are these. Nobody sees the characters after them, which go. They are those of
-- packages/protocol/src/look-alikes.ts, where ASCII letters count as alike, too: there, a capital I looks like an l, and here like itself.
create function look_key(name text) returns text
  language sql immutable parallel safe
  return case when octet_length(name) = char_length(name) then name_key(name)
    else name_key(translate(normalize(name, NFKC),
      'АΑᎪВΒᏴСϹᏟᎠЕΕᎬϜԌᏀНΗᎻЈͿᎫКΚᏦᏞМΜᎷΝОΟՕРΡᏢЅՏᏚТΤᎢՍѴᏙԜᎳХΧҮΥУΖᏃаαɑсϲԁеҽɡցһհіɩιıјϳκӏΙІոηоοօσрρԛզѕυսцνѵԝѡաхχуүγ’‘ʼ´′‐‑‒–—−﹘․∕⁄꞉∶։'
      || E'\u0080\u0081\u0082\u0083\u0084\u0085\u0086\u0087\u0088\u0089\u008a\u008b\u008c\u008d\u008e\u008f\u0090\u0091\u0092\u0093'
      || E'\u0094\u0095\u0096\u0097\u0098\u0099\u009a\u009b\u009c\u009d\u009e\u009f\u00ad\u034f\u0600\u0601\u0602\u0603\u0604\u0605'
      || E'\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\u200b\u200c\u200d\u200e\u200f'
      || E'\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u2065\u2066\u2067\u2068\u2069\u206a\u206b\u206c\u206d\u206e'
      || E'\u206f\u2800\u3164\ufe00\ufe01\ufe02\ufe03\ufe04\ufe05\ufe06\ufe07\ufe08\ufe09\ufe0a\ufe0b\ufe0c\ufe0d\ufe0e\ufe0f\ufeff'
      || E'\uffa0\ufff0\ufff1\ufff2\ufff3\ufff4\ufff5\ufff6\ufff7\ufff8\ufff9\ufffa\ufffb',
      'AAABBBCCCDEEEFGGHHHJJJKKKlMMMNOOOPPPSSSTTTUVVWWXXYYYZZaaaccdeegghhiiiijjklIInnooooppqqsuuuvvwwwxxyyy''''''''''-------.//:::')) end;

-- The form for searches for any part of a text. A part that ends between a letter and its mark is not one of the text in NFC, so a text in
-- another form is there in both.
create function search_key(name text) returns text
  language sql immutable parallel safe
  return case when octet_length(name) = char_length(name) or name is nfc normalized then lower(name)
    else lower(name) || ' ' || lower(normalize(name, NFC)) end;

-- NFC with its case, for names that are shown.
create function in_nfc(name text) returns text
  language sql immutable parallel safe
  return case when octet_length(name) = char_length(name) then name else normalize(name, NFC) end;

-- events ---------------------------------------------------------------------------------------------------------------------
--
-- The event log (protocol 6, ADR 7). Each organization's events have a total order: `position` counts them in commit
-- order without gaps, and `ingested_at` increases strictly with it. Both are assigned under the lock of event_head,
-- so a new event always follows every event that is already visible. That is why `ingested_at`, which is also the
-- partition key, can be the primary key and the place that a cursor stores. A clock that runs backwards does not
-- break the order.

-- The end of each organization's log: append_events() locks it, and cursors, policies, notifications and webhooks read it.
create table event_head (
  org_id uuid primary key references organization (id) on delete cascade,
  last_position bigint not null default 0,
  last_ingested_at timestamptz not null default clock_timestamp(),
  -- Retention has deleted the events before this moment, or will soon.
  retained_from timestamptz not null default '-infinity',
  -- Null keeps events forever.
  retention_days integer check (retention_days > 0)
) with (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- The events of the contract, by month: pages of the log, policies, notifications and webhooks read them.
create table event_contract (
  org_id uuid not null,
  position bigint not null,
  ingested_at timestamptz not null,
  event_id uuid not null,
  event_type text collate "C" not null,
  occurred_at timestamptz not null,
  actor_uuid uuid,
  actor_ip text collate "C",
  subject_uuid uuid not null,
  -- How late the event was recorded (see event_lag): 0 means immediately, which is normal; 1 to 4 mean within a second, a
  -- minute, an hour or a day; 5 means later. It limits the part of the log in which an `occurred_at` can be.
  lag smallint not null,
  -- The whole event as JSON text, so that list pages are concatenated rather than built again.
  body text not null,
  primary key (org_id, ingested_at)
) partition by range (ingested_at);
-- One event by its id.
create index event_contract_id on event_contract (org_id, event_id);
-- Pages filtered by type.
create index event_contract_type on event_contract (org_id, event_type, ingested_at);
-- Pages filtered by actor.
create index event_contract_actor on event_contract (org_id, actor_uuid, ingested_at) where actor_uuid is not null;
-- Pages filtered by the actor's IP address.
create index event_contract_ip on event_contract (org_id, actor_ip, ingested_at) where actor_ip is not null;
-- Pages filtered by subject, such as the events of a person.
create index event_contract_subject on event_contract (org_id, subject_uuid, ingested_at);
-- Pages filtered by the time of occurrence, which must not miss late events.
create index event_contract_late on event_contract (org_id, lag, ingested_at) where lag > 0;

-- The configuration events (D43), with the same indexes for the same readers. They have a table of their own, so that the pages
-- that most readers ask for touch only the events of the contract. Not divided by month: these events are few, and retention
-- deletes them row by row.
create table event_configuration (like event_contract including all);

-- The events of a sync itself, without its changes of records (log/events/queries/walk.ts repeats the conditions).
create index event_contract_by_sync on event_contract (org_id, (body::jsonb #>> '{payload,sync_id}'), ingested_at)
  where event_type in ('app.sync.started', 'app.sync.completed', 'app.sync.failed', 'app.sync.paused');
-- The same, of the decisions about a sync.
create index event_configuration_by_sync on event_configuration (org_id, (body::jsonb #>> '{payload,sync_id}'), ingested_at)
  where event_type in ('removal_guard.approved', 'removal_guard.rejected', 'sync.reverted', 'app.sync.superseded');

-- All events, for one event by its id, and for those of a subject or a type of both catalogs.
create view event as select * from event_contract union all select * from event_configuration;

-- The log is append-only. Only retention deletes events; it sets gatehouse.event_retention in its transaction.
create function refuse_event_change() returns trigger language plpgsql as $$
begin
  raise exception 'The event log is append-only.';
end $$;
create trigger event_append_only before update or delete on event_contract for each row
  when (current_setting('gatehouse.event_retention', true) is distinct from 'on')
  execute function refuse_event_change();
create trigger event_no_truncate before truncate on event_contract for each statement
  execute function refuse_event_change();
create trigger event_append_only before update or delete on event_configuration for each row
  when (current_setting('gatehouse.event_retention', true) is distinct from 'on')
  execute function refuse_event_change();
create trigger event_no_truncate before truncate on event_configuration for each statement
  execute function refuse_event_change();

-- The class of an event's delay, as stored in `lag`.
create function event_lag(occurred_at timestamptz, ingested_at timestamptz) returns smallint language sql stable as $$
  select case
    when occurred_at = ingested_at then 0
    when occurred_at >= ingested_at - interval '1 second' then 1
    when occurred_at >= ingested_at - interval '1 minute' then 2
    when occurred_at >= ingested_at - interval '1 hour' then 3
    when occurred_at >= ingested_at - interval '24 hours' then 4
    else 5 end::smallint;
$$;

-- Whether an event belongs into event_contract. The types of the contract are a closed list.
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

-- The canonical text of an event (RFC 8785), with `%s` for its id, the time when it is recorded and the time when it happened. The
-- type determines `template`, which has `%s` for the others. Null if one of them is missing, which format() would write as nothing.
-- The only place that writes the text of events.
create function event_draft(
  template text, actor text, payload text, source_type text, source uuid, subject_type text, subject uuid
) returns text language sql stable parallel safe
return case when num_nulls(actor, payload, source_type, subject_type, subject) = 0 then
  format(template, replace(actor, '%', '%%'), replace(payload, '%', '%%'),
    '{"type":"' || source_type || '","uuid":' || coalesce('"' || source || '"', 'null') || '}',
    '{"type":"' || subject_type || '","uuid":"' || subject || '"}') end;

-- The rows of events that end at `last_moment`, with ids, times and texts. Declared stable, although ids are random, so that
-- PostgreSQL merges it into the statement that calls it.
create function placed_events(
  n integer, last_moment timestamptz, types text[], occurred timestamptz[], actors uuid[], ips text[], subjects uuid[], drafts text[]
) returns table (i bigint, type text, event_id uuid, ingested_at timestamptz, occurred_at timestamptz, actor uuid,
  ip text, subject uuid, lag smallint, body text) language sql stable as $$
  select i, type, event_id, ingested_at, occurred_at, actor, ip, subject, event_lag(occurred_at, ingested_at),
    format(draft, event_id, to_char(ingested_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
      to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
  from (
    select given.*, uuidv7() as event_id, least(given.at, placed.ingested_at) as occurred_at, placed.ingested_at
    from unnest(types, occurred, actors, ips, subjects, drafts) with ordinality
        as given (type, at, actor, ip, subject, draft, i)
      cross join lateral (select last_moment - (n - given.i) * interval '1 microsecond' as ingested_at) placed
  ) placed
$$;

-- Assigns the next positions of an organization to events, in the order of the arrays, and inserts each into the table of its
-- catalog. `templates` are those of the types (see event_draft). Returns the number of events. It is a function so that PostgreSQL keeps its plans, also in a session that plans statements each
-- time: no time is spent on planning while the lock is held. The advisory lock is a queue in front of the row: without it, a commit
-- wakes many of those who wait for the row, and all but one wait again.
create function append_events(
  org uuid, types text[], templates text[], occurred timestamptz[], actors text[], payloads text[], source_types text[],
  sources uuid[], subject_types text[], subjects uuid[]
) returns integer language plpgsql set plan_cache_mode = auto as $$
declare
  n integer := cardinality(types);
  position_before bigint;
  last_moment timestamptz;
  contract_events integer;
  drafts text[];
  actor_ids uuid[];
  ips text[];
begin
  if n = 0 then
    return 0;
  end if;
  select count(*) filter (where is_contract_event(type)),
      array_agg(event_draft(template, actor, payload, source_type, source, subject_type, subject)),
      array_agg((actor::json ->> 'uuid')::uuid), array_agg(actor::json ->> 'ip')
    into contract_events, drafts, actor_ids, ips
    from unnest(types, templates, actors, payloads, source_types, sources, subject_types, subjects)
      as given (type, template, actor, payload, source_type, source, subject_type, subject);
  perform pg_advisory_xact_lock(hashtextextended(org::text, 34));
  -- Waits for all transactions that recorded events before. The clock is read after that wait.
  select h.last_position, h.last_ingested_at into strict position_before, last_moment
    from event_head h where h.org_id = org for no key update;
  last_moment := greatest(clock_timestamp(), last_moment + interval '1 microsecond') + (n - 1) * interval '1 microsecond';
  update event_head h set last_position = position_before + n, last_ingested_at = last_moment where h.org_id = org;
  if contract_events > 0 then
    insert into event_contract (org_id, position, ingested_at, event_id, event_type, occurred_at, actor_uuid, actor_ip,
      subject_uuid, lag, body)
    select org, position_before + i, ingested_at, event_id, type, occurred_at, actor, ip, subject, lag, body
    from placed_events(n, last_moment, types, occurred, actor_ids, ips, subjects, drafts)
    where contract_events = n or is_contract_event(type);
  end if;
  if contract_events < n then
    insert into event_configuration (org_id, position, ingested_at, event_id, event_type, occurred_at, actor_uuid,
      actor_ip, subject_uuid, lag, body)
    select org, position_before + i, ingested_at, event_id, type, occurred_at, actor, ip, subject, lag, body
    from placed_events(n, last_moment, types, occurred, actor_ids, ips, subjects, drafts)
    where not is_contract_event(type);
  end if;
  return n;
end $$;

-- Creates the monthly partitions from `first_month` (default: this month) to three months after the newest event. The
-- very first partition has no lower bound. No partition is open-ended upwards: with a default partition, pages of
-- events could not be read in order. The table lock makes concurrent callers wait for each other. It does not block
-- readers or writers of events.
create function ensure_event_partitions(first_month date default null) returns integer language plpgsql as $$
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

-- The positions at which the log has no event: those that were skipped because the end of the log might be lost (jump), and those
-- whose events retention has removed. An event or a row of this table has each position up to that of the head. Rows do not overlap,
-- and retention extends its row instead of adding another. No foreign key, as in other tables (ADR 16).
create table event_gap (
  org_id uuid not null,
  first_position bigint not null,
  last_position bigint not null check (last_position >= first_position),
  reason text not null check (reason in ('jump', 'retention')),
  -- When the row last grew.
  at timestamptz not null default now(),
  primary key (org_id, first_position)
);

-- The keys that sign cursors (D36), for pages of events. The newest key signs. Every key verifies until it is deleted.
create table event_cursor_key (
  org_id uuid not null references organization (id) on delete cascade,
  key_id smallint not null check (key_id between 1 and 255),
  -- Null once the other is set.
  secret bytea,
  sealed_secret text,
  created_at timestamptz not null default now(),
  primary key (org_id, key_id)
);

-- The database cluster and timeline that wrote the log: a server that starts on another knows that the database was restored or
-- failed over.
create table event_log_origin (
  only_row boolean primary key default true check (only_row),
  system_identifier text not null,
  timeline integer not null
);

-- people ---------------------------------------------------------------------------------------------------------------------

-- The people: almost every feature reads them, and people writes them by hand, from files and through SCIM.
create table platform_user (
  org_id uuid not null references organization (id),
  id uuid not null default uuidv7(),
  username text not null,
  email text not null,
  first_name text not null default '',
  last_name text not null default '',
  role text not null default 'member' check (role in ('owner', 'admin', 'auditor', 'member')),
  -- The role before groups gave the person a higher one. Null: no group gave them their present role.
  role_before_groups text,
  status text not null default 'active' check (status in ('active', 'deactivated')),
  identity_type text not null default 'human' check (identity_type in ('human', 'service_account')),
  domain_type text not null default 'internal' check (domain_type in ('internal', 'external')),
  manager_id uuid,
  attributes jsonb not null default '{}',
  start_date date,
  end_date date,
  -- Times have milliseconds, as in responses, so that a time from a response names the same state.
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  updated_at timestamptz not null default date_trunc('milliseconds', now()),
  -- The skeleton of an email beyond ASCII, equal for emails that look alike (packages/server/src/directory/people/lookalikes.ts).
  -- Null for ASCII, and until the next change of people fills it in.
  email_skeleton text,
  -- The person who remained when this one was merged, and the result of the merge, for a caller who asks again.
  merged_into uuid,
  merge_result jsonb,
  -- The person to whom the email has passed (D63). The succeeded person shows it and is not found by it.
  succeeded_by uuid,
  primary key (org_id, id),
  foreign key (org_id, manager_id) references platform_user (org_id, id),
  constraint platform_user_merged_check check (merged_into is null or status = 'deactivated'),
  constraint platform_user_succeeded_check check (succeeded_by is null or status = 'deactivated')
);
-- An organization has many people. Statistics from before its first import would say that it has one, and the check of
-- each imported person's manager would then scan all people of the organization.
alter table platform_user alter column org_id set (n_distinct = 1);
-- Emails are unique among people who were not succeeded; sign-in, imports and syncs find people by them.
create unique index platform_user_email on platform_user (org_id, email_key(email)) where succeeded_by is null;
-- The people whose email passed to somebody else, among the possible duplicates.
create index platform_user_succeeded on platform_user (org_id) where succeeded_by is not null;
-- People in the order of their emails.
create index platform_user_sorted on platform_user (org_id, email_key(email), id);
-- A new person's email must not look like another's.
create index platform_user_skeleton on platform_user (org_id, email_skeleton) where email_skeleton is not null;
-- The people whose skeleton is not stored yet.
create index platform_user_no_skeleton on platform_user (org_id)
  where email_skeleton is null and octet_length(email) <> char_length(email);
-- SCIM finds people by their user name.
create index platform_user_username on platform_user (org_id, name_key(username));
-- The search for people, and by part of an email address, which the expression contains.
create index platform_user_part on platform_user
  using gin (name_key(email || ' ' || username || ' ' || first_name || ' ' || last_name) gin_trgm_ops);
-- The reports of a manager.
create index platform_user_manager on platform_user (org_id, manager_id) where manager_id is not null;
-- The administrators, who decide what nobody else can, and the owners among them, of whom one must always remain.
create index platform_user_administrator on platform_user (org_id, id) where role in ('owner', 'admin');
-- The active people of a department: the peers of the person for whom access is requested.
create index platform_user_department on platform_user (org_id, in_nfc(attributes ->> 'department')) where status = 'active';
-- People who have left, or will, for the list of leavers.
create index platform_user_leaver on platform_user (org_id, id) where status = 'deactivated' or end_date is not null;
-- The people who start or end on a day.
create index platform_user_start on platform_user (org_id, start_date) where start_date is not null;
create index platform_user_end on platform_user (org_id, end_date) where end_date is not null;
-- The people who were merged into a person.
create index platform_user_merged on platform_user (org_id, merged_into) where merged_into is not null;
-- The people whose email has the local part of an unlinked account (inventory/records/accounts/queries/suggestions.ts).
create index platform_user_local_part on platform_user (org_id, split_part(email_key(email), '@', 1));
-- The people whose name fits an unlinked account: the initial and the last name without accents, such as alovelace.
create index platform_user_name_key on platform_user
  (org_id, regexp_replace(normalize(lower(left(first_name, 1) || last_name), NFKD), '[^[:alnum:]]', '', 'g'));

-- The people with an employee number, for shared_value. An attribute can be too long for an index, so that it has a digest.
create index platform_user_number on platform_user
  (org_id, md5(lower(coalesce(nullif(attributes ->> 'employee_number', ''), nullif(attributes ->> 'employeeNumber', ''),
    nullif(attributes ->> 'employee_id', ''), nullif(attributes ->> 'employeeId', ''), nullif(attributes ->> 'Employee number', '')))));
-- The people with a name, for shared_value.
create index platform_user_full_name on platform_user (org_id, md5(name_key(first_name || ' ' || last_name)));
-- The people whose email looks like another's, for shared_value.
create index platform_user_lookalike on platform_user
  (org_id, coalesce(email_skeleton, replace(replace(replace(translate(email_key(email), '01|`', 'oll'''), 'm', 'rn'), '"', ''''''), '%', 'º/₀')));

-- Values that 2 to 10 people have in common, which makes these people possible duplicates. Kept by each change of people, because
-- finding them reads all people.
create table shared_value (
  org_id uuid not null,
  -- A reason for which people may be duplicates, such as `name`.
  reason text not null,
  -- The value, or its digest.
  value text not null,
  user_ids uuid[] not null,
  primary key (org_id, reason, value)
);

-- Earlier states of people, for the history of people and of access. Gatehouse itself changes people, so that all bounds are
-- exact.
create table person_period (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  user_id uuid not null,
  email text not null,
  username text not null,
  first_name text not null,
  last_name text not null,
  role text not null,
  status text not null,
  identity_type text not null,
  domain_type text not null,
  manager_id uuid,
  attributes jsonb not null,
  start_date date,
  end_date date,
  created_at timestamptz not null,
  since timestamptz not null,
  ended_at timestamptz not null,
  primary key (org_id, user_id, ended_at, id)
) partition by range (ended_at);

-- Fields that an identity provider wrote for a person through SCIM (D50). No foreign keys, in this and in other tables: an
-- upgraded cluster distributes new tables only later (ADR 16).
create table person_source (
  org_id uuid not null,
  user_id uuid not null,
  external_id text,
  -- The fields that only the provider changes, as the API's changes name them, such as `email` or `attributes.department`.
  owned text[] not null,
  -- SCIM attributes without a field of the person.
  extra jsonb not null default '{}',
  updated_at timestamptz not null,
  -- The provider deleted the person, who is deactivated and unknown to it until it creates them again.
  deleted_at timestamptz,
  -- The API key that last wrote the person: the client that manages them.
  key_id uuid,
  -- When that client began to: guards do not count newcomers among the people whom it had (D78).
  managed_since timestamptz,
  -- The external id under which the person had left, if they came back under another one and have not left since (D63).
  former_id text,
  primary key (org_id, user_id)
);
-- External ids are unique, and SCIM finds people by them.
create unique index person_source_external_id on person_source (org_id, external_id)
  where external_id is not null and deleted_at is null;
-- A deleted person with this id is the same person if they come back (D63).
create index person_source_former_id on person_source (org_id, external_id)
  where external_id is not null and deleted_at is not null;
-- The people whom a client manages, for the list of clients and their release.
create index person_source_key on person_source (org_id, key_id) where deleted_at is null;

-- The external ids of people who were released from their client, and whom no client has written since: with this id, they come back
-- (D63).
create table person_release (
  org_id uuid not null,
  user_id uuid not null,
  external_id text not null,
  -- The key of the client that managed the person.
  key_id uuid,
  released_at timestamptz not null,
  primary key (org_id, user_id)
);
-- SCIM finds released people by their former ids.
create index person_release_external_id on person_release (org_id, external_id);
-- The ids that a release of a client forgets.
create index person_release_key on person_release (org_id, key_id);

-- How often each attribute in the requests of a SCIM client was left as it was, and why the last time (D79).
create table scim_ignored (
  org_id uuid not null,
  key_id uuid not null,
  attribute text collate "C" not null,
  reason text not null,
  count bigint not null,
  last_at timestamptz not null,
  primary key (org_id, key_id, attribute)
);

-- The requests of a SCIM client that were refused in an hour, and for how many of them an event was recorded, which has a limit (D79).
create table scim_refused (
  org_id uuid not null,
  key_id uuid not null,
  hour timestamptz not null,
  refused integer not null,
  recorded integer not null,
  primary key (org_id, key_id, hour)
);

-- When an event of a SCIM client was last recorded, so that a client that repeats a request does not fill the log (D79).
create table scim_recorded (
  org_id uuid not null,
  key_id uuid not null,
  -- The digest of what happened.
  digest text collate "C" not null,
  recorded_at timestamptz not null,
  -- How often it has happened.
  count bigint not null,
  primary key (org_id, key_id, digest)
);

-- The groups that an identity provider keeps through SCIM; fulfillment assigns tasks to their members.
create table person_group (
  org_id uuid not null,
  id uuid not null,
  display_name text not null,
  external_id text,
  -- The role that the group gives its members, except owners. Owners of the organization choose it.
  role text check (role in ('admin', 'auditor', 'member')),
  version bigint not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The API key that last wrote the group: the client that keeps it. Null: it was released.
  key_id uuid,
  primary key (org_id, id)
);
-- The groups that a client keeps, for the list of clients and their release.
create index person_group_key on person_group (org_id, key_id) where key_id is not null;
-- SCIM finds groups by their names, which several can have.
create index person_group_name on person_group (org_id, name_key(display_name));
-- External ids are unique, and SCIM finds groups by them.
create unique index person_group_external_id on person_group (org_id, external_id) where external_id is not null;

-- The members of groups, for SCIM, the roles of people, and fulfillment.
create table person_group_member (
  org_id uuid not null,
  group_id uuid not null,
  user_id uuid not null,
  -- When the person joined: guards do not count newcomers among the members whom a group had (D78). Null: the group was created with them.
  joined_at timestamptz,
  primary key (org_id, group_id, user_id)
);
-- The groups of a person.
create index person_group_member_user on person_group_member (org_id, user_id);

-- When people are away or on leave, and who decides for them, for requests and reviews. The absences of a person do not overlap.
create table absence (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  user_id uuid not null,
  kind text not null default 'away' check (kind in ('away', 'leave')),
  -- Null for a leave without a deputy: the next in line decides.
  deputy_id uuid,
  starts_at timestamptz not null,
  -- Infinity for a leave whose end nobody knows.
  ends_at timestamptz not null,
  -- For owners, administrators and the person only. No event has it.
  reason text check (length(reason) between 1 and 1000),
  -- When the log said that the leave began and ended.
  begun_at timestamptz,
  ended_at timestamptz,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  check (ends_at > starts_at),
  check (kind = 'leave' or (deputy_id is not null and ends_at < 'infinity'))
);
-- The absences of a person.
create index absence_person on absence (org_id, user_id, ends_at);
-- Whether anybody is away.
create index absence_current on absence (org_id, ends_at);
-- The people for whom a deputy decides.
create index absence_deputy on absence (org_id, deputy_id, ends_at);
-- The leaves that have to begin or end.
create index absence_leave on absence (org_id, user_id) where kind = 'leave' and ended_at is null;

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

-- Pairs of people who are different, although their records look alike, so that they are not listed as duplicates again.
create table duplicate_dismissal (
  org_id uuid not null,
  lower_id uuid not null,
  higher_id uuid not null,
  dismissed_by uuid not null,
  dismissed_at timestamptz not null default now(),
  primary key (org_id, lower_id, higher_id),
  check (lower_id < higher_id)
);
-- The pairs of a person who is deleted or merged; the primary key has those in which they are the lower one.
create index duplicate_dismissal_higher on duplicate_dismissal (org_id, higher_id);

-- apps -----------------------------------------------------------------------------------------------------------------------

-- The apps, which almost every feature reads.
create table app (
  org_id uuid not null references organization (id),
  id uuid not null default uuidv7(),
  name text not null check (length(name) between 1 and 255),
  -- An app and its clones share resource types (D12). The id of the group is the id of its first app.
  clone_group_id uuid not null,
  configuration_status text not null default 'CHECKING_CONFIGURATION'
    check (configuration_status in ('CHECKING_CONFIGURATION', 'CONNECTED', 'DISCONNECTED')),
  disconnected_by_administrator boolean not null default false,
  owner_id uuid,
  approval_steps jsonb not null default '[{"approvers": "app_owner", "require": "any"}]',
  -- Null: the organization's administrators.
  fallback_approvers uuid[],
  -- Null: nothing is escalated.
  escalate_after_working_days integer check (escalate_after_working_days between 1 and 100),
  -- Null: the app has no removal guard (D24a).
  removal_guard jsonb default '{"percent": 30, "at_least": 100}',
  -- The rule for the user names of new accounts: {from, attribute, template}. Null: the default for user_name_kind (D82).
  user_name jsonb,
  -- The system whose user names the connector says that it creates. Null: it says none.
  user_name_kind text check (user_name_kind in ('active_directory', 'linux', 'postgresql', 'mariadb')),
  created_at timestamptz not null default now(),
  last_synced_at timestamptz,
  archived_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, owner_id) references platform_user (org_id, id) on delete set null (owner_id)
);

-- The resource types of apps, for syncs, and for everything that names a group or license by its slug.
create table resource_type (
  org_id uuid not null references organization (id),
  id uuid not null default uuidv7(),
  clone_group_id uuid not null,
  slug text not null check (slug ~ '^[A-Za-z0-9_-]{1,64}$'),
  name text not null,
  type text not null check (type in ('account', 'group', 'license')),
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, clone_group_id, slug)
);

-- The requests to connect another app, which administrators list.
create table connection_request (
  org_id uuid not null references organization (id),
  id uuid not null default uuidv7(),
  app_name text not null check (length(app_name) between 1 and 255),
  reason text not null,
  requester_id uuid,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, requester_id) references platform_user (org_id, id) on delete set null (requester_id)
);

-- access: keys, limits and sign-in -------------------------------------------------------------------------------------------

-- The API keys: access finds one for each request, and people list theirs.
create table api_key (
  org_id uuid not null references organization (id),
  id uuid not null default uuidv7(),
  name text not null,
  key_hash bytea not null,
  scopes text[] not null,
  all_apps boolean not null,
  created_by uuid not null,
  -- The person for whom the key acts. It is the creator until the key is transferred (D8).
  user_id uuid not null,
  -- The sign-in provider of the session in which the key was made. The key ends with it (D76). Null: no provider.
  provider text,
  -- The run of a connector to which the key belongs. Such a key is in no list, and ends with the run.
  connector_run_id uuid,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, created_by) references platform_user (org_id, id),
  foreign key (org_id, user_id) references platform_user (org_id, id)
);
-- The key of a request. It does not begin with org_id: a key is looked up before its organization is known.
create index api_key_hash on api_key (key_hash);
-- The keys that act for a person.
create index api_key_person on api_key (org_id, user_id);
-- The keys that a person created, who is being deleted or merged.
create index api_key_creator on api_key (org_id, created_by);
-- The keys that end with a provider.
create index api_key_provider on api_key (org_id, provider) where provider is not null;
-- The key of a run that ends.
create index api_key_connector_run on api_key (org_id, connector_run_id) where connector_run_id is not null;

-- The people who gave somebody the means to act, and when. Decisions of the receiver are also those of the giver for 30 days (D76). Rows without
-- a receiver are about a sign-in provider, and so about everybody who signs in through it.
create table given_means (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  kind text not null check (kind in ('role', 'sign_in_link', 'factor', 'deputy', 'key', 'person', 'email', 'provider')),
  receiver_id uuid,
  -- The provider that was created or changed.
  provider text,
  giver_id uuid not null,
  -- The provider of the session in which they gave it. Null: none.
  through text,
  given_at timestamptz not null default clock_timestamp(),
  primary key (org_id, id),
  check ((receiver_id is null) = (kind = 'provider') and (provider is null) = (kind <> 'provider'))
);
-- The means of a person.
create index given_means_receiver on given_means (org_id, receiver_id, given_at) where receiver_id is not null;
-- The people who created or changed a provider.
create index given_means_provider on given_means (org_id, provider, given_at) where provider is not null;
-- The means that a person gave, for merges.
create index given_means_giver on given_means (org_id, giver_id);

-- When somebody last stopped being an active owner or administrator. For 30 days, nobody else is the only one (D76).
create table former_administrator (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  user_id uuid not null,
  until timestamptz not null default clock_timestamp(),
  primary key (org_id, id)
);
-- Those who were one lately.
create index former_administrator_until on former_administrator (org_id, until);

-- The apps of an app-scoped key, for the access check of each request.
create table api_key_app (
  org_id uuid not null,
  key_id uuid not null,
  app_id uuid not null,
  primary key (org_id, key_id, app_id),
  foreign key (org_id, key_id) references api_key (org_id, id) on delete cascade,
  foreign key (org_id, app_id) references app (org_id, id) on delete cascade
);

-- When api_key.used was last recorded for a key and a client, so that it is recorded once in a while. A client is the digest of
-- an IP address and a user agent (D37).
create table api_key_use (
  org_id uuid not null,
  api_key_id uuid not null,
  client text collate "C" not null,
  recorded_at timestamptz not null,
  primary key (org_id, api_key_id, client),
  foreign key (org_id, api_key_id) references api_key (org_id, id) on delete cascade
);

-- Sliding windows of the rate limits (D11): the time of each request of the last minute, for admit_request(). There is no
-- org_id, since a window may belong to an IP address. The table is unlogged, because losing it in a crash does no harm.
create unlogged table rate_window (
  id text collate "C" primary key,
  passed timestamptz[] not null
) with (fillfactor = 40, toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Admits one request to all of the windows `ids`, or to none of them. It locks the windows in order of their ids, so
-- that two requests never deadlock. Returns one row per window, in the given order: whether the window admits the
-- request, how many more requests it would admit now, and the seconds until its oldest request leaves it.
create function admit_request(ids text[], limits integer[], length interval)
  returns table (admitted boolean, remaining integer, seconds double precision) language plpgsql as $$
declare
  moment timestamptz;
  locked integer;
  row record;
  counts integer[] := '{}';
  oldest timestamptz[] := '{}';
  all_admit boolean := true;
begin
  loop
    insert into rate_window (id, passed) select id, '{}' from unnest(ids) id order by id on conflict do nothing;
    perform from rate_window where id = any (ids) order by id for update;
    get diagnostics locked = row_count;
    -- Fewer if the cleanup job deleted an idle window in between.
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
    all_admit := all_admit and cardinality(row.passed) < row.lim;
  end loop;
  if all_admit then
    update rate_window set passed = passed || moment where id = any (ids);
  end if;
  return query
    select c < l, greatest(0, l - c - all_admit::integer), extract(epoch from o + length - moment)::double precision
    from unnest(counts, limits, oldest) as w(c, l, o);
end $$;

-- The sessions of the console, as better-auth's model "session": access finds one for each request with a cookie.
create table sign_in_session (
  org_id uuid not null references organization (id),
  id uuid not null default uuidv7(),
  user_id uuid not null,
  -- The SHA-256 hash of the token in the cookie.
  token text not null,
  -- When the person had passed every factor and session.login.succeeded was recorded. Null: not signed in.
  signed_in_at timestamptz,
  -- The last time that the person proved who they are: by signing in, or by confirming it later. Adding or removing a factor
  -- requires a recent time.
  authenticated_at timestamptz,
  -- Whether the provider was asked to authenticate the person again.
  asked_again boolean not null default false,
  -- With `signed_in_at` null: the person passed every factor, but must first confirm that this session replaces another person's.
  method text,
  provider text,
  second_factor boolean not null default false,
  -- Whether the person used a passkey, at sign-in or to confirm.
  passkey boolean not null default false,
  ip_address text,
  user_agent text,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, token),
  foreign key (org_id, user_id) references platform_user (org_id, id) on delete cascade
);
-- The sessions of a person.
create index sign_in_session_user on sign_in_session (org_id, user_id);
-- The expired sessions of all organizations.
create index sign_in_session_expiry on sign_in_session (expires_at);

-- A person's password (provider_id 'credential') or their identity at a provider, as better-auth's model "account".
create table sign_in_account (
  org_id uuid not null references organization (id),
  id uuid not null default uuidv7(),
  user_id uuid not null,
  provider_id text not null,
  account_id text not null,
  issuer text,
  -- A scrypt hash in the format of better-auth.
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, provider_id, account_id),
  foreign key (org_id, user_id) references platform_user (org_id, id) on delete cascade
);
-- The ways in which a person can sign in: one password, and one account of each provider.
create unique index sign_in_account_user on sign_in_account (org_id, user_id, provider_id);

-- Single-use values that expire: password links, passkey challenges and the states of redirects. Better-auth's model
-- "verification".
create table sign_in_verification (
  org_id uuid not null references organization (id),
  -- A hash if better-auth reserves a value that must be used only once, otherwise a UUID.
  id text not null default uuidv7()::text,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id)
);
-- The value that a link or a redirect names.
create index sign_in_verification_identifier on sign_in_verification (org_id, identifier);
-- The expired values of all organizations.
create index sign_in_verification_expiry on sign_in_verification (expires_at);

-- The one-time codes of people, as better-auth's model "twoFactor".
create table sign_in_two_factor (
  org_id uuid not null references organization (id),
  id uuid not null default uuidv7(),
  user_id uuid not null,
  -- Both are encrypted with organization.sign_in_secret.
  secret text not null,
  backup_codes text not null,
  verified boolean not null default true,
  failed_verification_count integer not null default 0,
  locked_until timestamptz,
  -- The time step of the last accepted code, in units of 30 seconds since 1970. No code is accepted twice (RFC 6238,
  -- section 5.2).
  last_step bigint,
  primary key (org_id, id),
  unique (org_id, user_id),
  foreign key (org_id, user_id) references platform_user (org_id, id) on delete cascade
);

-- Active people as better-auth's model "user". Read-only. Without a correlated subquery, for which Citus would look at all
-- shards.
create view sign_in_user as
select u.org_id, u.id, email_key(u.email) as email, true as email_verified,
  coalesce(nullif(btrim(u.first_name || ' ' || u.last_name), ''), u.username) as name, null::text as image,
  f.user_id is not null as two_factor_enabled, u.created_at, u.updated_at
from platform_user u
left join (select distinct org_id, user_id from sign_in_two_factor where verified) f
  on f.org_id = u.org_id and f.user_id = u.id
where u.status = 'active';

-- The passkeys of people, as better-auth's model "passkey".
create table sign_in_passkey (
  org_id uuid not null references organization (id),
  id uuid not null default uuidv7(),
  user_id uuid not null,
  name text,
  public_key text not null,
  credential_id text not null,
  counter bigint not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamptz default now(),
  primary key (org_id, id),
  unique (org_id, credential_id),
  foreign key (org_id, user_id) references platform_user (org_id, id) on delete cascade
);
-- The passkeys of a person.
create index sign_in_passkey_user on sign_in_passkey (org_id, user_id);

-- An identity provider of the organization, over OpenID Connect or SAML. The client secret in oidc_config is
-- encrypted with organization.sign_in_secret.
create table sign_in_provider (
  org_id uuid not null references organization (id),
  id uuid not null default uuidv7(),
  provider_id text not null,
  name text not null default '',
  issuer text not null,
  domain text not null default '',
  domain_verified boolean not null default true,
  oidc_config text,
  saml_config text,
  user_id uuid,
  organization_id text,
  -- OpenID Connect: accept email addresses for which the provider sends no email_verified claim.
  trusts_email boolean not null default false,
  -- Whether the provider may sign in people with the role owner, and who approved that.
  approved_for_owners_by uuid,
  approved_for_owners_at timestamptz,
  -- Whether the provider said when it authenticated a person, at the last sign-in through it. Null: nobody signed in yet.
  tells_auth_time boolean,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, provider_id),
  foreign key (org_id, user_id) references platform_user (org_id, id) on delete set null (user_id),
  foreign key (org_id, approved_for_owners_by)
    references platform_user (org_id, id) on delete set null (approved_for_owners_by),
  check ((oidc_config is null) <> (saml_config is null))
);

-- Recent failed sign-ins, for the blocks of addresses and accounts. `counter` is `address 192.0.2.1`,
-- `address 2001:db8:1:2::/64`, or `account` with a keyed hash of the email address that was entered.
create table sign_in_attempt (
  org_id uuid not null references organization (id),
  counter text not null,
  failures integer not null,
  since timestamptz not null default now(),
  blocked_until timestamptz,
  primary key (org_id, counter)
);

-- webhooks -------------------------------------------------------------------------------------------------------------------

-- A receiver of events (docs/guides/webhooks.md), with its own place in the log.
create table webhook (
  org_id uuid not null,
  id uuid not null,
  name text not null,
  url text not null,
  -- As the events API takes them.
  filters jsonb not null,
  enabled boolean not null default true,
  -- Why Gatehouse disabled it. Null if a person did.
  disabled_reason text,
  -- Events up to here are delivered, or do not match the filters.
  position timestamptz not null,
  sealed_secret text not null,
  sealed_previous_secret text,
  -- Until when the previous secret signs too.
  previous_valid_until timestamptz,
  -- The failed attempts to deliver the next event.
  attempts integer not null default 0,
  first_failed_at timestamptz,
  next_attempt_at timestamptz,
  -- When the event log said that these attempts go on failing.
  failure_told_at timestamptz,
  last_status integer,
  last_error text,
  last_delivered_at timestamptz,
  -- The turn in which a node delivers. After claimed_until, another node may take over.
  claim uuid,
  claimed_until timestamptz,
  -- When the last turn began, so that turns go around.
  claimed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  check ((sealed_previous_secret is null) = (previous_valid_until is null)),
  check ((attempts = 0) = (first_failed_at is null)),
  check ((attempts = 0) = (next_attempt_at is null)),
  check (attempts > 0 or failure_told_at is null)
);

-- The attempts to deliver, for 30 days, which people list for each webhook.
create table webhook_delivery (
  org_id uuid not null,
  webhook_id uuid not null,
  -- A UUID of version 7, so that they sort by time.
  id uuid not null,
  -- Null for a notice that events are missing.
  event_id uuid,
  event_type text,
  attempt integer not null,
  outcome text not null check (outcome in ('delivered', 'failed', 'skipped')),
  status integer,
  duration_ms integer,
  error text,
  -- The beginning of the response's body.
  response text,
  at timestamptz not null default now(),
  primary key (org_id, webhook_id, id),
  foreign key (org_id, webhook_id) references webhook on delete cascade
);
-- The attempts that are old enough to delete.
create index webhook_delivery_at on webhook_delivery (org_id, at);

-- records -------------------------------------------------------------------------------------------------------------------
--
-- A row of account, membership, entitlement or platform_user is the open period of its state; its columns say when it began. The
-- statement that changes the row copies the ended period to its table of periods (D45). account and membership have no foreign
-- keys to what a sync joins anyway (ADR 8): those rows are never deleted, and checking each reference again would cost more than
-- storing the row.

-- The accounts: publications and task reports write them; lists, reviews, requests, policies and the history read them.
create table account (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  app_id uuid not null,
  resource_type_id uuid not null,
  -- Null while the external id is unknown (D24).
  external_id text collate "C",
  email text not null default '',
  username text not null default '',
  first_name text not null default '',
  last_name text not null default '',
  display_name text not null default '',
  status text not null check (status in ('NEW', 'INVITED', 'ACTIVE', 'SUSPENDED', 'INACTIVE')),
  -- Set while the account is removed, by a sync or by a task.
  removed_at timestamptz,
  -- When a task last changed the account. A sync session that started earlier does not remove it (D16).
  tasked_at timestamptz,
  -- When a sync last wrote the account. Syncs that find it unchanged only update app.last_synced_at.
  seen_at timestamptz,
  -- The newest sync did not push the account, which stays because the connector may not read all accounts of the type (D81). It was last seen at
  -- seen_at, and tasked_at is not null.
  unseen boolean not null default false,
  created_at timestamptz not null default now(),
  -- The present state was seen first at `since`, and is possible after `not_before`.
  since timestamptz not null default now(),
  not_before timestamptz,
  change_id uuid,
  known_from timestamptz,
  -- The person of the account.
  user_id uuid,
  -- An administrator has linked or unlinked the account. Syncs do not change the link.
  user_linked_by_hand boolean not null default false,
  -- Since when the account belongs to its present person. Null: since it was created.
  linked_at timestamptz,
  -- Whether Gatehouse gave it: a task created it, or it came back while a grant on it was in force or owed. Otherwise it was found (D73).
  given boolean not null default false,
  primary key (org_id, id),
  unique (org_id, app_id, resource_type_id, external_id),
  -- Checked at commit, because the accounts of a deleted person are unlinked after the person's row is deleted.
  foreign key (org_id, user_id) references platform_user (org_id, id) deferrable initially deferred
);
-- Lists, reviews and searches of the accounts of an app, in the order of their creation.
create index account_app on account (org_id, app_id, id);
-- Lists of accounts with a status other than ACTIVE, in the order of their creation.
create index account_exceptional on account (org_id, status, id) where status <> 'ACTIVE';
-- Lists of accounts with a status other than ACTIVE, sorted by email.
create index account_exceptional_email on account (org_id, status, lower(email), id) where status <> 'ACTIVE';
-- The pending accounts of an app, which a publication correlates by email.
create index account_awaited on account (org_id, app_id, lower(email)) where status in ('NEW', 'INVITED');
-- Lists of accounts sorted by email.
create index account_email on account (org_id, lower(email), id);
-- The search by email, username and display name, and the filter by email.
create index account_part on account using gin (search_key(email || ' ' || username || ' ' || display_name) gin_trgm_ops);
-- Searches for two letters, in addition to account_part, which stores parts of three letters (accountMatches in
-- inventory/records/accounts/facts.ts). It has only the accounts with a letter beyond ASCII: in most organizations, few or none. The
-- statistics tell the planner how many.
create index account_beyond_ascii on account (org_id)
  where octet_length(email || username || display_name) - char_length(email || username || display_name) > 0;
create statistics account_beyond_ascii
  on (octet_length(email || username || display_name) - char_length(email || username || display_name)) from account;
-- The accounts of an app with a user name, for the name of a new one.
create index account_user_name on account (org_id, app_id, name_key(username)) where username <> '';
-- The accounts of an app whose user name goes beyond ASCII, by what it looks like.
create index account_look on account (org_id, app_id, look_key(username)) where octet_length(username) <> char_length(username);
-- The accounts of a person.
create index account_user on account (org_id, user_id, id) where user_id is not null;
-- The queue of accounts without a person, in the order of their creation (inventory/records/accounts/suggestions.ts).
create index account_orphan on account (org_id, id) where user_id is null;
-- The unlinked accounts with the email of a person who is added or changed.
create index account_unlinked on account (org_id, email_key(email))
  where user_id is null and not user_linked_by_hand and email <> '';
-- The accounts that a publication began, while they are current. The rows of an app's first sync have no earlier bound and are
-- almost all of the app, so that they need no index, and the first sync does not pay for it.
create index account_change on account (org_id, change_id) where not_before is not null;
-- The accounts of an app that Gatehouse gave, when the app is synced for the first time.
create index account_given on account (org_id, app_id) where given;
-- The accounts of an app that lately became somebody's, for findings.
create index account_linked on account (org_id, app_id, linked_at) where linked_at is not null;
-- The accounts that a task has touched since the last sync that pushed them, for publications.
create index account_tasked on account (org_id, app_id, tasked_at) where tasked_at is not null;

-- The number of accounts of each app, as steps to add up, for lists, the overview and the removal guard. The statements that
-- write accounts append differences, so that writers never wait for each other, and a job replaces them with their sums.
create table account_count (
  org_id uuid not null,
  app_id uuid not null,
  status text not null,
  linked boolean not null,
  n bigint not null
);
-- The steps of an organization or of an app.
create index account_count_key on account_count (org_id, app_id, status);

-- The fields of pushed accounts that give no access (D54): the last sign-in, the owner that the app names, and attributes, for
-- dormant accounts and owners. A table of their own, so that a daily change of the last sign-in writes one narrow row, keeps the
-- account's digest (ADR 14), and adds nothing to the history. Accounts without any of them have no row.
create table account_detail (
  org_id uuid not null,
  account_id uuid not null,
  app_id uuid not null,
  last_sign_in_at timestamptz,
  owner_email text,
  attributes jsonb,
  -- Whether the connector signs in with the account, so that no task suspends or deletes it (D66).
  is_own boolean not null default false,
  -- Whether the account signs in with a second factor. Null: the app does not say.
  mfa_enabled boolean,
  -- Of the fields as they were pushed.
  digest uuid not null,
  -- Whether an administrator made it the account of a person, or of an owner of their choice.
  owner_overruled boolean not null default false,
  primary key (org_id, account_id)
);
-- Lists of the accounts of an app sorted by last use, and the dormant ones.
create index account_detail_sign_in on account_detail (org_id, app_id, last_sign_in_at, account_id)
  where last_sign_in_at is not null;
-- Lists of the accounts of an organization sorted by last use.
create index account_detail_used on account_detail (org_id, last_sign_in_at, account_id) where last_sign_in_at is not null;
-- The accounts of an app that were never used: the rest of those lists.
create index account_detail_unused on account_detail (org_id, app_id, account_id) where last_sign_in_at is null;
-- Lists of the accounts without a second factor.
create index account_detail_no_mfa on account_detail (org_id, account_id) where not mfa_enabled;
-- The accounts of an app with a named owner, whose owners a publication finds.
create index account_detail_owner on account_detail (org_id, app_id) where owner_email is not null;
-- The accounts that name the email of a person who is added or changed.
create index account_detail_owner_email on account_detail (org_id, email_key(owner_email)) where owner_email is not null;

-- A digest of the record from which the last publication took an account, with the groups and licenses that it named. A row
-- means that the account and its memberships have not changed since: every other change of them deletes it (ADR 14).
create table account_digest (
  org_id uuid not null,
  account_id uuid not null,
  digest uuid not null,
  primary key (org_id, account_id)
);

-- The accounts of records that may be an account that a task created, until it is known which of them is (D24). No foreign
-- keys (ADR 8).
create table account_candidate (
  org_id uuid not null,
  -- The account that the task created, and the one that a sync made of the record.
  account_id uuid not null,
  candidate_id uuid not null,
  primary key (org_id, account_id, candidate_id)
);

-- The email and username that a task sent, if a record without this username has taken the account over. A record
-- that fits better may still come.
create table account_correlation (
  org_id uuid not null,
  account_id uuid not null,
  app_id uuid not null,
  email text not null,
  username text not null,
  primary key (org_id, account_id)
);
-- The accounts of an app, which a publication compares with new records.
create index account_correlation_app on account_correlation (org_id, app_id);

-- The kind of an account, and the person who is responsible for it, for lists and reviews. An account without a row belongs to a
-- person. A table of its own, so that syncs neither read nor write it.
create table account_owner (
  org_id uuid not null,
  account_id uuid not null,
  -- Belongs to a person ('person') if the app no longer names the owner: the row keeps whom it named, should it do so again (D83).
  kind text not null check (kind in ('person', 'service', 'shared')),
  owner_id uuid,
  -- Whether an administrator set the kind and the owner. Otherwise they follow from account_detail.owner_email.
  by_hand boolean not null default true,
  -- The owner_email from which the owner follows. It decides once: whoever has the address later is not the owner (D83). Null if an
  -- administrator set the owner, or nobody has had the address yet.
  named_email text,
  primary key (org_id, account_id)
);
-- The service and shared accounts of an owner.
create index account_owner_person on account_owner (org_id, owner_id) where owner_id is not null;
-- The owners that follow from pushed emails, which a publication checks again.
create index account_owner_pushed on account_owner (org_id, account_id) where not by_hand;

-- People to whom an account does not belong, so that they are not suggested again.
create table link_dismissal (
  org_id uuid not null,
  account_id uuid not null,
  user_id uuid not null,
  primary key (org_id, account_id, user_id)
);

-- The groups and licenses of apps, for requests, reviews, policies, tasks and lists. An active row is the open period; an
-- inactive one says since when the entitlement is absent.
create table entitlement (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  app_id uuid not null,
  resource_type_id uuid not null,
  external_id text collate "C" not null,
  -- May be empty for a placeholder: an entitlement known only from a reference (D18).
  name text not null default '',
  description text not null default '',
  max_count bigint,
  used_count bigint,
  is_paid boolean,
  is_unlimited boolean,
  risk text check (risk in ('low', 'medium', 'high')),
  owner_email text,
  -- The person with the email that the app named when somebody had it, and that email (D83), as for accounts (account_owner).
  owner_id uuid,
  named_email text,
  -- The owner until the app named none, should it name the same email again.
  former_owner_id uuid,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  since timestamptz not null default now(),
  not_before timestamptz,
  change_id uuid,
  known_from timestamptz,
  -- When a task or a sync last proved that it exists, if the newest sync did not see it. Null otherwise.
  tasked_at timestamptz,
  -- The number of members that the newest sync could not show, by rule (D81). Null if none.
  hidden jsonb,
  primary key (org_id, id),
  unique (org_id, app_id, resource_type_id, external_id),
  foreign key (org_id, app_id) references app (org_id, id),
  foreign key (org_id, resource_type_id) references resource_type (org_id, id)
);
-- The active groups and licenses of an app by name.
create index entitlement_name on entitlement (org_id, app_id, name, id) where active;
-- Access in the order of the names of groups and licenses (insight/saved-queries).
create index entitlement_sorted on entitlement (org_id, name_key(name));
-- The groups of an app whose risk is high, for findings.
create index entitlement_high_risk on entitlement (org_id, app_id) where risk = 'high';
-- The search for groups and licenses by name.
create index entitlement_part on entitlement using gin (name_key(name) gin_trgm_ops);
-- The licenses with a number of seats, for the overview.
create index entitlement_seats on entitlement (org_id, app_id) where active and max_count > 0;
-- The groups and licenses of an app with hidden members, which the next publication may show again.
create index entitlement_hidden on entitlement (org_id, app_id) where hidden is not null;
-- The groups and licenses that name the email of a person as their owner.
create index entitlement_owner on entitlement (org_id, email_key(owner_email)) where owner_email is not null;
-- The groups and licenses of an owner who is merged or deleted.
create index entitlement_owned on entitlement (org_id, owner_id) where owner_id is not null;
create index entitlement_formerly_owned on entitlement (org_id, former_owner_id) where former_owner_id is not null;

-- A membership of a group or an assignment of a license, which the row gives as long as it exists. The readers are those of
-- account.
create table membership (
  org_id uuid not null,
  account_id uuid not null,
  entitlement_id uuid not null,
  -- The membership was seen first then.
  granted_at timestamptz not null default now(),
  -- When a task granted the access. Null again as soon as a sync has confirmed it (D16).
  tasked_at timestamptz,
  not_before timestamptz,
  change_id uuid,
  known_from timestamptz,
  -- The sync that last saw a membership, if the newest one did not: its account stayed only because of a task, or the connector may not
  -- read the members of the group. Null for all others.
  seen_until timestamptz,
  -- The group or license that gives it. Null if it was given directly.
  via_id uuid,
  -- Since when that is known, if it was given otherwise before. Null: since the beginning.
  via_since timestamptz,
  -- The entitlement that gave it before, and the publication that changed it, for the revert of that sync. A change of the
  -- giver is not in the history.
  via_before uuid,
  via_change_id uuid,
  -- As in account.
  given boolean not null default false,
  primary key (org_id, account_id, entitlement_id)
);
-- The members of a group, and the holders of a license.
create index membership_entitlement on membership (org_id, entitlement_id, account_id);
-- The memberships of an account that a task has granted since the last sync, for publications.
create index membership_tasked on membership (org_id, account_id) where tasked_at is not null;
-- The memberships that a publication began, while they are current (see account_change).
create index membership_change on membership (org_id, change_id) where not_before is not null;

-- The number of members of each group and license, as steps to add up, for lists, free seats and the overview. The statements that
-- insert or delete memberships append differences, so that writers never wait for each other, and a job replaces them with
-- their sums.
create table member_count (
  org_id uuid not null,
  entitlement_id uuid not null,
  n bigint not null,
  -- Whether the job wrote it.
  folded boolean not null default false
);
-- The steps of a group or license.
create index member_count_entitlement on member_count (org_id, entitlement_id);
-- The steps that the job has not replaced yet.
create index member_count_step on member_count (org_id, entitlement_id) where not folded;

-- The changes of the inventory, and the bounds that follow from them, for the history: a publication of a sync, its removals, a
-- completed task, or a revert. Bounds are null where nothing earlier is known.
create table inventory_change (
  org_id uuid not null references organization,
  id uuid not null default uuidv7(),
  -- Null for our own changes, whose times are exact.
  app_id uuid,
  kind text not null check (kind in ('sync', 'abandoned_sync', 'removal', 'task', 'revert')),
  -- The sync session, the task, or null.
  source_id uuid,
  actor jsonb,
  -- The start of the sync session. Null for our own changes.
  started_at timestamptz,
  -- When Gatehouse recorded the change.
  at timestamptz not null,
  -- When the sync completed, which makes it a sighting of everything that exists.
  completed_at timestamptz,
  -- When a state that begins with this change was last known to be absent.
  not_before timestamptz,
  -- When a state that ends with this change was last seen.
  seen_until timestamptz,
  -- When a state that ends with this change was known to be gone.
  gone_by timestamptz not null,
  -- When the session of this publication was reverted. Since then, it no longer counts as a sighting.
  reverted_at timestamptz,
  primary key (org_id, id)
);
-- The newest publications of an app.
create index inventory_change_app on inventory_change (org_id, app_id, at desc) where started_at is not null;
-- The changes of a sync session or a task.
create index inventory_change_source on inventory_change (org_id, source_id);
-- The newest change of all organizations, after which ensure_history_partitions() makes partitions.
create index inventory_change_at on inventory_change (at);

-- States of accounts that have ended, for the history. `known_from`, `ended_at` and `known_to` say when Gatehouse learned that
-- the state began, learned that it ended, and found that it had recorded it wrongly.
create table account_period (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  account_id uuid not null,
  app_id uuid not null,
  resource_type_id uuid not null,
  external_id text collate "C",
  email text not null,
  username text not null,
  first_name text not null,
  last_name text not null,
  display_name text not null,
  status text not null,
  given boolean not null default false,
  not_before timestamptz,
  since timestamptz not null,
  seen_until timestamptz not null,
  gone_by timestamptz not null,
  known_from timestamptz not null,
  ended_at timestamptz not null,
  known_to timestamptz,
  began_by uuid,
  ended_by uuid not null,
  primary key (org_id, account_id, ended_at, id)
) partition by range (ended_at);
-- The earlier accounts of an app.
create index account_period_app on account_period (org_id, app_id, account_id, ended_at);
-- The states that a change ended.
create index account_period_change on account_period (org_id, ended_by);
-- The states that a change began.
create index account_period_begun on account_period (org_id, began_by);

-- Memberships that have ended, for the history, with the columns of account_period.
create table membership_period (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  account_id uuid not null,
  entitlement_id uuid not null,
  app_id uuid not null,
  not_before timestamptz,
  since timestamptz not null,
  seen_until timestamptz not null,
  gone_by timestamptz not null,
  known_from timestamptz not null,
  ended_at timestamptz not null,
  known_to timestamptz,
  began_by uuid,
  ended_by uuid not null,
  -- As in membership.
  via_id uuid,
  via_since timestamptz,
  given boolean not null default false,
  primary key (org_id, account_id, ended_at, entitlement_id, id)
) partition by range (ended_at);
-- The memberships of an app that ended since a time, for publications, reverts and restores.
create index membership_period_recent on membership_period (org_id, app_id, ended_at);
-- The earlier members of a group, and the earlier holders of a license.
create index membership_period_entitlement on membership_period (org_id, entitlement_id, account_id, ended_at);
-- The accounts that held a group or license at a time (mayHaveBegun).
create index membership_period_held on membership_period
  (org_id, entitlement_id, least(coalesce(not_before, '-infinity'), since), ended_at);
-- The memberships that a change ended.
create index membership_period_change on membership_period (org_id, ended_by);
-- The memberships that a change began.
create index membership_period_begun on membership_period (org_id, began_by);

-- When groups and licenses existed in the past, and under which name, for the history.
create table entitlement_period (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  entitlement_id uuid not null,
  app_id uuid not null,
  name text not null,
  not_before timestamptz,
  since timestamptz not null,
  seen_until timestamptz not null,
  gone_by timestamptz not null,
  known_from timestamptz not null,
  ended_at timestamptz not null,
  known_to timestamptz,
  began_by uuid,
  ended_by uuid,
  primary key (org_id, entitlement_id, ended_at, id)
) partition by range (ended_at);
-- The earlier groups and licenses of an app.
create index entitlement_period_app on entitlement_period (org_id, app_id, entitlement_id, ended_at);
-- The periods that a change ended.
create index entitlement_period_change on entitlement_period (org_id, ended_by);
-- The periods that a change began.
create index entitlement_period_begun on entitlement_period (org_id, began_by);

-- Links between accounts and people that have ended, for the history. Gatehouse makes them itself, so that their times are exact.
create table account_link_period (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  account_id uuid not null,
  user_id uuid not null,
  since timestamptz not null,
  ended_at timestamptz not null,
  primary key (org_id, account_id, ended_at, id)
) partition by range (ended_at);
-- The earlier accounts of a person.
create index account_link_period_user on account_link_period (org_id, user_id, account_id);

-- The history of an organization is complete from this time on: periods that ended before have been deleted.
create table history_start (
  org_id uuid not null references organization,
  at timestamptz not null,
  primary key (org_id)
);

-- Creates the monthly partitions of a history table from this month to three months after the newest change: later changes get
-- later times, even if the clock was set back since. The very first has no lower bound, and later months follow without gaps.
create function ensure_history_partitions(parent text) returns integer language plpgsql as $$
declare
  month date;
  last_month date := date_trunc('month', greatest(now(), (select max(at) from inventory_change)) at time zone 'UTC')
    + interval '3 months';
  floor text := 'minvalue';
  made integer := 0;
begin
  execute format('lock table only %I in share update exclusive mode', parent);
  select max(to_date(right(inhrelid::regclass::text, 7), 'YYYY_MM')) + interval '1 month' into month
    from pg_inherits where inhparent = parent::regclass;
  if month is not null then
    floor := quote_literal(month || ' 00:00:00+00');
  else
    month := date_trunc('month', now() at time zone 'UTC');
  end if;
  while month <= last_month loop
    execute format('create table %I (like %I including all)', parent || to_char(month, '"_"YYYY_MM'), parent);
    execute format('alter table %I attach partition %I for values from (%s) to (%L)',
      parent, parent || to_char(month, '"_"YYYY_MM'), floor, (month + interval '1 month')::date || ' 00:00:00+00');
    month := month + interval '1 month';
    floor := quote_literal(month || ' 00:00:00+00');
    made := made + 1;
  end loop;
  return made;
end $$;
select ensure_history_partitions('account_period'), ensure_history_partitions('membership_period'),
  ensure_history_partitions('account_link_period'), ensure_history_partitions('person_period'),
  ensure_history_partitions('entitlement_period');

-- Deletes about `most` expired periods of an organization from a history table. Returns their number. A ctid is unique in
-- its partition only, so that both conditions are needed.
create function delete_expired_periods(parent text, organization_id uuid, days integer, most integer) returns integer
language plpgsql as $$
declare
  deleted integer;
begin
  execute format(
    'delete from %1$I where org_id = $1 and ended_at < $2 and ctid = any (array(
       select ctid from %1$I where org_id = $1 and ended_at < $2 limit $3))', parent)
    using organization_id, now() - days * interval '24 hours', most;
  get diagnostics deleted = row_count;
  return deleted;
end $$;

-- The accounts and memberships that each app lost lately, through syncs and tasks. The daily budget of an app counts them
-- (D46). Older rows are deleted whenever the app loses something.
create table access_loss (
  org_id uuid not null references organization,
  app_id uuid not null,
  -- The sync session or the task.
  source_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  accounts bigint not null,
  memberships bigint not null,
  -- Whether the access no longer counts as existing: the task was completed. A suspended account still exists.
  gone boolean not null,
  -- The accounts among those of a sync session that still exist, because it suspended them.
  suspended bigint not null default 0,
  -- Whether the task has yet to end. Until then, its losses count however long ago it had its turn.
  open boolean not null default false,
  primary key (org_id, source_id)
);
-- The losses of an app in a day.
create index access_loss_app on access_loss (org_id, app_id, at);

-- Locked while a transaction adds to the losses of an app, so that two cannot both use the rest of its budget.
create table removal_budget (
  org_id uuid not null references organization,
  app_id uuid not null,
  primary key (org_id, app_id)
);

-- records: syncs -----------------------------------------------------------------------------------------------------------------------

-- The sync sessions of apps, from their start to the result of their publication, which connectors and people list.
create table sync_session (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  app_id uuid not null,
  status text not null default 'in_progress'
    check (status in ('in_progress', 'completing', 'completed', 'error', 'abandoned')),
  started_at timestamptz not null default clock_timestamp(),
  completing_at timestamptz,
  published_at timestamptz,
  finished_at timestamptz,
  superseded_by uuid,
  error jsonb,
  -- Written by the publication: progress per resource type, counts of records and memberships, and the held removal.
  progress jsonb,
  counts jsonb,
  membership_counts jsonb,
  -- The accounts that lost their access by a pushed status, and those of an abandoned session that kept it.
  status_counts jsonb,
  held jsonb,
  -- Written by the completion: an array of what its connector could not show, with slug, id (null: records of that type), rule and count (D81),
  -- and the numbers of these records and members. Null if it reported nothing.
  unseen jsonb,
  unseen_counts jsonb,
  -- The entries of what its connector may not read, apart: lists of tasks look for theirs in each later session. Null if there are none.
  unreadable jsonb generated always as (nullif(jsonb_path_query_array(unseen, '$[*] ? (@.rule == "unreadable")'), '[]')) stored,
  -- The person who approved the removals that the removal guard of the app had held.
  approved_by uuid,
  -- The inventory was returned to the state before the session.
  reverted_at timestamptz,
  reverted_by uuid,
  reverted_reason text,
  -- The run that made the session. Null: the connector runs elsewhere, or people uploaded a file.
  connector_run_id uuid,
  -- The client that started the session: an API key, the connector that the server runs for the app (the id is that of the app), or a person, who
  -- uploads a spreadsheet.
  client_type text check (client_type in ('api_key', 'connector', 'person')),
  client_id uuid,
  -- The sessions of other clients that were discarded in a row up to the start of this one: their number, since when, and the clients.
  discards jsonb,
  primary key (org_id, id),
  foreign key (org_id, app_id) references app (org_id, id)
);
-- An app has at most one session in progress; a job abandons the forgotten ones of all organizations.
create unique index sync_session_open on sync_session (org_id, app_id) where status = 'in_progress';
-- The newest sessions of an app.
create index sync_session_app on sync_session (org_id, app_id, started_at desc, id desc);
-- The sessions that are being published: those of an app, for which a later one waits, and of all organizations, for a job.
create index sync_session_completing on sync_session (org_id, app_id, started_at) where status = 'completing';

-- A validated page as pushed, until the session is published. Pages are ordered by number: the last push of an id wins (D17).
-- Pages exist for minutes only, so compressing them would cost more than it saves.
create table sync_page (
  org_id uuid not null,
  session_id uuid not null,
  -- Of a sequence: identity columns do not exist on distributed tables. All processes connect to the coordinator.
  number bigserial,
  resource_type_id uuid not null,
  received_at timestamptz not null default now(),
  -- A JSON list.
  records text storage external not null,
  -- The ids of the records, to count each record of a session once.
  record_ids text[] storage external not null,
  -- The references of the accounts, one array element each: the position of the record in the page, starting at 1,
  -- and the slug, id and name of the entitlement.
  ref_records integer[] not null,
  ref_types text[] storage external not null,
  ref_ids text[] storage external not null,
  ref_names text[] storage external not null,
  -- The giver of each of them: its slug and id, null for a reference that was given directly. Empty if nothing of the page has
  -- a giver.
  ref_via_types text[] storage external not null default '{}',
  ref_via_ids text[] storage external not null default '{}',
  -- The digests of the page's accounts, in their order. Empty for groups and licenses.
  digests uuid[] storage external not null default '{}',
  -- For each account of the page, its details as JSON and their digest, or null. Empty if none of them has any.
  details text[] storage external,
  detail_digests uuid[] storage external,
  primary key (org_id, session_id, number),
  foreign key (org_id, session_id) references sync_session (org_id, id) on delete cascade
);

-- The ids that a session pushed and the app did not know before, for the publication. A record counts as created once per
-- session (D19).
create table sync_new_record (
  org_id uuid not null,
  session_id uuid not null,
  resource_type_id uuid not null,
  external_id text collate "C" not null,
  primary key (org_id, session_id, resource_type_id, external_id)
);

-- The records that the cleanup of a session will remove, frozen when the session is published (D16, D24a): an account,
-- an entitlement or, if both ids are set, a membership.
create table sync_removal (
  org_id uuid not null,
  session_id uuid not null,
  account_id uuid,
  entitlement_id uuid,
  -- The pushed status that ends the access of the account. The account stays.
  status text check (status in ('SUSPENDED', 'INACTIVE')),
  check (account_id is not null or entitlement_id is not null),
  foreign key (org_id, session_id) references sync_session (org_id, id) on delete cascade
);
-- The removals of a session.
create index sync_removal_session on sync_removal (org_id, session_id);

-- The held removals that were shown to somebody, so that an approval can tell what has changed since. A version is the
-- `plan` of the response. Memberships are two arrays in the same order.
create table sync_plan_shown (
  org_id uuid not null,
  session_id uuid not null,
  version text not null,
  shown_at timestamptz not null,
  accounts uuid[] not null,
  entitlements uuid[] not null,
  member_accounts uuid[] not null,
  member_entitlements uuid[] not null,
  -- The accounts that would lose their access by a pushed status, and these statuses.
  ended_accounts uuid[] not null,
  ended_statuses text[] not null,
  primary key (org_id, session_id, version),
  foreign key (org_id, session_id) references sync_session (org_id, id) on delete cascade
);

-- The groups and licenses that the publication of a session created, changed or removed, for its plan and its revert: periods
-- have only the names of entitlements. No foreign key (ADR 8).
create table sync_resource_change (
  org_id uuid not null,
  session_id uuid not null,
  slug text not null,
  kind text not null check (kind in ('group', 'license')),
  external_id text collate "C" not null,
  name text not null,
  change text not null check (change in ('created', 'changed', 'removed')),
  -- The states, as the plan shows them. Null if the entitlement did not exist.
  before jsonb,
  after jsonb,
  at timestamptz not null default now(),
  primary key (org_id, session_id, slug, external_id)
);

-- The plan of a large session in progress, for people who look at it. It can be computed again at any time (ADR 13).
create table sync_plan (
  org_id uuid not null,
  session_id uuid not null,
  -- The newest page that the plan covers.
  last_page bigint not null,
  planned_at timestamptz not null,
  -- The loss that the removal guard would hold.
  held jsonb,
  primary key (org_id, session_id)
);

-- The changes of a plan, of which people list pages.
create table sync_plan_change (
  org_id uuid not null,
  session_id uuid not null,
  number bigint not null,
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
  after jsonb,
  primary key (org_id, session_id, number)
);

-- provisioning ---------------------------------------------------------------------------------------------------------------

-- Decisions in force that an account should have something, and those that have ended (D73). Only their end changes.
create table access_grant (
  org_id uuid not null references organization,
  id uuid not null default uuidv7(),
  app_id uuid not null,
  account_id uuid not null,
  -- The group or license. Null: the account itself.
  entitlement_id uuid,
  -- The decision, and its label as it was then.
  kind text not null check (kind in ('request', 'policy', 'manual', 'restore', 'business_role', 'emergency')),
  source_id uuid,
  label text not null default '',
  -- The person for whom it was decided, and the one who decided.
  for_user uuid,
  decided_by uuid,
  starts_at timestamptz not null,
  -- Null: no end.
  ends_at timestamptz,
  -- When it ended before ends_at, and the decision that ended it.
  ended_at timestamptz,
  ended_kind text check (ended_kind in ('request', 'policy', 'review', 'manual', 'business_role', 'emergency', 'restore', 'sync', 'app',
    'merge', 'archive', 'deletion')),
  ended_source uuid,
  ended_label text,
  -- A task of ours gave it. For information only.
  brought boolean not null default false,
  -- The access was held and found when the grant began, so that its end takes nothing away.
  over_found boolean not null default false,
  -- Since when the access is gone: a sync no longer showed it, or its removal was reported. Null: it is there, or was never given.
  gone_since timestamptz,
  recorded_at timestamptz not null default clock_timestamp(),
  -- When the end was recorded.
  end_recorded_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, app_id) references app (org_id, id)
);
-- The grants of an account.
create index access_grant_account on access_grant (org_id, account_id, entitlement_id);
-- The grants of a decision.
create index access_grant_source on access_grant (org_id, source_id) where source_id is not null;
-- The list of grants, and those of a kind or an app.
create index access_grant_start on access_grant (org_id, starts_at, id);
create index access_grant_kind on access_grant (org_id, kind, starts_at, id);
create index access_grant_app on access_grant (org_id, app_id, starts_at, id);
-- The grants on a group or license.
create index access_grant_entitlement on access_grant (org_id, entitlement_id, account_id) where entitlement_id is not null;
-- The grants that end soon.
create index access_grant_ends on access_grant (org_id, ends_at) where ends_at is not null;
-- The grants that have ended.
create index access_grant_ended on access_grant (org_id, least(ended_at, ends_at));
-- Those that have ended and owe something until 30 days after their access is gone. They are counted by this index.
create index access_grant_owed on access_grant (org_id,
  (case when gone_since is null then 'infinity'::timestamptz else greatest(gone_since, least(ended_at, ends_at)) end))
  where coalesce(ended_at, ends_at) is not null and not over_found and ended_kind is distinct from 'sync';
-- The list of those.
create index access_grant_owed_start on access_grant (org_id, starts_at, id,
  (case when gone_since is null then 'infinity'::timestamptz else greatest(gone_since, least(ended_at, ends_at)) end))
  where coalesce(ended_at, ends_at) is not null and not over_found and ended_kind is distinct from 'sync';
-- Those whose access is gone, which a sync shows again, or which end after 30 days.
create index access_grant_gone on access_grant (org_id, app_id, gone_since) where gone_since is not null and ended_at is null;
-- The grants for a person.
create index access_grant_person on access_grant (org_id, for_user) where for_user is not null;

-- Decisions that an account should be suspended (D73). Only their end changes.
create table suspension (
  org_id uuid not null references organization,
  id uuid not null default uuidv7(),
  app_id uuid not null,
  account_id uuid not null,
  -- The decision, and its label as it was then. `app`: a sync found the account suspended.
  kind text not null check (kind in ('manual', 'review', 'policy', 'app')),
  source_id uuid,
  label text not null default '',
  decided_by uuid,
  reason text,
  -- Whether it was decided because the person leaves: then a policy for people who return ends it.
  leaving boolean not null default false,
  since timestamptz not null,
  -- When it ended, and the decision that ended it.
  ended_at timestamptz,
  ended_kind text check (ended_kind in ('request', 'policy', 'review', 'manual', 'business_role', 'emergency', 'restore', 'sync', 'app',
    'merge', 'archive', 'deletion')),
  ended_source uuid,
  ended_label text,
  recorded_at timestamptz not null default clock_timestamp(),
  -- When the end was recorded.
  end_recorded_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, app_id) references app (org_id, id)
);
-- The suspensions of an account.
create index suspension_account on suspension (org_id, account_id, id);
-- The suspensions of an app, and those in force.
create index suspension_app on suspension (org_id, app_id, id);
create index suspension_open on suspension (org_id, app_id, account_id) where ended_at is null;

-- Access that people took away although a policy or a business role gives it: that decision does not give it to this person again (D73), until
-- somebody grants it, the condition becomes false, or the person leaves.
create table revoked_entry (
  org_id uuid not null references organization,
  id uuid not null default uuidv7(),
  app_id uuid not null,
  account_id uuid not null,
  -- The group or license. Null: the account itself.
  entitlement_id uuid,
  -- The person of the account then.
  user_id uuid,
  -- The decision that gave it, and the one that took it away.
  kind text not null check (kind in ('policy', 'business_role')),
  source_id uuid not null,
  revoked_kind text not null check (revoked_kind in ('request', 'review', 'manual')),
  revoked_source uuid,
  revoked_label text not null,
  revoked_at timestamptz not null default clock_timestamp(),
  primary key (org_id, id)
);
-- The accesses that a policy does not give again.
create index revoked_entry_source on revoked_entry (org_id, source_id);
-- The entries of an account in which something is granted after all, and of a person who leaves.
create index revoked_entry_account on revoked_entry (org_id, account_id);
create index revoked_entry_person on revoked_entry (org_id, user_id) where user_id is not null;

-- Provisioning tasks: actions for connectors and fulfillers, and their outcomes (protocol 2.6, 3.2; D25, D26, D28 to D32).
create table task (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  -- The order of creation. Unlike a clock, a sequence never goes backwards.
  number bigserial,
  app_id uuid not null,
  account_id uuid not null,
  action text not null check (action in
    ('create_account', 'update_account', 'delete_account', 'suspend_account', 'unsuspend_account', 'reset_password')),
  status text not null default 'scheduled'
    check (status in ('scheduled', 'pending', 'completed', 'failed', 'cancelled', 'preempted')),
  execute_after timestamptz not null,
  -- Why a due task stays scheduled: another task of its account is pending, the account's external id is unknown (D28), or the
  -- task is over the budget until an administrator releases or rejects it, it is part of a hold (D78), or its policy no longer decides
  -- about the person, until an administrator confirms or rejects it (D74). Null: the task waits only for execute_after.
  waits_for text check (waits_for in ('account', 'external_id', 'confirmation', 'hold', 'undecided')),
  -- The hold that the task is or was part of.
  hold_id uuid,
  -- When task.dispatch_blocked was recorded, which happens only once (D28).
  blocked_at timestamptz,
  released_at timestamptz,
  released_by uuid,
  -- When the task was first listed to a connector.
  dispatched_at timestamptz,
  ended_at timestamptz,
  -- A sentence {code, values, text}: why the task was canceled, what a sync showed that completed it without a report, or why a failed one must not be retried.
  ended_reason jsonb,
  -- Until when something that the task would have taken away, and that was gone when its turn came, is taken away if it returns:
  -- everything if the task was canceled, otherwise the changes that are away. Null if nothing was gone, or nobody waits any more.
  awaits_return_until timestamptz,
  -- The parts that the task left out when its turn came: a list of sentences.
  left_out jsonb,
  preempted_by uuid,
  -- The code and message of a failed report.
  error jsonb,
  -- Whether the connector saw the result when it read the account back, and what it saw (D80). Null if it did not say.
  confirmed text check (confirmed in ('read', 'none')),
  seen jsonb,
  retry_of uuid,
  attempt integer not null default 1,
  task_type text not null check (task_type in ('USER_ACTION', 'ACCESS_REVIEW', 'APPROVAL_WORKFLOW', 'POLICY')),
  -- The decision that created the task: a request ('ticket'), a review item or a policy.
  source_type text,
  source_id uuid,
  -- The name of the decision then.
  source_label text not null default '',
  -- The person behind the task (protocol 2.11). No foreign key: people can be deleted, and history stays.
  created_by uuid,
  -- A sentence {code, values, text}: why the task was created.
  reason jsonb,
  -- Whether a suspension is decided because the person leaves, and whether an unsuspension ends only such suspensions (D73).
  leaving boolean not null default false,
  -- Conditions that are checked again when the task's turn comes (D31): a list of {kind, ...}.
  preconditions jsonb not null default '[]',
  created_at timestamptz not null default clock_timestamp(),
  primary key (org_id, id),
  foreign key (org_id, app_id) references app (org_id, id),
  foreign key (org_id, account_id) references account (org_id, id)
);
-- An account has at most one pending task (D28).
create unique index task_pending on task (org_id, account_id) where status = 'pending';
-- The tasks of an app, by status, such as those that a connector lists.
create index task_app on task (org_id, app_id, status, number);
-- The tasks of an account.
create index task_account on task (org_id, account_id, number);
-- Lists of all tasks in the order of their creation.
create index task_number on task (org_id, number);
-- The tasks of a request, a review item or a policy.
create index task_source on task (org_id, source_id) where source_id is not null;
-- The due tasks of all organizations, for which a loop looks.
create index task_due on task (execute_after, org_id, app_id) where status = 'scheduled' and waits_for is null;
-- The recent failures on the overview page.
create index task_failed on task (org_id, ended_at) where status = 'failed';
-- The open tasks on the overview page.
create index task_open on task (org_id, status, created_at) where status in ('scheduled', 'pending');
-- The removals of an app that are created again if what they take away returns.
create index task_awaits_return on task (org_id, app_id, awaits_return_until) where awaits_return_until is not null;
-- The tasks of an app that wait for confirmation.
create index task_held on task (org_id, app_id, number) where waits_for = 'confirmation';
-- The tasks of a hold.
create index task_on_hold on task (org_id, hold_id, number) where waits_for = 'hold';

-- The user names that tasks have given to new accounts. The name of a pending account is in its row; whoever gives a name locks it
-- here first, so that two tasks that are created at the same moment cannot get the same one (D82).
create table reserved_user_name (
  org_id uuid not null,
  app_id uuid not null,
  -- name_key() of the name.
  name_key text collate "C" not null,
  reserved_at timestamptz not null default clock_timestamp(),
  primary key (org_id, app_id, name_key),
  foreign key (org_id, app_id) references app (org_id, id)
);

-- The groups and licenses that a task adds or removes, for its connector and the effects of its report. A follow-up
-- update_account assigns the licenses of a create_account.
create table task_change (
  org_id uuid not null,
  task_id uuid not null,
  entitlement_id uuid not null,
  added boolean not null,
  -- When the task was created. Access with another name was not decided. Empty for a placeholder (D18).
  name text not null,
  -- The change was left out when the task's turn came: another decision still grants the access
  -- (packages/server/src/work/provisioning/queries/preconditions/last-holder.ts), or the group is not what was decided
  -- (packages/server/src/work/provisioning/left-out.ts).
  spared boolean not null default false,
  -- It is a removal that was left out because the group was gone, or because something else gave it. If that passes, another task removes it.
  away boolean not null default false,
  primary key (org_id, task_id, entitlement_id),
  foreign key (org_id, task_id) references task (org_id, id),
  foreign key (org_id, entitlement_id) references entitlement (org_id, id)
);

-- spreadsheets ---------------------------------------------------------------------------------------------------------------

-- Spreadsheets that people upload as a sync of an app, or to import people (docs/guides/spreadsheets.md). Kept for a day.
create table upload (
  org_id uuid not null,
  id uuid not null,
  -- Null for a file of people.
  app_id uuid,
  -- The cause of the changes, as their events record it: who uploaded or checked the file.
  cause jsonb not null,
  file_name text not null,
  bytes bigint not null default 0,
  sha256 text,
  status text not null
    check (status in ('receiving', 'uploaded', 'checking', 'invalid', 'planned', 'applied', 'discarded', 'failed')),
  -- The findings about the file: format, encoding, separator, sheets, columns with samples.
  content jsonb,
  mapping jsonb,
  rows integer,
  problems integer,
  -- The session that holds the rows of an app's file.
  sync_id uuid,
  -- The changes that importing a file of people would make or has made.
  result jsonb,
  error jsonb,
  -- The remarks that people should read before they apply the upload.
  remarks jsonb not null default '[]',
  -- The accounts of a planned file in its order, as eight bytes of a hash each.
  account_order bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id)
);
-- The uploads of an organization, and those that are old enough to delete.
create index upload_created on upload (org_id, created_at);

-- The bytes of a file, in order, for the check of the upload. Deleted when the upload ends.
create table upload_chunk (
  org_id uuid not null,
  upload_id uuid not null,
  number integer not null,
  bytes bytea not null,
  primary key (org_id, upload_id, number)
);

-- The problems that the check of an upload found, which people list.
create table upload_problem (
  org_id uuid not null,
  upload_id uuid not null,
  number integer not null,
  row_number integer not null,
  column_name text not null,
  value text not null,
  message text not null,
  -- Clients translate the message by these.
  code text not null,
  message_values jsonb not null,
  primary key (org_id, upload_id, number)
);

-- The mapping of the last applied upload of an app, suggested for the next. The target of people is the organization.
create table upload_mapping (
  org_id uuid not null,
  target_id uuid not null,
  mapping jsonb not null,
  headers text[] not null,
  -- The accounts in the order of the file, as in `upload`, to recognize that the next one was cut off.
  account_order bytea,
  saved_at timestamptz not null default now(),
  primary key (org_id, target_id)
);

-- connectors -----------------------------------------------------------------------------------------------------------------

-- The connectors that the server runs itself (docs/guides/managed-connectors.md), at most one for each app.
create table connector (
  org_id uuid not null,
  app_id uuid not null,
  type text not null,
  -- The YAML text of a type that needs one.
  definition text,
  -- The settings that are not secret, by name.
  settings jsonb not null,
  -- The settings that the definition has, in JSON Schema, with its resource types and actions. Null: those of the type.
  described jsonb,
  schedule jsonb,
  paused boolean not null default false,
  carries_out_tasks boolean not null default false,
  -- The person for whom runs act: the last one who changed the connector.
  acts_for uuid not null,
  next_sync_at timestamptz,
  -- When pending tasks may start a run again.
  next_tasks_at timestamptz not null default now(),
  -- Since when the schedule counts, to find out whether a sync is overdue.
  scheduled_since timestamptz,
  last_success_at timestamptz,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  primary key (org_id, app_id)
);

-- The secret settings of connectors, for their runs.
create table connector_secret (
  org_id uuid not null,
  app_id uuid not null,
  name text not null,
  sealed text not null,
  set_at timestamptz not null default now(),
  primary key (org_id, app_id, name)
);

-- The runs of connectors, which nodes take, and people list for each app.
create table connector_run (
  org_id uuid not null,
  -- A UUID of version 7, so that runs sort by time.
  id uuid not null default uuidv7(),
  app_id uuid not null,
  kind text not null check (kind in ('sync', 'tasks', 'test', 'preview')),
  state text not null default 'queued'
    check (state in ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'timed_out', 'lost')),
  -- Null: the schedule or pending tasks started it.
  requested_by uuid,
  -- Whether a person has accepted the removals of a sync, which the guard of its connector had stopped.
  accepts_removals boolean not null default false,
  -- The node that runs it. After leased_until, the node has died.
  node uuid,
  leased_until timestamptz,
  key_id uuid,
  cancel_requested_at timestamptz,
  queued_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  -- The report of a sync or a task batch.
  counts jsonb,
  error text,
  -- The kind of the error: credentials_refused or unreachable.
  problem text,
  log text,
  -- The findings of a test or a preview.
  result jsonb,
  primary key (org_id, id),
  check ((state in ('queued', 'running')) = (ended_at is null))
);
-- No two runs of a kind at the same time, and the runs of all organizations that nodes take.
create unique index connector_run_unfinished on connector_run (org_id, app_id, kind) where ended_at is null;
-- The newest runs of an app.
create index connector_run_of_app on connector_run (org_id, app_id, id);

-- requests -------------------------------------------------------------------------------------------------------------------
--
-- Requests for access, their approvals and their outcomes (protocol 2.10, protocol 13, D33). The API calls a request a ticket.

-- The newest request number of each organization. It is incremented in the transaction that creates the request, so
-- numbers have no gaps or duplicates.
create table ticket_number (
  org_id uuid primary key references organization (id),
  last_number bigint not null
);

-- The requests, which requesters and approvers list, and provisioning carries out.
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
  -- The id of the account that the approved request will create (D47). Requests of one person for one app share it.
  reserved_account_id uuid,
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
  -- A sentence {code, values, text} about the result. Null if the status says it all.
  outcome jsonb,
  created_at timestamptz not null default clock_timestamp(),
  decided_at timestamptz,
  reassigned_at timestamptz,
  -- escalation_level counts for the step in escalation_step only: 1 adds the managers of the approvers, 2 the next in line.
  escalation_step integer,
  escalation_level integer,
  escalated_at timestamptz,
  -- Of the step that waits: {by, at, comment}. An answer clears it and adds to the seconds that escalation does not count.
  information_requested jsonb,
  paused_step integer,
  paused_seconds double precision,
  primary key (org_id, id),
  unique (org_id, number),
  constraint ticket_account_check check (account_id is not null or reserved_account_id is not null),
  foreign key (org_id, app_id) references app (org_id, id),
  foreign key (org_id, user_id) references platform_user (org_id, id),
  foreign key (org_id, requester_id) references platform_user (org_id, id),
  foreign key (org_id, created_by) references platform_user (org_id, id),
  foreign key (org_id, account_id) references account (org_id, id)
);
-- The requests for an app.
create index ticket_app on ticket (org_id, app_id, number);
-- The requests for a person, also those that have reserved an account id in an app.
create index ticket_user on ticket (org_id, user_id, number);
-- The requests that a person made.
create index ticket_requester on ticket (org_id, requester_id, number);
-- The requests with a status.
create index ticket_status on ticket (org_id, status, number);
-- The requests whose steps name a person.
create index ticket_named on ticket using gin (named);
-- The pending requests of all organizations that expire.
create index ticket_pending on ticket (created_at) where status = 'PENDING';
-- The pending requests that were escalated, which more people may decide.
create index ticket_escalated on ticket (org_id, id) where status = 'PENDING' and escalation_level is not null;

-- The requested groups and licenses.
create table ticket_entitlement (
  org_id uuid not null,
  ticket_id uuid not null,
  entitlement_id uuid not null,
  -- As the requester saw it. Access with another name was not asked for. Empty for a placeholder (D18).
  name text not null,
  primary key (org_id, ticket_id, entitlement_id),
  foreign key (org_id, ticket_id) references ticket (org_id, id),
  foreign key (org_id, entitlement_id) references entitlement (org_id, id)
);

-- The decisions of approvers, which complete the steps of a request and stay as evidence.
create table ticket_approval (
  org_id uuid not null,
  ticket_id uuid not null,
  step integer not null,
  approver_id uuid not null,
  decision text not null check (decision in ('approved', 'denied')),
  -- An administrator decided in place of all approvers.
  override boolean not null,
  -- The absent or late approvers in whose place the approver decided.
  on_behalf_of uuid[],
  -- Why the approver was able to decide.
  via text,
  comment text not null,
  decided_at timestamptz not null default clock_timestamp(),
  primary key (org_id, ticket_id, step, approver_id),
  foreign key (org_id, ticket_id) references ticket (org_id, id),
  foreign key (org_id, approver_id) references platform_user (org_id, id)
);
-- The requests that a person has decided.
create index ticket_approval_approver on ticket_approval (org_id, approver_id, ticket_id);
-- Whether a decision names a person who is being deleted.
create index ticket_approval_on_behalf_of on ticket_approval using gin (on_behalf_of) where on_behalf_of is not null;

-- The comments on a request, and its questions, answers and handovers.
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
-- Whether a comment names a person who is being deleted.
create index ticket_comment_author on ticket_comment (org_id, author_id);

-- reviews --------------------------------------------------------------------------------------------------------------------

-- Access reviews: the periodic check of existing access (protocol 14).
create table review_campaign (
  org_id uuid not null references organization (id),
  id uuid not null default uuidv7(),
  -- The settings in the form that the API returns, among them name, scope, reviewer and schedule.
  settings jsonb not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- When a cycle was last due but had nothing to review.
  last_empty_at timestamptz,
  -- Deleting a campaign keeps its cycles, because they are evidence.
  deleted_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, created_by) references platform_user (org_id, id) on delete set null (created_by)
);

-- The cycles of a campaign. packages/server/src/decisions/reviews/campaigns/cycle.ts describes the states.
create table review_cycle (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  campaign_id uuid not null,
  status text not null default 'scheduled' check (status in ('scheduled', 'in_progress', 'completed')),
  -- When the cycle is due to open, or when its opening began.
  opens_at timestamptz not null,
  -- When the opening began. The cycle then gets its own copy of the campaign's settings, and its items.
  begun_at timestamptz,
  settings jsonb,
  opened_at timestamptz,
  due_at timestamptz,
  completed_at timestamptz,
  -- The progress of the opening, which goes through the accounts in order of their ids.
  last_account uuid,
  accounts_done integer not null default 0,
  accounts_total integer not null default 0,
  -- The people whom the condition does not decide: {count, people, reasons}, with the ids of at most 20 people (D65).
  undecided jsonb,
  -- The numbers of items and of decisions. They are updated under the lock of this row.
  items integer not null default 0,
  kept integer not null default 0,
  revoked integer not null default 0,
  primary key (org_id, id),
  foreign key (org_id, campaign_id) references review_campaign (org_id, id),
  check ((begun_at is null) = (settings is null))
);
-- A campaign has at most one waiting cycle.
create unique index review_cycle_waiting on review_cycle (org_id, campaign_id) where begun_at is null;
-- A campaign has at most one cycle that is opening or in progress.
create unique index review_cycle_open on review_cycle (org_id, campaign_id)
  where begun_at is not null and status <> 'completed';
-- The cycles of a campaign.
create index review_cycle_campaign on review_cycle (org_id, campaign_id, id);
-- The unfinished cycles of all organizations, for the scheduled jobs.
create index review_cycle_unfinished on review_cycle (status, org_id, id) where status <> 'completed';

-- The accounts, memberships and assignments that reviewers decide, as of the opening of the cycle. The names of apps, accounts
-- and people are copied, because evidence outlives them.
create table review_item (
  org_id uuid not null,
  cycle_id uuid not null,
  id uuid not null default uuidv7(),
  kind text not null check (kind in ('account', 'membership', 'assignment')),
  app_id uuid not null,
  app_name text not null,
  account_id uuid not null,
  account_email text not null,
  account_username text not null,
  user_id uuid,
  user_email text,
  user_name text,
  entitlement_id uuid,
  -- The slug, id and name of the entitlement. Null for an account.
  resource jsonb,
  since timestamptz not null,
  -- The grants in force then, and whether a sync found the access (D73).
  grants jsonb not null default '[]',
  found boolean not null default false,
  last_seen_at timestamptz,
  -- The people who can decide the item; one decision is enough. Empty: the administrators.
  reviewers uuid[] not null,
  -- People other than the reviewers who may decide.
  escalated_to uuid[],
  escalation_level integer,
  -- When the item was last handed over.
  assigned_at timestamptz,
  decision text check (decision in ('keep', 'revoke')),
  comment text,
  -- Null if the item is undecided, or if nobody decided it in time.
  decided_by uuid,
  -- The absent or late reviewers in whose place the reviewer decided.
  on_behalf_of uuid[],
  decided_at timestamptz,
  task_id uuid,
  -- For a revocation of access that something else gives: the id, slug, external id and name of what is removed instead.
  revoked_at jsonb,
  -- The same of what gives it, if that stays: the revocation was not carried out.
  kept_by jsonb,
  -- The access that the account would lose as well although a person keeps it, with the person. The revocation was not
  -- carried out for this reason.
  kept_for jsonb,
  -- Whether the person who revoked it chose to remove what gives it.
  at_giver boolean not null default false,
  -- Earlier decisions that were changed, oldest first.
  earlier jsonb not null default '[]',
  primary key (org_id, cycle_id, id),
  unique nulls not distinct (org_id, cycle_id, account_id, entitlement_id),
  foreign key (org_id, decided_by) references platform_user (org_id, id),
  check ((decision is null) = (decided_at is null)),
  check ((kind = 'account') = (entitlement_id is null))
);
-- One item without its cycle, for the history of access, which names the items that caused changes.
create index review_item_id on review_item (org_id, id);
-- The undecided items of a cycle.
create index review_item_undecided on review_item (org_id, cycle_id, id) where decision is null;
-- The revocations of a cycle.
create index review_item_revoked on review_item (org_id, cycle_id, id) where decision = 'revoke';
-- The items of one person, in cycles with a million items.
create index review_item_user on review_item (org_id, cycle_id, user_id, id) where user_id is not null;
-- The items of one app, in cycles with a million items.
create index review_item_app on review_item (org_id, cycle_id, app_id, id);
-- The items of a reviewer.
create index review_item_reviewers on review_item using gin (reviewers);
-- The items that were escalated to a person.
create index review_item_escalated on review_item using gin (escalated_to) where escalated_to is not null;
-- The items of a cycle whose tasks end with a changed decision.
create index review_item_task on review_item (org_id, task_id) where task_id is not null;
-- When a group or license was last reviewed, for the list of all of them.
create index review_item_reviewed on review_item (org_id, entitlement_id, decided_at)
  where entitlement_id is not null and decided_by is not null;
-- Whether a decision names a person who is being deleted.
create index review_item_decided_by on review_item (org_id, decided_by) where decided_by is not null;
-- Whether a decision in place of others names a person who is being deleted.
create index review_item_on_behalf_of on review_item using gin (on_behalf_of) where on_behalf_of is not null;

-- holds ----------------------------------------------------------------------------------------------------------------------

-- The windows of the guards of people and groups (D78): how many people a client has deactivated in a day, or how many members a group of
-- people has lost in an hour. Above the limit, the window is a hold until somebody decides. A decided hold stays; the next change begins
-- another window.
create table hold_window (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  kind text not null check (kind in ('people', 'group', 'app')),
  -- Whose changes are counted: the API key, the organization for imports, or the group. Or the app whose tasks exceed its daily budget.
  subject uuid not null,
  -- The client that made the changes; for a group, the one that reached the limit. Null: a signed-in person.
  client_type text check (client_type in ('scim', 'import', 'api_key')),
  -- The API key, or the person who imported.
  client_id uuid,
  -- When the hold began, since a group can be deleted.
  group_name text,
  started_at timestamptz not null,
  -- The active people of the client, or the members of the group, when the window began. Or the accounts of the app.
  total integer not null,
  -- How many of them the window has. For an app, the accounts about whose tasks somebody has decided.
  count integer not null default 0,
  -- The base: the people of `total` who were there at this time, one length of the window before it began, and how many of them the window
  -- has. People who came later do not lower the share of the others. Null for an app.
  base_at timestamptz,
  base_total integer not null default 0,
  base_count integer not null default 0,
  -- The limit when it became a hold.
  percent double precision,
  held_at timestamptz,
  decided_at timestamptz,
  -- No foreign key: people can be deleted, and holds stay.
  decided_by uuid,
  decision text check (decision in ('confirmed', 'discarded')),
  reason text,
  -- When everything that had waited was released or canceled.
  settled_at timestamptz,
  primary key (org_id, id)
) with (fillfactor = 50);
-- A client or a group has one window at a time.
create unique index hold_window_present on hold_window (org_id, kind, subject) where decided_at is null;
-- The decided holds for whose tasks the worker looks.
create index hold_window_unsettled on hold_window (org_id) where decided_at is not null and settled_at is null;
-- Lists of holds.
create index hold_window_held on hold_window (org_id, id) where held_at is not null;

-- The people of a window. A row goes when the person is active, or in the group, again. No foreign keys: people can be deleted.
create table hold_change (
  org_id uuid not null,
  window_id uuid not null,
  user_id uuid not null,
  -- The person was deactivated or deleted, left the group, lost their email to a successor, or is the successor, who does not count.
  type text not null check (type in ('left', 'succeeded', 'successor')),
  at timestamptz not null,
  -- When the person had joined the group (person_group_member).
  joined_at timestamptz,
  -- Whether the person belongs to the base of the window.
  in_base boolean not null,
  primary key (org_id, window_id, user_id)
);
-- The windows that have a person.
create index hold_change_person on hold_change (org_id, user_id);

-- The actions that policies hold back because of the changes of an open hold (D78): the people or accounts that triggered a policy, each with the
-- number of its tasks. The policy decides again when the hold is confirmed.
create table hold_firing (
  org_id uuid not null,
  hold_id uuid not null,
  policy_id uuid not null,
  subject uuid not null,
  tasks integer not null,
  primary key (org_id, hold_id, policy_id, subject)
);

-- policies -------------------------------------------------------------------------------------------------------------------

-- Policies, which create tasks automatically (protocol 15).
create table policy (
  org_id uuid not null references organization (id),
  id uuid not null default uuidv7(),
  name text not null check (length(name) between 1 and 255),
  trigger text not null check (trigger in
    ('user.created', 'user.updated', 'user.starts', 'user.ends', 'user.deactivated', 'user.reactivated', 'user.on_leave',
      'user.back', 'account.discovered', 'daily')),
  -- Days after the day of `user.starts` and `user.ends`, on which the policy acts (D85). Null for the other triggers.
  offset_days integer check (offset_days between -90 and 90),
  condition text not null,
  -- A list of {do, app, memberships, assignments}, with slugs and external ids as in request bodies.
  effects jsonb not null,
  -- An ISO 8601 duration. Null: no delay.
  delay text,
  -- Whether it decides again before each of its tasks runs (D74).
  recheck boolean not null default true,
  enabled boolean not null,
  -- The person who enabled it, whom its tasks name (protocol 2.11).
  enabled_by uuid,
  -- The people behind the decision that it does what it does: it gives them no access before somebody else confirms (D76).
  hands uuid[] not null default '{}',
  -- The policy acts only on events after this moment, the end of the log when it was last enabled.
  fires_after timestamptz not null,
  -- When a daily policy last ran, or was enabled. It is due on the next day in the time zone that the organization has then (D67).
  ran_at timestamptz not null,
  -- The last day in the organization's time zone on which a policy with offset_days acted, or was enabled. Days after it are still to come.
  days_until date not null default current_date,
  last_fired_at timestamptz,
  -- The number of tasks created or held at that time.
  last_fired_count integer,
  -- Those whom the condition did not decide in the last run: {count, people, reasons}, with the ids of at most 20 people (D65).
  undecided jsonb,
  -- The access that the last daily run left, because something else gives it: {count, kept}, with at most 20 (D68).
  kept jsonb,
  -- No foreign key: people can be deleted, and policies stay.
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  check ((offset_days is not null) = (trigger in ('user.starts', 'user.ends')))
);
-- The daily policies, of which the worker looks for those of all organizations that are due. It reads nothing but this index.
create index policy_daily on policy (org_id, ran_at) where enabled and trigger = 'daily';
-- The policies with days that are due.
create index policy_days on policy (org_id, days_until) where enabled and offset_days is not null;

-- The policies that were deleted while tasks of theirs were open: {trigger, condition, effects, delay, recheck, name}, with which they
-- decide about these tasks (D74).
create table deleted_policy (
  org_id uuid not null references organization (id),
  id uuid not null,
  definition jsonb not null,
  deleted_at timestamptz not null default clock_timestamp(),
  primary key (org_id, id)
);

-- How far an organization's policies have processed its event log. The row exists from the first policy on. Every
-- transaction that runs, changes or confirms policies of the organization locks it. The cursor advances in the
-- transaction that creates the tasks, so that an event triggers each policy exactly once, even after a crash.
create table policy_cursor (
  org_id uuid primary key references organization (id) on delete cascade,
  read_to timestamptz not null
) with (fillfactor = 50);

-- The queries that people saved. The owner, the recipients and the definition name what may be gone: the row of an owner goes with them.
create table saved_query (
  org_id uuid not null references organization (id),
  id uuid not null default uuidv7(),
  owner_id uuid not null,
  name text not null check (length(name) between 1 and 255),
  -- {subject, conditions, columns, sort}, as queries are checked (packages/server/src/insight/saved-queries/definition.ts).
  definition jsonb not null,
  -- Whether all owners, administrators and auditors see it.
  shared boolean not null default false,
  -- The schedule, in the time zone of the organization. Null: none.
  every text check (every in ('daily', 'weekly', 'monthly')),
  hour integer check (hour between 0 and 23),
  weekday integer check (weekday between 1 and 7),
  day integer check (day between 1 and 31),
  recipients uuid[],
  next_run_at timestamptz,
  last_run_at timestamptz,
  last_count bigint,
  -- Why Gatehouse ended the schedule. Null: it did not.
  stopped text check (stopped in ('owner_left', 'owner_may_not', 'no_recipients', 'query_invalid', 'too_slow', 'failed')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  check ((every is null) = (next_run_at is null)),
  check ((every is null) = (hour is null)),
  check ((every is not distinct from 'weekly') = (weekday is not null)),
  check ((every is not distinct from 'monthly') = (day is not null))
);
-- The runs that are due.
create index saved_query_due on saved_query (next_run_at) where next_run_at is not null;

-- A fault of an organization: one row for each kind and subject. It is resolved when it is over, and open again when it comes back. No
-- foreign keys: subjects can be deleted, and the next evaluation resolves what is about them.
create table finding (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  kind text not null,
  subject_type text not null,
  subject_id uuid not null,
  -- The app that it concerns. Null: none, or several.
  app_id uuid,
  -- The person whom it is about, for their manager.
  user_id uuid,
  severity text not null check (severity in ('low', 'medium', 'high', 'critical')),
  -- Of its sentence.
  "values" jsonb not null,
  assignee_id uuid,
  -- When it began for the first time, and when it began last.
  since timestamptz not null,
  opened_at timestamptz not null,
  resolved_at timestamptz,
  accepted_until timestamptz,
  accepted_by uuid,
  reason text,
  primary key (org_id, id),
  check ((accepted_until is null) = (reason is null))
);
create unique index finding_subject on finding (org_id, kind, subject_id);
-- The list of findings, and those of a kind.
create index finding_since on finding (org_id, since desc, id desc) where resolved_at is null;
create index finding_kind on finding (org_id, kind, since desc, id desc) where resolved_at is null;
-- The findings about something, those of an app, a person and an assignee.
create index finding_about on finding (org_id, subject_id);
create index finding_app on finding (org_id, app_id, since desc, id desc) where app_id is not null;
create index finding_person on finding (org_id, user_id) where user_id is not null;
create index finding_assignee on finding (org_id, assignee_id) where assignee_id is not null;
-- The list of accepted findings, and the acceptances that end.
create index finding_accepted on finding (org_id, since desc, id desc) where accepted_until is not null;
-- The list of resolved findings.
create index finding_resolved on finding (org_id, since desc, id desc) where resolved_at is not null;

-- By how many the findings of a kind that are not resolved grew on a day (UTC), for the curve of an organization.
create table finding_day (
  org_id uuid not null,
  kind text not null,
  day date not null,
  n bigint not null,
  primary key (org_id, kind, day)
);

-- How far an organization's findings follow its event log. Every evaluation locks it.
create table finding_cursor (
  org_id uuid primary key,
  read_to timestamptz not null,
  -- All findings are to be looked for. Null: nobody has asked.
  asked_at timestamptz,
  -- When they were last looked for by the clock.
  checked_at timestamptz not null,
  -- The kinds for which all have been asked for. A new release has more.
  kinds text[] not null
) with (fillfactor = 50);

-- A run of a policy that exceeds the organization's task limit, or whose condition names a group that was renamed or
-- deleted (D65). It is held until a person confirms it. Its tasks are
-- then created in batches.
create table policy_firing (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  policy_id uuid not null,
  -- The people or accounts that triggered the policy. Null for a daily policy: everyone.
  subjects uuid[],
  -- The number of tasks that it would have created when it was held.
  count integer not null,
  -- {kind, group_id, from, to} of the group. Null: the run exceeds the limit.
  because jsonb,
  held_at timestamptz not null default clock_timestamp(),
  confirmed_at timestamptz,
  confirmed_by uuid,
  -- The people behind the confirmation, who get no access by it.
  hands uuid[] not null default '{}',
  -- The progress of a confirmed run: the current stage (people or accounts), and the last id that it has processed.
  stage smallint not null default 0,
  after_id uuid,
  created integer not null default 0,
  primary key (org_id, id),
  foreign key (org_id, policy_id) references policy (org_id, id) on delete cascade
);
-- A policy has at most one held run.
create unique index policy_firing_held on policy_firing (org_id, policy_id) where confirmed_at is null;
-- The confirmed runs whose tasks are being created.
create index policy_firing_released on policy_firing (org_id, confirmed_at) where confirmed_at is not null;
-- The runs of a policy, which people see with it and which are deleted with it.
create index policy_firing_policy on policy_firing (org_id, policy_id);

-- The first and last days of people for which a policy has fired: once for each (D85).
create table policy_day (
  org_id uuid not null,
  policy_id uuid not null,
  user_id uuid not null,
  day date not null,
  primary key (org_id, policy_id, user_id, day),
  foreign key (org_id, policy_id) references policy (org_id, id) on delete cascade
);
-- The days of a person, which go with them.
create index policy_day_user on policy_day (org_id, user_id);

-- The last time that one of two policies undid for somebody what the other had done (D77). Within seven days, and if their conditions read the
-- same, the second time holds both policies for them.
create table policy_undo (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  -- The person, or the account of nobody.
  subject_id uuid not null,
  app_id uuid not null,
  -- The group or license. Null: the account itself.
  entitlement_id uuid,
  -- Both policies, the older first.
  policy_id uuid not null,
  with_policy_id uuid not null,
  -- When it takes effect.
  at timestamptz not null,
  -- Digest of the attributes of the subject that both conditions read.
  digest text not null,
  -- Since when both policies are held for the subject. Null: they are not.
  held_at timestamptz,
  -- The policies whose held runs have the subject only because of that.
  waits uuid[] not null default '{}',
  primary key (org_id, id),
  foreign key (org_id, policy_id) references policy (org_id, id) on delete cascade,
  foreign key (org_id, with_policy_id) references policy (org_id, id) on delete cascade
);
-- One row for two policies and what they do to somebody.
create unique index policy_undo_subject
  on policy_undo (org_id, subject_id, app_id, entitlement_id, policy_id, with_policy_id) nulls not distinct;
-- The rows of a policy, which are deleted with it or its changes.
create index policy_undo_policy on policy_undo (org_id, policy_id);
create index policy_undo_with on policy_undo (org_id, with_policy_id);

-- The policy settings of an organization, for its runs. An organization without a row has the defaults.
create table policy_settings (
  org_id uuid primary key references organization (id) on delete cascade,
  -- The number of tasks that a policy can create in one go without confirmation.
  task_limit integer not null check (task_limit > 0)
);

-- A list of the tasks that a policy would create, which a job writes and which expires. `status` is running until all
-- tasks have been written, and failed if the job has given up.
create table policy_preview (
  org_id uuid not null references organization,
  id uuid not null default uuidv7(),
  policy_id uuid not null,
  status text not null default 'running' check (status in ('running', 'completed', 'failed')),
  counts jsonb not null,
  -- {count, people, reasons} of those whom the condition does not decide, with the ids of at most 20 people (D65).
  undecided jsonb,
  -- How many of the people concerned have not started. Set when the list is complete.
  not_started integer,
  -- The accesses that it does not give, because somebody took them away: {count, entries}, with at most 20 (D73).
  missing jsonb,
  created_at timestamptz not null default clock_timestamp(),
  primary key (org_id, id),
  foreign key (org_id, policy_id) references policy on delete cascade
);
-- The expired previews of all organizations.
create index policy_preview_age on policy_preview (created_at);

-- The tasks of a preview, of which people list pages.
create table policy_preview_task (
  org_id uuid not null,
  preview_id uuid not null,
  number integer not null,
  task jsonb not null,
  primary key (org_id, preview_id, number),
  foreign key (org_id, preview_id) references policy_preview on delete cascade
);

-- fulfillment ----------------------------------------------------------------------------------------------------------------

-- How people carry out the tasks of an app, for assignments.
create table fulfillment_setting (
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

-- The people and groups who carry out the tasks of an app.
create table fulfiller (
  org_id uuid not null,
  app_id uuid not null,
  kind text not null check (kind in ('person', 'group')),
  member_id uuid not null,
  primary key (org_id, app_id, kind, member_id)
);
-- The apps of a person or a group that is deleted or merged.
create index fulfiller_member on fulfiller (org_id, member_id);

-- The latest assignment of each task, for its assignee. A row stays after its task has ended.
create table fulfillment_assignment (
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
-- Whose turn it is in an app.
create index fulfillment_assignment_turn on fulfillment_assignment (org_id, app_id, assignee_id, assigned_at);
-- The tasks of an assignee.
create index fulfillment_assignment_assignee on fulfillment_assignment (org_id, assignee_id);

-- Files that fulfillers attach to tasks; a daily job deletes both parts after their retention.
create table fulfillment_attachment (
  org_id uuid not null,
  id uuid not null,
  task_id uuid not null,
  name text not null,
  size integer not null check (size between 1 and 10485760),
  -- In hexadecimal.
  sha256 text not null,
  uploaded_by uuid not null,
  uploaded_at timestamptz not null,
  primary key (org_id, id)
);
-- The files of a task.
create index fulfillment_attachment_task on fulfillment_attachment (org_id, task_id);
-- The files that are old enough to delete.
create index fulfillment_attachment_age on fulfillment_attachment (org_id, uploaded_at);

-- A file in chunks of up to 256 KiB, so that a download does not hold all of it.
create table fulfillment_attachment_chunk (
  org_id uuid not null,
  attachment_id uuid not null,
  position integer not null,
  bytes bytea not null,
  primary key (org_id, attachment_id, position)
);

-- restore --------------------------------------------------------------------------------------------------------------------

-- Plans to bring access back to what it was. A plan is kept when it is shown, so that applying it can tell what has
-- changed since. Plans that nobody applies are deleted after a week.
create table access_restore (
  org_id uuid not null references organization,
  id uuid not null default uuidv7(),
  created_by uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  -- The people, accounts or app that it concerns, the time, and whether it includes access that is only possible.
  input jsonb not null,
  -- The tasks that it creates.
  tasks jsonb not null,
  applied_at timestamptz,
  primary key (org_id, id)
);
-- The plans that nobody has applied in a week.
create index access_restore_open on access_restore (org_id, created_at) where applied_at is null;

-- notifications --------------------------------------------------------------------------------------------------------------

-- How far the notifications of an organization have read its log, and when they last looked for what becomes due.
create table notification_cursor (
  org_id uuid primary key,
  read_to timestamptz not null,
  scanned_at timestamptz not null default '-infinity',
  -- When an event last made another look necessary, or the current look began. Null: the last look is complete.
  scan_asked_at timestamptz
);

-- A person's choices, for each notification. Null and missing kinds: the default.
create table notification_preference (
  org_id uuid not null,
  user_id uuid not null,
  time_zone text,
  language text,
  -- Local times such as 22:00. Both or neither.
  quiet_from text,
  quiet_to text,
  digest_hour integer not null default 8 check (digest_hour between 0 and 23),
  kinds jsonb not null default '{}',
  primary key (org_id, user_id),
  check ((quiet_from is null) = (quiet_to is null))
);

-- An incoming webhook of Slack or Microsoft Teams.
create table notification_channel (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  type text not null check (type in ('slack', 'teams')),
  name text not null,
  -- Encrypted: whoever knows it can post.
  sealed_url text not null,
  host text not null,
  -- Only what concerns this app. Null: all apps.
  app_id uuid,
  kinds text[] not null,
  -- Whether everybody in the channel may read the reasons that people give for their requests.
  show_reasons boolean not null default false,
  enabled boolean not null default true,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (org_id, id)
);

-- A message to one person, for the console's inbox and email, or to one channel. `dedupe_key` names its reason: an event, or a
-- date of a review, a key or a request.
create table notification (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  user_id uuid,
  channel_id uuid,
  kind text not null,
  dedupe_key text not null,
  -- The thing that its reader must be allowed to see.
  about_type text,
  about_id uuid,
  title text not null,
  body text not null,
  -- A path in the console.
  path text not null,
  -- False: the person was deactivated, or the message is sent by email only.
  in_inbox boolean not null,
  created_at timestamptz not null default clock_timestamp(),
  read_at timestamptz,
  primary key (org_id, id),
  check (num_nonnulls(user_id, channel_id) = 1)
);
-- A person is told of each reason once.
create unique index notification_once on notification (org_id, user_id, dedupe_key) where user_id is not null;
-- A channel is told of each reason once.
create unique index notification_channel_once on notification (org_id, channel_id, dedupe_key) where channel_id is not null;
-- The people who were told of a thing, so that they are not told again.
create index notification_about on notification (org_id, about_id) where about_id is not null;
-- The inbox of a person, newest first.
create index notification_inbox on notification (org_id, user_id, id desc);
-- The number of unread notifications.
create index notification_unread on notification (org_id, user_id) where read_at is null and in_inbox;

-- How one message goes out on one medium. An email can carry several: those with the same message_id.
create table notification_delivery (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  notification_id uuid not null,
  medium text not null check (medium in ('inbox', 'email', 'slack', 'teams')),
  user_id uuid,
  channel_id uuid,
  kind text not null,
  -- skipped: it is not sent, for the reason in last_error.
  state text not null check (state in ('waiting', 'sent', 'failed', 'skipped')),
  due_at timestamptz not null default clock_timestamp(),
  -- It belongs to the daily digest.
  digest boolean not null default false,
  message_id uuid,
  attempts integer not null default 0,
  sent_at timestamptz,
  last_error text,
  created_at timestamptz not null default clock_timestamp(),
  primary key (org_id, id)
);
-- The deliveries to a person, newest first.
create index notification_delivery_user on notification_delivery (org_id, user_id, id desc);
-- The deliveries that an email or a post carries.
create index notification_delivery_message on notification_delivery (org_id, message_id) where message_id is not null;
-- The deliveries that are due and not yet part of an email or a post.
create index notification_delivery_due on notification_delivery (org_id, due_at)
  where state = 'waiting' and message_id is null;

-- An email or a post that is being sent: once it has its deliveries, they stay the same, so that a repetition is the same email.
create table notification_message (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  medium text not null check (medium in ('email', 'slack', 'teams')),
  user_id uuid,
  channel_id uuid,
  -- It contains a security notice or a sign-in link, and is sent before all others.
  urgent boolean not null default false,
  -- Each claim adds one. A node that reports about an earlier attempt is ignored.
  attempts integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  next_attempt_at timestamptz not null default clock_timestamp(),
  -- The node that sends it now has until then.
  leased_until timestamptz,
  -- It was sent, or there are no further attempts.
  ended_at timestamptz,
  primary key (org_id, id)
);
-- The messages to send next.
create index notification_message_due on notification_message (org_id, urgent desc, next_attempt_at) where ended_at is null;
-- The recent emails to a person, whose number is limited.
create index notification_message_user on notification_message (org_id, user_id, created_at);

-- staging --------------------------------------------------------------------------------------------------------------------
--
-- The relations through which the steps of a publication, a plan or a revert hand rows to each other, for a cluster: Citus does
-- not join temporary tables with distributed ones (ADR 16). inventory/records/publication/relations.ts and inventory/records/revert/relations.ts
-- describe them; only queries/relations.ts reads and writes these tables. Each run deletes its rows before it commits. They are logged:
-- otherwise Citus could not move them while they are written.

create schema staging;
-- All pushed accounts.
create table staging.staged_record (
  org_id uuid not null,
  run_id uuid not null,
  resource_type_id uuid not null,
  external_id text collate "C" not null,
  page bigint not null,
  place integer not null,
  digest uuid
);
-- The pushed accounts that the inventory has as they were pushed.
create table staging.unchanged_account (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  page bigint not null,
  place integer not null
);
-- The other pushed accounts.
create table staging.changed_record (
  org_id uuid not null,
  run_id uuid not null,
  resource_type_id uuid not null,
  external_id text collate "C" not null,
  page bigint not null,
  place integer not null,
  digest uuid
);
-- The other pushed accounts, with their fields.
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
-- Pushed groups and licenses, and placeholders.
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
  risk text,
  owner_email text,
  pushed boolean not null
);
-- References from pushed accounts to groups and licenses.
create table staging.staged_reference (
  org_id uuid not null,
  run_id uuid not null,
  page bigint not null,
  place integer not null,
  resource_type_id uuid not null,
  external_id text collate "C" not null,
  name text,
  via_type_id uuid,
  via_external_id text collate "C"
);
-- The pushed accounts, with the ids of the inventory.
create table staging.pushed_account (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  page bigint not null,
  place integer not null,
  unchanged boolean not null
);
-- The pushed memberships, with the ids of the inventory.
create table staging.pushed_membership (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  entitlement_id uuid not null,
  via_id uuid
);
-- Accounts that the publication inserted or updated.
create table staging.changed_account (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  old_status text,
  new_status text not null,
  email_changed boolean not null
);
-- New details of accounts.
create table staging.changed_detail (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  last_sign_in_at timestamptz,
  owner_email text,
  attributes jsonb,
  is_own boolean not null,
  mfa_enabled boolean,
  digest uuid not null
);
-- Accounts whose kind or owner has changed with the pushed owner.
create table staging.changed_owner (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  old_kind text not null,
  new_kind text not null,
  old_owner uuid,
  new_owner uuid,
  named_email text
);
-- Accounts whose pushed status ends their access.
create table staging.ended_access (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  former text not null,
  status text not null
);
-- New memberships.
create table staging.added_membership (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  entitlement_id uuid not null
);
-- Memberships that a pushed account no longer has.
create table staging.dropped_membership (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  entitlement_id uuid not null
);
-- Groups and licenses whose members the connector may not read.
create table staging.unreadable_entitlement (
  org_id uuid not null,
  run_id uuid not null,
  entitlement_id uuid not null
);
-- Memberships of them that stay although their accounts were pushed without them.
create table staging.kept_membership (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  entitlement_id uuid not null
);
-- Accounts that the cleanup removed.
create table staging.removed_account (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  old_status text,
  new_status text not null
);
-- Memberships that the cleanup removed.
create table staging.removed_membership (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  entitlement_id uuid not null
);
-- A plan: pending accounts, with the ids under which they were pushed.
create table staging.adopted_account (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  resource_type_id uuid not null,
  external_id text collate "C" not null
);
-- A plan: the pushed accounts.
create table staging.planned_account (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid,
  page bigint not null,
  place integer not null,
  unchanged boolean not null
);
-- A plan: all groups and licenses of the app as they would be.
create table staging.planned_entitlement (
  org_id uuid not null,
  run_id uuid not null,
  entitlement_id uuid,
  resource_type_id uuid not null,
  external_id text collate "C" not null,
  name text not null
);
-- A plan: accounts that were not pushed.
create table staging.stale_account (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null
);
-- A plan: memberships that would be lost.
create table staging.lost_membership (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  entitlement_id uuid not null
);
-- A plan: the changes that it shows.
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
-- A revert: accounts whose state the session changed.
create table staging.revert_state (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  undo text not null,
  former_id uuid,
  conflict text
);
-- A revert: links that the session changed, and the person before.
create table staging.revert_link (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  user_id uuid,
  conflict text
);
-- A revert: memberships that the session added or removed.
create table staging.revert_membership (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  entitlement_id uuid not null,
  period_id uuid,
  conflict text
);
-- A revert: groups and licenses that the session created, renamed or removed.
create table staging.revert_entitlement (
  org_id uuid not null,
  run_id uuid not null,
  entitlement_id uuid not null,
  undo text not null,
  former_id uuid
);
-- A revert: accounts whose state was brought back.
create table staging.reverted_account (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  old_status text,
  new_status text not null
);
-- A revert: memberships that came back.
create table staging.returned_membership (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  entitlement_id uuid not null
);
-- A revert: memberships that were taken away.
create table staging.withdrawn_membership (
  org_id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  entitlement_id uuid not null
);
