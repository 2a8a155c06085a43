-- What migrations/ leads to, written by `npm run schema`. To be read and diffed, never run.

CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;

COMMENT ON EXTENSION pg_trgm IS 'text similarity measurement and index searching based on trigrams';

CREATE FUNCTION public.append_events(org uuid, types text[], occurred timestamp with time zone[], actors uuid[], ips text[], subjects uuid[], heads text[], tails text[]) RETURNS integer
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.begin_event_log() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform ensure_event_partitions();
  insert into event_head (org_id) values (new.id);
  insert into event_cursor_key (org_id, key_id, secret) values (new.id, 1, new_event_cursor_secret());
  return null;
end $$;

CREATE FUNCTION public.count_accounts() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if tg_op <> 'INSERT' then
    insert into account_count (org_id, app_id, status, linked, n)
    select org_id, app_id, status, user_id is not null, -count(*) from old_rows group by 1, 2, 3, 4;
  end if;
  if tg_op <> 'DELETE' then
    insert into account_count (org_id, app_id, status, linked, n)
    select org_id, app_id, status, user_id is not null, count(*) from new_rows group by 1, 2, 3, 4;
  end if;
  return null;
end $$;

CREATE FUNCTION public.ensure_event_partitions(first_month date DEFAULT NULL::date) RETURNS integer
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.event_lag(occurred_at timestamp with time zone, ingested_at timestamp with time zone) RETURNS smallint
    LANGUAGE sql STABLE
    AS $$
  select case
    when occurred_at = ingested_at then 0
    when occurred_at >= ingested_at - interval '1 second' then 1
    when occurred_at >= ingested_at - interval '1 minute' then 2
    when occurred_at >= ingested_at - interval '1 hour' then 3
    when occurred_at >= ingested_at - interval '24 hours' then 4
    else 5 end::smallint;
$$;

CREATE FUNCTION public.fold_account_counts() RETURNS void
    LANGUAGE sql
    AS $$
  with taken as (delete from account_count returning *)
  insert into account_count (org_id, app_id, status, linked, n)
  select org_id, app_id, status, linked, sum(n) from taken group by 1, 2, 3, 4 having sum(n) <> 0;
$$;

CREATE FUNCTION public.new_event_cursor_secret() RETURNS bytea
    LANGUAGE sql
    AS $$
  select uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
$$;

CREATE FUNCTION public.refuse_event_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'The event log is append-only.';
end $$;

CREATE FUNCTION public.take_turn(ids text[], limits integer[], length interval) RETURNS TABLE(passes boolean, remaining integer, seconds double precision)
    LANGUAGE plpgsql
    AS $$
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

CREATE TABLE public.ticket (
    org_id uuid NOT NULL,
    id uuid DEFAULT uuidv7() NOT NULL,
    number bigint NOT NULL,
    label text NOT NULL,
    type text NOT NULL,
    status text DEFAULT 'PENDING'::text NOT NULL,
    app_id uuid NOT NULL,
    user_id uuid NOT NULL,
    requester_id uuid NOT NULL,
    created_by uuid NOT NULL,
    account_id uuid,
    start_time timestamp with time zone,
    end_time timestamp with time zone,
    initial_comment text NOT NULL,
    steps jsonb NOT NULL,
    fallback_approvers uuid[],
    named uuid[] NOT NULL,
    step integer DEFAULT 0 NOT NULL,
    outcome text,
    moved_tasks uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    decided_at timestamp with time zone,
    CONSTRAINT ticket_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'APPROVED'::text, 'REJECTED'::text, 'EXPIRED'::text, 'CANCELED'::text]))),
    CONSTRAINT ticket_type_check CHECK ((type = ANY (ARRAY['NEW_ACCESS'::text, 'MODIFY_ACCESS'::text, 'EXTEND_ACCESS'::text])))
);

CREATE FUNCTION public.ticket_approvers(t public.ticket) RETURNS TABLE(user_id uuid, via text)
    LANGUAGE sql STABLE
    AS $$
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

CREATE FUNCTION public.wake_tasks() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  update task set waits_for = null
  where org_id = new.org_id and account_id = new.id and status = 'scheduled' and waits_for = 'external_id';
  return null;
end $$;

CREATE TABLE public.account (
    org_id uuid NOT NULL,
    id uuid DEFAULT uuidv7() NOT NULL,
    app_id uuid NOT NULL,
    resource_type_id uuid NOT NULL,
    external_id text COLLATE pg_catalog."C",
    email text DEFAULT ''::text NOT NULL,
    username text DEFAULT ''::text NOT NULL,
    first_name text DEFAULT ''::text NOT NULL,
    last_name text DEFAULT ''::text NOT NULL,
    display_name text DEFAULT ''::text NOT NULL,
    status text NOT NULL,
    removed_at timestamp with time zone,
    tasked_at timestamp with time zone,
    seen_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    user_id uuid,
    user_linked_by_hand boolean DEFAULT false NOT NULL,
    CONSTRAINT account_status_check CHECK ((status = ANY (ARRAY['NEW'::text, 'INVITED'::text, 'ACTIVE'::text, 'SUSPENDED'::text, 'INACTIVE'::text])))
);

CREATE TABLE public.account_count (
    org_id uuid NOT NULL,
    app_id uuid NOT NULL,
    status text NOT NULL,
    n bigint NOT NULL,
    linked boolean NOT NULL
);

CREATE TABLE public.api_key (
    org_id uuid NOT NULL,
    id uuid DEFAULT uuidv7() NOT NULL,
    name text NOT NULL,
    key_hash bytea NOT NULL,
    scopes text[] NOT NULL,
    all_apps boolean NOT NULL,
    created_by uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone
);

CREATE TABLE public.api_key_app (
    org_id uuid NOT NULL,
    key_id uuid NOT NULL,
    app_id uuid NOT NULL
);

CREATE TABLE public.api_key_use (
    org_id uuid NOT NULL,
    api_key_id uuid NOT NULL,
    client text NOT NULL COLLATE pg_catalog."C",
    recorded_at timestamp with time zone NOT NULL
);

CREATE TABLE public.app (
    org_id uuid NOT NULL,
    id uuid DEFAULT uuidv7() NOT NULL,
    name text NOT NULL,
    clone_group_id uuid NOT NULL,
    configuration_status text DEFAULT 'CHECKING_CONFIGURATION'::text NOT NULL,
    disconnected_by_administrator boolean DEFAULT false NOT NULL,
    owner_id uuid,
    removal_guard jsonb DEFAULT '{"percent": 30, "at_least": 100}'::jsonb,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_synced_at timestamp with time zone,
    archived_at timestamp with time zone,
    approval_steps jsonb DEFAULT '[{"require": "any", "approvers": "app_owner"}]'::jsonb NOT NULL,
    fallback_approvers uuid[],
    CONSTRAINT app_configuration_status_check CHECK ((configuration_status = ANY (ARRAY['CHECKING_CONFIGURATION'::text, 'CONNECTED'::text, 'DISCONNECTED'::text]))),
    CONSTRAINT app_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255)))
);

CREATE TABLE public.connection_request (
    org_id uuid NOT NULL,
    id uuid DEFAULT uuidv7() NOT NULL,
    app_name text NOT NULL,
    reason text NOT NULL,
    requester_id uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT connection_request_app_name_check CHECK (((length(app_name) >= 1) AND (length(app_name) <= 255)))
);

CREATE TABLE public.entitlement (
    org_id uuid NOT NULL,
    id uuid DEFAULT uuidv7() NOT NULL,
    app_id uuid NOT NULL,
    resource_type_id uuid NOT NULL,
    external_id text NOT NULL COLLATE pg_catalog."C",
    name text DEFAULT ''::text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    max_count bigint,
    used_count bigint,
    is_paid boolean,
    is_unlimited boolean,
    active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.event (
    org_id uuid NOT NULL,
    "position" bigint NOT NULL,
    ingested_at timestamp with time zone NOT NULL,
    event_id uuid NOT NULL,
    event_type text NOT NULL COLLATE pg_catalog."C",
    occurred_at timestamp with time zone NOT NULL,
    actor_uuid uuid,
    actor_ip text COLLATE pg_catalog."C",
    subject_uuid uuid NOT NULL,
    lag smallint NOT NULL,
    body text NOT NULL
)
PARTITION BY RANGE (ingested_at);

CREATE TABLE public.event_cursor_key (
    org_id uuid NOT NULL,
    key_id smallint NOT NULL,
    secret bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT event_cursor_key_key_id_check CHECK (((key_id >= 1) AND (key_id <= 255)))
);

CREATE TABLE public.event_head (
    org_id uuid NOT NULL,
    last_position bigint DEFAULT 0 NOT NULL,
    last_ingested_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    retained_from timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL
)
WITH (fillfactor='10', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='500');

CREATE TABLE public.event_log_origin (
    only_row boolean DEFAULT true NOT NULL,
    system_identifier text NOT NULL,
    timeline integer NOT NULL,
    CONSTRAINT event_log_origin_only_row_check CHECK (only_row)
);

CREATE TABLE public.membership (
    org_id uuid NOT NULL,
    account_id uuid NOT NULL,
    entitlement_id uuid NOT NULL,
    granted_at timestamp with time zone DEFAULT now() NOT NULL,
    tasked_at timestamp with time zone
);

CREATE TABLE public.organization (
    id uuid DEFAULT uuidv7() NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    event_retention_days integer,
    policy_task_limit integer DEFAULT 1000 NOT NULL,
    sign_in_secret text DEFAULT encode(sha256((((gen_random_uuid())::text || (gen_random_uuid())::text))::bytea), 'hex'::text) NOT NULL,
    CONSTRAINT organization_event_retention_days_check CHECK ((event_retention_days > 0)),
    CONSTRAINT organization_policy_task_limit_check CHECK ((policy_task_limit > 0)),
    CONSTRAINT organization_slug_check CHECK ((slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'::text))
);

CREATE TABLE public.platform_user (
    org_id uuid NOT NULL,
    id uuid DEFAULT uuidv7() NOT NULL,
    username text NOT NULL,
    email text NOT NULL,
    first_name text DEFAULT ''::text NOT NULL,
    last_name text DEFAULT ''::text NOT NULL,
    role text DEFAULT 'member'::text NOT NULL,
    status text DEFAULT 'active'::text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    identity_type text DEFAULT 'human'::text NOT NULL,
    domain_type text DEFAULT 'internal'::text NOT NULL,
    manager_id uuid,
    attributes jsonb DEFAULT '{}'::jsonb NOT NULL,
    start_date date,
    end_date date,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    two_factor_enabled boolean DEFAULT false NOT NULL,
    CONSTRAINT platform_user_domain_type_check CHECK ((domain_type = ANY (ARRAY['internal'::text, 'external'::text]))),
    CONSTRAINT platform_user_identity_type_check CHECK ((identity_type = ANY (ARRAY['human'::text, 'service_account'::text]))),
    CONSTRAINT platform_user_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'auditor'::text, 'member'::text]))),
    CONSTRAINT platform_user_status_check CHECK ((status = ANY (ARRAY['active'::text, 'deactivated'::text])))
);

CREATE TABLE public.policy (
    org_id uuid NOT NULL,
    id uuid DEFAULT uuidv7() NOT NULL,
    name text NOT NULL,
    trigger text NOT NULL,
    condition text NOT NULL,
    effects jsonb NOT NULL,
    delay text,
    enabled boolean NOT NULL,
    fires_after timestamp with time zone NOT NULL,
    ran_on date NOT NULL,
    last_fired_at timestamp with time zone,
    last_fired_count integer,
    created_by uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT policy_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255))),
    CONSTRAINT policy_trigger_check CHECK ((trigger = ANY (ARRAY['user.created'::text, 'user.updated'::text, 'user.deactivated'::text, 'user.reactivated'::text, 'account.discovered'::text, 'daily'::text])))
);

CREATE TABLE public.policy_cursor (
    org_id uuid NOT NULL,
    read_to timestamp with time zone NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE public.policy_firing (
    org_id uuid NOT NULL,
    id uuid DEFAULT uuidv7() NOT NULL,
    policy_id uuid NOT NULL,
    subjects uuid[],
    count integer NOT NULL,
    held_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    confirmed_at timestamp with time zone,
    confirmed_by uuid,
    stage smallint DEFAULT 0 NOT NULL,
    after_id uuid,
    created integer DEFAULT 0 NOT NULL
);

CREATE UNLOGGED TABLE public.rate_window (
    id text NOT NULL COLLATE pg_catalog."C",
    passed timestamp with time zone[] NOT NULL
)
WITH (fillfactor='40', toast_tuple_target='8160', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000');

CREATE TABLE public.resource_type (
    org_id uuid NOT NULL,
    id uuid DEFAULT uuidv7() NOT NULL,
    clone_group_id uuid NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    type text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT resource_type_slug_check CHECK ((slug ~ '^[A-Za-z0-9_-]{1,64}$'::text)),
    CONSTRAINT resource_type_type_check CHECK ((type = ANY (ARRAY['account'::text, 'group'::text, 'license'::text])))
);

CREATE TABLE public.review_campaign (
    org_id uuid NOT NULL,
    id uuid DEFAULT uuidv7() NOT NULL,
    settings jsonb NOT NULL,
    created_by uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    last_empty_at timestamp with time zone,
    deleted_at timestamp with time zone
);

CREATE TABLE public.review_cycle (
    org_id uuid NOT NULL,
    id uuid DEFAULT uuidv7() NOT NULL,
    campaign_id uuid NOT NULL,
    status text DEFAULT 'scheduled'::text NOT NULL,
    opens_at timestamp with time zone NOT NULL,
    begun_at timestamp with time zone,
    settings jsonb,
    opened_at timestamp with time zone,
    due_at timestamp with time zone,
    completed_at timestamp with time zone,
    last_account uuid,
    accounts_done integer DEFAULT 0 NOT NULL,
    accounts_total integer DEFAULT 0 NOT NULL,
    items integer DEFAULT 0 NOT NULL,
    kept integer DEFAULT 0 NOT NULL,
    revoked integer DEFAULT 0 NOT NULL,
    CONSTRAINT review_cycle_check CHECK (((begun_at IS NULL) = (settings IS NULL))),
    CONSTRAINT review_cycle_status_check CHECK ((status = ANY (ARRAY['scheduled'::text, 'in_progress'::text, 'completed'::text])))
);

CREATE TABLE public.review_item (
    org_id uuid NOT NULL,
    cycle_id uuid NOT NULL,
    id uuid DEFAULT uuidv7() NOT NULL,
    kind text NOT NULL,
    app_id uuid NOT NULL,
    app_name text NOT NULL,
    account_id uuid NOT NULL,
    account_email text NOT NULL,
    account_username text NOT NULL,
    user_id uuid,
    user_email text,
    user_name text,
    entitlement_id uuid,
    resource jsonb,
    since timestamp with time zone NOT NULL,
    granted_by jsonb,
    last_seen_at timestamp with time zone,
    reviewers uuid[] NOT NULL,
    decision text,
    comment text,
    decided_by uuid,
    decided_at timestamp with time zone,
    task_id uuid,
    earlier jsonb DEFAULT '[]'::jsonb NOT NULL,
    CONSTRAINT review_item_check CHECK (((decision IS NULL) = (decided_at IS NULL))),
    CONSTRAINT review_item_check1 CHECK (((kind = 'account'::text) = (entitlement_id IS NULL))),
    CONSTRAINT review_item_decision_check CHECK ((decision = ANY (ARRAY['keep'::text, 'revoke'::text]))),
    CONSTRAINT review_item_kind_check CHECK ((kind = ANY (ARRAY['account'::text, 'membership'::text, 'assignment'::text])))
);

CREATE TABLE public.schema_migration (
    name text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.sign_in_account (
    org_id uuid NOT NULL,
    id uuid DEFAULT uuidv7() NOT NULL,
    user_id uuid NOT NULL,
    provider_id text NOT NULL,
    account_id text NOT NULL,
    issuer text,
    password text,
    access_token text,
    refresh_token text,
    id_token text,
    access_token_expires_at timestamp with time zone,
    refresh_token_expires_at timestamp with time zone,
    scope text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.sign_in_attempt (
    org_id uuid NOT NULL,
    ip text NOT NULL,
    failures integer NOT NULL,
    since timestamp with time zone DEFAULT now() NOT NULL,
    blocked_until timestamp with time zone
);

CREATE TABLE public.sign_in_passkey (
    org_id uuid NOT NULL,
    id uuid DEFAULT uuidv7() NOT NULL,
    user_id uuid NOT NULL,
    name text,
    public_key text NOT NULL,
    credential_id text NOT NULL,
    counter bigint NOT NULL,
    device_type text NOT NULL,
    backed_up boolean NOT NULL,
    transports text,
    aaguid text,
    created_at timestamp with time zone DEFAULT now()
);

CREATE TABLE public.sign_in_provider (
    org_id uuid NOT NULL,
    id uuid DEFAULT uuidv7() NOT NULL,
    provider_id text NOT NULL,
    name text DEFAULT ''::text NOT NULL,
    issuer text NOT NULL,
    domain text DEFAULT ''::text NOT NULL,
    domain_verified boolean DEFAULT true NOT NULL,
    oidc_config text,
    saml_config text,
    user_id uuid,
    organization_id text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT sign_in_provider_check CHECK (((oidc_config IS NULL) <> (saml_config IS NULL)))
);

CREATE TABLE public.sign_in_session (
    org_id uuid NOT NULL,
    id uuid DEFAULT uuidv7() NOT NULL,
    user_id uuid NOT NULL,
    token text NOT NULL,
    signed_in_at timestamp with time zone,
    method text,
    provider text,
    second_factor boolean DEFAULT false NOT NULL,
    ip_address text,
    user_agent text,
    expires_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.sign_in_two_factor (
    org_id uuid NOT NULL,
    id uuid DEFAULT uuidv7() NOT NULL,
    user_id uuid NOT NULL,
    secret text NOT NULL,
    backup_codes text NOT NULL,
    verified boolean DEFAULT true NOT NULL,
    failed_verification_count integer DEFAULT 0 NOT NULL,
    locked_until timestamp with time zone,
    last_step bigint
);

CREATE VIEW public.sign_in_user AS
 SELECT org_id,
    id,
    lower(email) AS email,
    true AS email_verified,
    COALESCE(NULLIF(btrim(((first_name || ' '::text) || last_name)), ''::text), username) AS name,
    NULL::text AS image,
    two_factor_enabled,
    created_at,
    updated_at
   FROM public.platform_user
  WHERE (status = 'active'::text);

CREATE TABLE public.sign_in_verification (
    org_id uuid NOT NULL,
    id text DEFAULT (uuidv7())::text NOT NULL,
    identifier text NOT NULL,
    value text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.sync_new_record (
    org_id uuid NOT NULL,
    session_id uuid NOT NULL,
    resource_type_id uuid NOT NULL,
    external_id text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE public.sync_page (
    org_id uuid NOT NULL,
    session_id uuid NOT NULL,
    number bigint NOT NULL,
    resource_type_id uuid NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    record_count integer NOT NULL,
    records text NOT NULL,
    ref_records integer[] NOT NULL,
    ref_types text[] NOT NULL,
    ref_ids text[] NOT NULL,
    ref_names text[] NOT NULL
);
ALTER TABLE ONLY public.sync_page ALTER COLUMN records SET STORAGE EXTERNAL;
ALTER TABLE ONLY public.sync_page ALTER COLUMN ref_types SET STORAGE EXTERNAL;
ALTER TABLE ONLY public.sync_page ALTER COLUMN ref_ids SET STORAGE EXTERNAL;
ALTER TABLE ONLY public.sync_page ALTER COLUMN ref_names SET STORAGE EXTERNAL;

ALTER TABLE public.sync_page ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.sync_page_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.sync_removal (
    org_id uuid NOT NULL,
    session_id uuid NOT NULL,
    account_id uuid,
    entitlement_id uuid,
    CONSTRAINT sync_removal_check CHECK (((account_id IS NOT NULL) OR (entitlement_id IS NOT NULL)))
);

CREATE TABLE public.sync_session (
    org_id uuid NOT NULL,
    id uuid DEFAULT uuidv7() NOT NULL,
    app_id uuid NOT NULL,
    status text DEFAULT 'in_progress'::text NOT NULL,
    started_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    completing_at timestamp with time zone,
    published_at timestamp with time zone,
    finished_at timestamp with time zone,
    superseded_by uuid,
    error jsonb,
    progress jsonb,
    counts jsonb,
    membership_counts jsonb,
    held jsonb,
    CONSTRAINT sync_session_status_check CHECK ((status = ANY (ARRAY['in_progress'::text, 'completing'::text, 'completed'::text, 'error'::text, 'abandoned'::text])))
);

CREATE TABLE public.task (
    org_id uuid NOT NULL,
    id uuid DEFAULT uuidv7() NOT NULL,
    number bigint NOT NULL,
    app_id uuid NOT NULL,
    account_id uuid NOT NULL,
    action text NOT NULL,
    status text DEFAULT 'scheduled'::text NOT NULL,
    execute_after timestamp with time zone NOT NULL,
    waits_for text,
    blocked_at timestamp with time zone,
    dispatched_at timestamp with time zone,
    ended_at timestamp with time zone,
    ended_reason text,
    preempted_by uuid,
    error jsonb,
    retry_of uuid,
    attempt integer DEFAULT 1 NOT NULL,
    task_type text NOT NULL,
    source_type text,
    source_id uuid,
    created_by uuid,
    reason text,
    preconditions jsonb DEFAULT '[]'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT task_action_check CHECK ((action = ANY (ARRAY['create_account'::text, 'update_account'::text, 'delete_account'::text, 'suspend_account'::text, 'unsuspend_account'::text, 'reset_password'::text]))),
    CONSTRAINT task_status_check CHECK ((status = ANY (ARRAY['scheduled'::text, 'pending'::text, 'completed'::text, 'failed'::text, 'cancelled'::text, 'preempted'::text]))),
    CONSTRAINT task_task_type_check CHECK ((task_type = ANY (ARRAY['USER_ACTION'::text, 'ACCESS_REVIEW'::text, 'APPROVAL_WORKFLOW'::text, 'POLICY'::text]))),
    CONSTRAINT task_waits_for_check CHECK ((waits_for = ANY (ARRAY['account'::text, 'external_id'::text])))
);

CREATE TABLE public.task_change (
    org_id uuid NOT NULL,
    task_id uuid NOT NULL,
    entitlement_id uuid NOT NULL,
    added boolean NOT NULL,
    spared boolean DEFAULT false NOT NULL
);

ALTER TABLE public.task ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.task_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.ticket_approval (
    org_id uuid NOT NULL,
    ticket_id uuid NOT NULL,
    step integer NOT NULL,
    approver_id uuid NOT NULL,
    decision text NOT NULL,
    override boolean NOT NULL,
    comment text NOT NULL,
    decided_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT ticket_approval_decision_check CHECK ((decision = ANY (ARRAY['approved'::text, 'denied'::text])))
);

CREATE TABLE public.ticket_entitlement (
    org_id uuid NOT NULL,
    ticket_id uuid NOT NULL,
    entitlement_id uuid NOT NULL
);

CREATE TABLE public.ticket_number (
    org_id uuid NOT NULL,
    last_number bigint NOT NULL
);

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_org_id_app_id_resource_type_id_external_id_key UNIQUE (org_id, app_id, resource_type_id, external_id);

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY public.api_key_app
    ADD CONSTRAINT api_key_app_pkey PRIMARY KEY (org_id, key_id, app_id);

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY public.api_key_use
    ADD CONSTRAINT api_key_use_pkey PRIMARY KEY (org_id, api_key_id, client);

ALTER TABLE ONLY public.app
    ADD CONSTRAINT app_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY public.connection_request
    ADD CONSTRAINT connection_request_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY public.entitlement
    ADD CONSTRAINT entitlement_org_id_app_id_resource_type_id_external_id_key UNIQUE (org_id, app_id, resource_type_id, external_id);

ALTER TABLE ONLY public.entitlement
    ADD CONSTRAINT entitlement_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY public.event_cursor_key
    ADD CONSTRAINT event_cursor_key_pkey PRIMARY KEY (org_id, key_id);

ALTER TABLE ONLY public.event_head
    ADD CONSTRAINT event_head_pkey PRIMARY KEY (org_id);

ALTER TABLE ONLY public.event_log_origin
    ADD CONSTRAINT event_log_origin_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY public.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (org_id, ingested_at);

ALTER TABLE ONLY public.membership
    ADD CONSTRAINT membership_pkey PRIMARY KEY (org_id, account_id, entitlement_id);

ALTER TABLE ONLY public.organization
    ADD CONSTRAINT organization_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.organization
    ADD CONSTRAINT organization_slug_key UNIQUE (slug);

ALTER TABLE ONLY public.platform_user
    ADD CONSTRAINT platform_user_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY public.policy_cursor
    ADD CONSTRAINT policy_cursor_pkey PRIMARY KEY (org_id);

ALTER TABLE ONLY public.policy_firing
    ADD CONSTRAINT policy_firing_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY public.policy
    ADD CONSTRAINT policy_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY public.rate_window
    ADD CONSTRAINT rate_window_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.resource_type
    ADD CONSTRAINT resource_type_org_id_clone_group_id_slug_key UNIQUE (org_id, clone_group_id, slug);

ALTER TABLE ONLY public.resource_type
    ADD CONSTRAINT resource_type_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY public.review_campaign
    ADD CONSTRAINT review_campaign_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY public.review_cycle
    ADD CONSTRAINT review_cycle_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY public.review_item
    ADD CONSTRAINT review_item_org_id_cycle_id_account_id_entitlement_id_key UNIQUE NULLS NOT DISTINCT (org_id, cycle_id, account_id, entitlement_id);

ALTER TABLE ONLY public.review_item
    ADD CONSTRAINT review_item_pkey PRIMARY KEY (org_id, cycle_id, id);

ALTER TABLE ONLY public.schema_migration
    ADD CONSTRAINT schema_migration_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.sign_in_account
    ADD CONSTRAINT sign_in_account_org_id_provider_id_account_id_key UNIQUE (org_id, provider_id, account_id);

ALTER TABLE ONLY public.sign_in_account
    ADD CONSTRAINT sign_in_account_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY public.sign_in_attempt
    ADD CONSTRAINT sign_in_attempt_pkey PRIMARY KEY (org_id, ip);

ALTER TABLE ONLY public.sign_in_passkey
    ADD CONSTRAINT sign_in_passkey_org_id_credential_id_key UNIQUE (org_id, credential_id);

ALTER TABLE ONLY public.sign_in_passkey
    ADD CONSTRAINT sign_in_passkey_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY public.sign_in_provider
    ADD CONSTRAINT sign_in_provider_org_id_provider_id_key UNIQUE (org_id, provider_id);

ALTER TABLE ONLY public.sign_in_provider
    ADD CONSTRAINT sign_in_provider_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY public.sign_in_session
    ADD CONSTRAINT sign_in_session_org_id_token_key UNIQUE (org_id, token);

ALTER TABLE ONLY public.sign_in_session
    ADD CONSTRAINT sign_in_session_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY public.sign_in_two_factor
    ADD CONSTRAINT sign_in_two_factor_org_id_user_id_key UNIQUE (org_id, user_id);

ALTER TABLE ONLY public.sign_in_two_factor
    ADD CONSTRAINT sign_in_two_factor_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY public.sign_in_verification
    ADD CONSTRAINT sign_in_verification_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY public.sync_new_record
    ADD CONSTRAINT sync_new_record_pkey PRIMARY KEY (org_id, session_id, resource_type_id, external_id);

ALTER TABLE ONLY public.sync_page
    ADD CONSTRAINT sync_page_pkey PRIMARY KEY (org_id, session_id, number);

ALTER TABLE ONLY public.sync_session
    ADD CONSTRAINT sync_session_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY public.task_change
    ADD CONSTRAINT task_change_pkey PRIMARY KEY (org_id, task_id, entitlement_id);

ALTER TABLE ONLY public.task
    ADD CONSTRAINT task_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY public.ticket_approval
    ADD CONSTRAINT ticket_approval_pkey PRIMARY KEY (org_id, ticket_id, step, approver_id);

ALTER TABLE ONLY public.ticket_entitlement
    ADD CONSTRAINT ticket_entitlement_pkey PRIMARY KEY (org_id, ticket_id, entitlement_id);

ALTER TABLE ONLY public.ticket_number
    ADD CONSTRAINT ticket_number_pkey PRIMARY KEY (org_id);

ALTER TABLE ONLY public.ticket
    ADD CONSTRAINT ticket_org_id_number_key UNIQUE (org_id, number);

ALTER TABLE ONLY public.ticket
    ADD CONSTRAINT ticket_pkey PRIMARY KEY (org_id, id);

CREATE INDEX account_app ON public.account USING btree (org_id, app_id, id);

CREATE INDEX account_awaited ON public.account USING btree (org_id, app_id, lower(email)) WHERE (status = ANY (ARRAY['NEW'::text, 'INVITED'::text]));

CREATE INDEX account_count_key ON public.account_count USING btree (org_id, app_id, status);

CREATE INDEX account_email ON public.account USING btree (org_id, lower(email), id);

CREATE INDEX account_email_part ON public.account USING gin (lower(email) public.gin_trgm_ops);

CREATE INDEX account_exceptional ON public.account USING btree (org_id, status, id) WHERE (status <> 'ACTIVE'::text);

CREATE INDEX account_exceptional_email ON public.account USING btree (org_id, status, lower(email), id) WHERE (status <> 'ACTIVE'::text);

CREATE INDEX account_orphan ON public.account USING btree (org_id, id) WHERE (user_id IS NULL);

CREATE INDEX account_unlinked ON public.account USING btree (org_id, lower(email)) WHERE ((user_id IS NULL) AND (NOT user_linked_by_hand) AND (email <> ''::text));

CREATE INDEX account_user ON public.account USING btree (org_id, user_id, id) WHERE (user_id IS NOT NULL);

CREATE INDEX api_key_hash ON public.api_key USING btree (key_hash);

CREATE INDEX api_key_person ON public.api_key USING btree (org_id, created_by);

CREATE INDEX entitlement_name ON public.entitlement USING btree (org_id, app_id, name, id) WHERE active;

CREATE INDEX entitlement_seats ON public.entitlement USING btree (org_id, app_id) WHERE (active AND (max_count > 0));

CREATE INDEX event_by_actor ON ONLY public.event USING btree (org_id, actor_uuid, ingested_at) WHERE (actor_uuid IS NOT NULL);

CREATE INDEX event_by_id ON ONLY public.event USING btree (org_id, event_id);

CREATE INDEX event_by_ip ON ONLY public.event USING btree (org_id, actor_ip, ingested_at) WHERE (actor_ip IS NOT NULL);

CREATE INDEX event_by_subject ON ONLY public.event USING btree (org_id, subject_uuid, ingested_at);

CREATE INDEX event_by_type ON ONLY public.event USING btree (org_id, event_type, ingested_at);

CREATE INDEX event_late ON ONLY public.event USING btree (org_id, lag, ingested_at) WHERE (lag > 0);

CREATE INDEX membership_entitlement ON public.membership USING btree (org_id, entitlement_id, account_id);

CREATE INDEX membership_tasked ON public.membership USING btree (org_id, account_id) WHERE (tasked_at IS NOT NULL);

CREATE INDEX platform_user_administrator ON public.platform_user USING btree (org_id, id) WHERE (role = ANY (ARRAY['owner'::text, 'admin'::text]));

CREATE UNIQUE INDEX platform_user_email ON public.platform_user USING btree (org_id, lower(email));

CREATE INDEX platform_user_manager ON public.platform_user USING btree (org_id, manager_id) WHERE (manager_id IS NOT NULL);

CREATE INDEX platform_user_owner ON public.platform_user USING btree (org_id, id) WHERE (role = 'owner'::text);

CREATE INDEX platform_user_part ON public.platform_user USING gin (lower(((((((email || ' '::text) || username) || ' '::text) || first_name) || ' '::text) || last_name)) public.gin_trgm_ops);

CREATE INDEX policy_daily ON public.policy USING btree (ran_on, org_id) WHERE (enabled AND (trigger = 'daily'::text));

CREATE UNIQUE INDEX policy_firing_held ON public.policy_firing USING btree (org_id, policy_id) WHERE (confirmed_at IS NULL);

CREATE INDEX policy_firing_policy ON public.policy_firing USING btree (org_id, policy_id);

CREATE INDEX policy_firing_released ON public.policy_firing USING btree (org_id, confirmed_at) WHERE (confirmed_at IS NOT NULL);

CREATE INDEX review_cycle_campaign ON public.review_cycle USING btree (org_id, campaign_id, id);

CREATE UNIQUE INDEX review_cycle_open ON public.review_cycle USING btree (org_id, campaign_id) WHERE ((begun_at IS NOT NULL) AND (status <> 'completed'::text));

CREATE INDEX review_cycle_unfinished ON public.review_cycle USING btree (status, org_id, id) WHERE (status <> 'completed'::text);

CREATE UNIQUE INDEX review_cycle_waiting ON public.review_cycle USING btree (org_id, campaign_id) WHERE (begun_at IS NULL);

CREATE INDEX review_item_decided_by ON public.review_item USING btree (org_id, decided_by) WHERE (decided_by IS NOT NULL);

CREATE INDEX review_item_reviewers ON public.review_item USING gin (reviewers);

CREATE INDEX review_item_task ON public.review_item USING btree (org_id, task_id) WHERE (task_id IS NOT NULL);

CREATE INDEX review_item_undecided ON public.review_item USING btree (org_id, cycle_id, id) WHERE (decision IS NULL);

CREATE INDEX sign_in_account_user ON public.sign_in_account USING btree (org_id, user_id);

CREATE INDEX sign_in_passkey_user ON public.sign_in_passkey USING btree (org_id, user_id);

CREATE INDEX sign_in_session_expiry ON public.sign_in_session USING btree (expires_at);

CREATE INDEX sign_in_session_user ON public.sign_in_session USING btree (org_id, user_id);

CREATE INDEX sign_in_verification_expiry ON public.sign_in_verification USING btree (expires_at);

CREATE INDEX sign_in_verification_identifier ON public.sign_in_verification USING btree (org_id, identifier);

CREATE INDEX sync_removal_session ON public.sync_removal USING btree (org_id, session_id);

CREATE INDEX sync_session_app ON public.sync_session USING btree (org_id, app_id, started_at DESC, id DESC);

CREATE INDEX sync_session_completing ON public.sync_session USING btree (org_id, app_id, started_at) WHERE (status = 'completing'::text);

CREATE UNIQUE INDEX sync_session_open ON public.sync_session USING btree (org_id, app_id) WHERE (status = 'in_progress'::text);

CREATE INDEX sync_session_unfinished ON public.sync_session USING btree (status, started_at) WHERE (status = ANY (ARRAY['in_progress'::text, 'completing'::text]));

CREATE INDEX task_account ON public.task USING btree (org_id, account_id, number);

CREATE INDEX task_app ON public.task USING btree (org_id, app_id, status, number);

CREATE INDEX task_due ON public.task USING btree (execute_after, org_id, app_id) WHERE ((status = 'scheduled'::text) AND (waits_for IS NULL));

CREATE INDEX task_failed ON public.task USING btree (org_id, ended_at) WHERE (status = 'failed'::text);

CREATE INDEX task_number ON public.task USING btree (org_id, number);

CREATE INDEX task_open ON public.task USING btree (org_id, status, created_at) WHERE (status = ANY (ARRAY['scheduled'::text, 'pending'::text]));

CREATE UNIQUE INDEX task_pending ON public.task USING btree (org_id, account_id) WHERE (status = 'pending'::text);

CREATE INDEX task_source ON public.task USING btree (org_id, source_id) WHERE (source_id IS NOT NULL);

CREATE INDEX ticket_app ON public.ticket USING btree (org_id, app_id, number);

CREATE INDEX ticket_approval_approver ON public.ticket_approval USING btree (org_id, approver_id, ticket_id);

CREATE INDEX ticket_named ON public.ticket USING gin (named);

CREATE INDEX ticket_pending ON public.ticket USING btree (created_at) WHERE (status = 'PENDING'::text);

CREATE INDEX ticket_requester ON public.ticket USING btree (org_id, requester_id, number);

CREATE INDEX ticket_status ON public.ticket USING btree (org_id, status, number);

CREATE INDEX ticket_user ON public.ticket USING btree (org_id, user_id, number);

CREATE TRIGGER account_count_delete AFTER DELETE ON public.account REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_accounts();

CREATE TRIGGER account_count_insert AFTER INSERT ON public.account REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_accounts();

CREATE TRIGGER account_count_update AFTER UPDATE ON public.account REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_accounts();

CREATE TRIGGER account_wakes_tasks AFTER UPDATE ON public.account FOR EACH ROW WHEN (((old.external_id IS NULL) AND ((new.external_id IS NOT NULL) OR ((old.removed_at IS NULL) AND (new.removed_at IS NOT NULL))))) EXECUTE FUNCTION public.wake_tasks();

CREATE TRIGGER event_append_only BEFORE DELETE OR UPDATE ON public.event FOR EACH ROW WHEN ((current_setting('gatehouse.event_retention'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION public.refuse_event_change();

CREATE TRIGGER event_no_truncate BEFORE TRUNCATE ON public.event FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_event_change();

CREATE TRIGGER organization_event_log AFTER INSERT ON public.organization FOR EACH ROW EXECUTE FUNCTION public.begin_event_log();

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES public.platform_user(org_id, id) ON DELETE SET NULL (user_id);

ALTER TABLE ONLY public.api_key_app
    ADD CONSTRAINT api_key_app_org_id_app_id_fkey FOREIGN KEY (org_id, app_id) REFERENCES public.app(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.api_key_app
    ADD CONSTRAINT api_key_app_org_id_key_id_fkey FOREIGN KEY (org_id, key_id) REFERENCES public.api_key(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_org_id_created_by_fkey FOREIGN KEY (org_id, created_by) REFERENCES public.platform_user(org_id, id);

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.api_key_use
    ADD CONSTRAINT api_key_use_org_id_api_key_id_fkey FOREIGN KEY (org_id, api_key_id) REFERENCES public.api_key(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.app
    ADD CONSTRAINT app_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.app
    ADD CONSTRAINT app_org_id_owner_id_fkey FOREIGN KEY (org_id, owner_id) REFERENCES public.platform_user(org_id, id) ON DELETE SET NULL (owner_id);

ALTER TABLE ONLY public.connection_request
    ADD CONSTRAINT connection_request_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.connection_request
    ADD CONSTRAINT connection_request_org_id_requester_id_fkey FOREIGN KEY (org_id, requester_id) REFERENCES public.platform_user(org_id, id) ON DELETE SET NULL (requester_id);

ALTER TABLE ONLY public.entitlement
    ADD CONSTRAINT entitlement_org_id_app_id_fkey FOREIGN KEY (org_id, app_id) REFERENCES public.app(org_id, id);

ALTER TABLE ONLY public.entitlement
    ADD CONSTRAINT entitlement_org_id_resource_type_id_fkey FOREIGN KEY (org_id, resource_type_id) REFERENCES public.resource_type(org_id, id);

ALTER TABLE ONLY public.event_cursor_key
    ADD CONSTRAINT event_cursor_key_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organization(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.event_head
    ADD CONSTRAINT event_head_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organization(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.platform_user
    ADD CONSTRAINT platform_user_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.platform_user
    ADD CONSTRAINT platform_user_org_id_manager_id_fkey FOREIGN KEY (org_id, manager_id) REFERENCES public.platform_user(org_id, id);

ALTER TABLE ONLY public.policy_cursor
    ADD CONSTRAINT policy_cursor_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organization(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.policy_firing
    ADD CONSTRAINT policy_firing_org_id_policy_id_fkey FOREIGN KEY (org_id, policy_id) REFERENCES public.policy(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.policy
    ADD CONSTRAINT policy_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.resource_type
    ADD CONSTRAINT resource_type_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.review_campaign
    ADD CONSTRAINT review_campaign_org_id_created_by_fkey FOREIGN KEY (org_id, created_by) REFERENCES public.platform_user(org_id, id) ON DELETE SET NULL (created_by);

ALTER TABLE ONLY public.review_campaign
    ADD CONSTRAINT review_campaign_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.review_cycle
    ADD CONSTRAINT review_cycle_org_id_campaign_id_fkey FOREIGN KEY (org_id, campaign_id) REFERENCES public.review_campaign(org_id, id);

ALTER TABLE ONLY public.review_item
    ADD CONSTRAINT review_item_org_id_account_id_fkey FOREIGN KEY (org_id, account_id) REFERENCES public.account(org_id, id);

ALTER TABLE ONLY public.review_item
    ADD CONSTRAINT review_item_org_id_cycle_id_fkey FOREIGN KEY (org_id, cycle_id) REFERENCES public.review_cycle(org_id, id);

ALTER TABLE ONLY public.review_item
    ADD CONSTRAINT review_item_org_id_decided_by_fkey FOREIGN KEY (org_id, decided_by) REFERENCES public.platform_user(org_id, id);

ALTER TABLE ONLY public.review_item
    ADD CONSTRAINT review_item_org_id_entitlement_id_fkey FOREIGN KEY (org_id, entitlement_id) REFERENCES public.entitlement(org_id, id);

ALTER TABLE ONLY public.sign_in_account
    ADD CONSTRAINT sign_in_account_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.sign_in_account
    ADD CONSTRAINT sign_in_account_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES public.platform_user(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sign_in_attempt
    ADD CONSTRAINT sign_in_attempt_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.sign_in_passkey
    ADD CONSTRAINT sign_in_passkey_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.sign_in_passkey
    ADD CONSTRAINT sign_in_passkey_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES public.platform_user(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sign_in_provider
    ADD CONSTRAINT sign_in_provider_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.sign_in_provider
    ADD CONSTRAINT sign_in_provider_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES public.platform_user(org_id, id) ON DELETE SET NULL (user_id);

ALTER TABLE ONLY public.sign_in_session
    ADD CONSTRAINT sign_in_session_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.sign_in_session
    ADD CONSTRAINT sign_in_session_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES public.platform_user(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sign_in_two_factor
    ADD CONSTRAINT sign_in_two_factor_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.sign_in_two_factor
    ADD CONSTRAINT sign_in_two_factor_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES public.platform_user(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sign_in_verification
    ADD CONSTRAINT sign_in_verification_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.sync_page
    ADD CONSTRAINT sync_page_org_id_session_id_fkey FOREIGN KEY (org_id, session_id) REFERENCES public.sync_session(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sync_removal
    ADD CONSTRAINT sync_removal_org_id_session_id_fkey FOREIGN KEY (org_id, session_id) REFERENCES public.sync_session(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sync_session
    ADD CONSTRAINT sync_session_org_id_app_id_fkey FOREIGN KEY (org_id, app_id) REFERENCES public.app(org_id, id);

ALTER TABLE ONLY public.task_change
    ADD CONSTRAINT task_change_org_id_entitlement_id_fkey FOREIGN KEY (org_id, entitlement_id) REFERENCES public.entitlement(org_id, id);

ALTER TABLE ONLY public.task_change
    ADD CONSTRAINT task_change_org_id_task_id_fkey FOREIGN KEY (org_id, task_id) REFERENCES public.task(org_id, id);

ALTER TABLE ONLY public.task
    ADD CONSTRAINT task_org_id_account_id_fkey FOREIGN KEY (org_id, account_id) REFERENCES public.account(org_id, id);

ALTER TABLE ONLY public.task
    ADD CONSTRAINT task_org_id_app_id_fkey FOREIGN KEY (org_id, app_id) REFERENCES public.app(org_id, id);

ALTER TABLE ONLY public.ticket_approval
    ADD CONSTRAINT ticket_approval_org_id_approver_id_fkey FOREIGN KEY (org_id, approver_id) REFERENCES public.platform_user(org_id, id);

ALTER TABLE ONLY public.ticket_approval
    ADD CONSTRAINT ticket_approval_org_id_ticket_id_fkey FOREIGN KEY (org_id, ticket_id) REFERENCES public.ticket(org_id, id);

ALTER TABLE ONLY public.ticket_entitlement
    ADD CONSTRAINT ticket_entitlement_org_id_entitlement_id_fkey FOREIGN KEY (org_id, entitlement_id) REFERENCES public.entitlement(org_id, id);

ALTER TABLE ONLY public.ticket_entitlement
    ADD CONSTRAINT ticket_entitlement_org_id_ticket_id_fkey FOREIGN KEY (org_id, ticket_id) REFERENCES public.ticket(org_id, id);

ALTER TABLE ONLY public.ticket_number
    ADD CONSTRAINT ticket_number_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.ticket
    ADD CONSTRAINT ticket_org_id_account_id_fkey FOREIGN KEY (org_id, account_id) REFERENCES public.account(org_id, id);

ALTER TABLE ONLY public.ticket
    ADD CONSTRAINT ticket_org_id_app_id_fkey FOREIGN KEY (org_id, app_id) REFERENCES public.app(org_id, id);

ALTER TABLE ONLY public.ticket
    ADD CONSTRAINT ticket_org_id_created_by_fkey FOREIGN KEY (org_id, created_by) REFERENCES public.platform_user(org_id, id);

ALTER TABLE ONLY public.ticket
    ADD CONSTRAINT ticket_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.ticket
    ADD CONSTRAINT ticket_org_id_requester_id_fkey FOREIGN KEY (org_id, requester_id) REFERENCES public.platform_user(org_id, id);

ALTER TABLE ONLY public.ticket
    ADD CONSTRAINT ticket_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES public.platform_user(org_id, id);
