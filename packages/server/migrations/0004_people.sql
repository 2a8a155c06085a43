-- Profiles of people, links between people and accounts, and the approval settings of apps.

alter table platform_user
  add column identity_type text not null default 'human' check (identity_type in ('human', 'service_account')),
  add column domain_type text not null default 'internal' check (domain_type in ('internal', 'external')),
  add column manager_id uuid,
  add column attributes jsonb not null default '{}',
  add column start_date date,
  add column end_date date,
  add column updated_at timestamptz not null default now(),
  add foreign key (org_id, manager_id) references platform_user (org_id, id);
create index platform_user_manager on platform_user (org_id, manager_id) where manager_id is not null;
create index platform_user_owner on platform_user (org_id, id) where role = 'owner';
-- For the `q` filter and for searches by part of an email address, which the expression contains.
create index platform_user_part on platform_user
  using gin (lower(email || ' ' || username || ' ' || first_name || ' ' || last_name) gin_trgm_ops);

create index api_key_person on api_key (org_id, created_by);

-- The account's person. Deleting a person unlinks their accounts, and clears the owner of their apps and the
-- requester of their connection requests.
alter table account
  add column user_id uuid,
  -- An administrator has linked or unlinked the account. Syncs do not change the link.
  add column user_linked_by_hand boolean not null default false,
  add foreign key (org_id, user_id) references platform_user (org_id, id) on delete set null (user_id);
create index account_user on account (org_id, user_id, id) where user_id is not null;
create index account_orphan on account (org_id, id) where user_id is null;
create index account_unlinked on account (org_id, lower(email))
  where user_id is null and not user_linked_by_hand and email <> '';

alter table app
  add column approval_steps jsonb not null default '[{"approvers": "app_owner", "require": "any"}]',
  -- Null: the organization's administrators.
  add column fallback_approvers uuid[],
  drop constraint app_org_id_owner_id_fkey,
  add foreign key (org_id, owner_id) references platform_user (org_id, id) on delete set null (owner_id);

create index entitlement_name on entitlement (org_id, app_id, name, id) where active;

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
