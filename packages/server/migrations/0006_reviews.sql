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

-- packages/server/src/reviews/cycle.ts describes the states.
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
  -- The numbers of items and of decisions. They are updated under the lock of this row.
  items integer not null default 0,
  kept integer not null default 0,
  revoked integer not null default 0,
  primary key (org_id, id),
  foreign key (org_id, campaign_id) references review_campaign (org_id, id),
  check ((begun_at is null) = (settings is null))
);
-- A campaign has at most one waiting cycle, and at most one that is opening or in progress.
create unique index review_cycle_waiting on review_cycle (org_id, campaign_id) where begun_at is null;
create unique index review_cycle_open on review_cycle (org_id, campaign_id)
  where begun_at is not null and status <> 'completed';
create index review_cycle_campaign on review_cycle (org_id, campaign_id, id);
-- For the scheduled jobs, which look for unfinished cycles of all organizations.
create index review_cycle_unfinished on review_cycle (status, org_id, id) where status <> 'completed';

-- An account, or one of its memberships or assignments, as of the opening of the cycle. The names of apps, accounts
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
  -- The task that granted the access. Null if a sync discovered it.
  granted_by jsonb,
  last_seen_at timestamptz,
  -- The people who can decide the item; one decision is enough. Empty: the administrators.
  reviewers uuid[] not null,
  decision text check (decision in ('keep', 'revoke')),
  comment text,
  -- Null if the item is undecided, or if nobody decided it in time.
  decided_by uuid,
  decided_at timestamptz,
  task_id uuid,
  -- Earlier decisions that were changed, oldest first.
  earlier jsonb not null default '[]',
  primary key (org_id, cycle_id, id),
  unique nulls not distinct (org_id, cycle_id, account_id, entitlement_id),
  foreign key (org_id, cycle_id) references review_cycle (org_id, id),
  foreign key (org_id, account_id) references account (org_id, id),
  foreign key (org_id, entitlement_id) references entitlement (org_id, id),
  foreign key (org_id, decided_by) references platform_user (org_id, id),
  check ((decision is null) = (decided_at is null)),
  check ((kind = 'account') = (entitlement_id is null))
);
create index review_item_undecided on review_item (org_id, cycle_id, id) where decision is null;
create index review_item_task on review_item (org_id, task_id) where task_id is not null;
create index review_item_decided_by on review_item (org_id, decided_by) where decided_by is not null;
create index review_item_reviewers on review_item using gin (reviewers);
