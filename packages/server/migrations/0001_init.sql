-- Every key begins with org_id, so that the schema itself shows tenant isolation and tables can be sharded by it.

create extension if not exists pg_trgm;

create table organization (
  id uuid primary key default uuidv7(),
  slug text not null unique check (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  name text not null,
  created_at timestamptz not null default now()
);

-- People -------------------------------------------------------------------------------------------------------

create table platform_user (
  org_id uuid not null references organization (id),
  id uuid not null default uuidv7(),
  username text not null,
  email text not null,
  first_name text not null default '',
  last_name text not null default '',
  role text not null default 'member' check (role in ('owner', 'admin', 'auditor', 'member')),
  status text not null default 'active' check (status in ('active', 'deactivated')),
  password_hash text,
  created_at timestamptz not null default now(),
  primary key (org_id, id)
);
create unique index platform_user_email on platform_user (org_id, lower(email));

-- Keys ---------------------------------------------------------------------------------------------------------

create table api_key (
  org_id uuid not null references organization (id),
  id uuid not null default uuidv7(),
  name text not null,
  key_hash bytea not null,
  scopes text[] not null,
  all_apps boolean not null,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, created_by) references platform_user (org_id, id)
);
-- The only index that does not begin with org_id: a key is looked up before its organization is known.
create index api_key_hash on api_key (key_hash);

-- Apps and resource types --------------------------------------------------------------------------------------

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
  -- Null: the app has no removal guard (D24a).
  removal_guard jsonb default '{"percent": 30, "at_least": 100}',
  created_at timestamptz not null default now(),
  last_synced_at timestamptz,
  archived_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, owner_id) references platform_user (org_id, id)
);

create table api_key_app (
  org_id uuid not null,
  key_id uuid not null,
  app_id uuid not null,
  primary key (org_id, key_id, app_id),
  foreign key (org_id, key_id) references api_key (org_id, id) on delete cascade,
  foreign key (org_id, app_id) references app (org_id, id) on delete cascade
);

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

-- Inventory ----------------------------------------------------------------------------------------------------
--
-- account and membership have no foreign keys (ADR 8). A sync fills them by joining the rows that they refer to, and
-- those rows are never deleted. Checking each reference again would cost more than storing the row.

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
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, app_id, resource_type_id, external_id)
);
create index account_app on account (org_id, app_id, id);
create index account_exceptional on account (org_id, status, id) where status <> 'ACTIVE';
create index account_awaited on account (org_id, app_id, lower(email)) where status in ('NEW', 'INVITED');
create index account_email_part on account using gin (lower(email) gin_trgm_ops);

-- The number of accounts per app and status. A trigger appends differences, so that writers never wait for each
-- other. Readers add them up, and fold_account_counts() replaces them with their sums.
create table account_count (
  org_id uuid not null,
  app_id uuid not null,
  status text not null,
  n bigint not null
);
create index account_count_key on account_count (org_id, app_id, status);

create function count_accounts() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into account_count (org_id, app_id, status, n)
    select org_id, app_id, status, -count(*) from old_rows group by 1, 2, 3;
  end if;
  if tg_op <> 'DELETE' then
    insert into account_count (org_id, app_id, status, n)
    select org_id, app_id, status, count(*) from new_rows group by 1, 2, 3;
  end if;
  return null;
end $$;
create trigger account_count_insert after insert on account
  referencing new table as new_rows for each statement execute function count_accounts();
create trigger account_count_update after update on account
  referencing old table as old_rows new table as new_rows for each statement execute function count_accounts();
create trigger account_count_delete after delete on account
  referencing old table as old_rows for each statement execute function count_accounts();

create function fold_account_counts() returns void language sql as $$
  with taken as (delete from account_count returning *)
  insert into account_count (org_id, app_id, status, n)
  select org_id, app_id, status, sum(n) from taken group by 1, 2, 3 having sum(n) <> 0;
$$;

-- A group or a license of an app.
create table entitlement (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  app_id uuid not null,
  resource_type_id uuid not null,
  external_id text collate "C" not null,
  -- May be empty for a stub: an entitlement known only from a reference (D18).
  name text not null default '',
  description text not null default '',
  max_count bigint,
  used_count bigint,
  is_paid boolean,
  is_unlimited boolean,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, app_id, resource_type_id, external_id),
  foreign key (org_id, app_id) references app (org_id, id),
  foreign key (org_id, resource_type_id) references resource_type (org_id, id)
);

-- A membership of a group or an assignment of a license. The row exists as long as the access does.
create table membership (
  org_id uuid not null,
  account_id uuid not null,
  entitlement_id uuid not null,
  granted_at timestamptz not null default now(),
  -- When a task granted the access. Null again as soon as a sync has confirmed it (D16).
  tasked_at timestamptz,
  primary key (org_id, account_id, entitlement_id)
);
create index membership_tasked on membership (org_id, account_id) where tasked_at is not null;
create index membership_entitlement on membership (org_id, entitlement_id, account_id);

-- Sync sessions: staged pages and the results of their publication ---------------------------------------------

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
  held jsonb,
  primary key (org_id, id),
  foreign key (org_id, app_id) references app (org_id, id)
);
create unique index sync_session_open on sync_session (org_id, app_id) where status = 'in_progress';
create index sync_session_app on sync_session (org_id, app_id, started_at desc, id desc);
create index sync_session_completing on sync_session (org_id, app_id, started_at) where status = 'completing';
create index sync_session_unfinished on sync_session (status, started_at) where status in ('in_progress', 'completing');

-- A validated page as pushed. Pages are ordered by number: the last push of an id wins (D17).
create table sync_page (
  org_id uuid not null,
  session_id uuid not null,
  number bigint generated always as identity,
  resource_type_id uuid not null,
  received_at timestamptz not null default now(),
  record_count integer not null,
  -- A JSON list.
  records text not null,
  -- The references of the accounts, one array element each: the position of the record in the page, starting at 1,
  -- and the slug, id and name of the entitlement.
  ref_records integer[] not null,
  ref_types text[] not null,
  ref_ids text[] not null,
  ref_names text[] not null,
  primary key (org_id, session_id, number),
  foreign key (org_id, session_id) references sync_session (org_id, id) on delete cascade
);
-- Pages exist for minutes only, so compressing them would cost more than it saves.
alter table sync_page alter column records set storage external, alter column ref_types set storage external,
  alter column ref_ids set storage external, alter column ref_names set storage external;

-- The ids that a session pushed and the app did not know before. A record counts as created once per session (D19).
create table sync_new_record (
  org_id uuid not null,
  session_id uuid not null,
  resource_type_id uuid not null,
  external_id text collate "C" not null,
  primary key (org_id, session_id, resource_type_id, external_id)
);

-- The records that the cleanup of a session will remove, fixed when the session is published (D16, D24a): an account,
-- an entitlement or, if both ids are set, a membership.
create table sync_removal (
  org_id uuid not null,
  session_id uuid not null,
  account_id uuid,
  entitlement_id uuid,
  check (account_id is not null or entitlement_id is not null),
  foreign key (org_id, session_id) references sync_session (org_id, id) on delete cascade
);
create index sync_removal_session on sync_removal (org_id, session_id);
