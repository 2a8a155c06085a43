-- Access reviews: who shall keep what (governance.md "Access reviews").

create table review_campaign (
  org_id uuid not null references organization (id),
  id uuid not null default uuidv7(),
  -- Name, scope, reviewers, schedule and what a revocation does: as the API tells them.
  settings jsonb not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The last time that its turn came and there was nothing to review.
  last_empty_at timestamptz,
  -- Its cycles outlive it: they are evidence.
  deleted_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, created_by) references platform_user (org_id, id) on delete set null (created_by)
);

-- The states are drawn in reviews/cycle.ts.
create table review_cycle (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  campaign_id uuid not null,
  status text not null default 'scheduled' check (status in ('scheduled', 'in_progress', 'completed')),
  -- When its turn comes, or came.
  opens_at timestamptz not null,
  -- Its opening has begun: the campaign's settings are frozen, items are being written.
  begun_at timestamptz,
  settings jsonb,
  opened_at timestamptz,
  due_at timestamptz,
  completed_at timestamptz,
  -- How far the opening has come, in the order of account ids.
  last_account uuid,
  accounts_done integer not null default 0,
  accounts_total integer not null default 0,
  -- Its items, and how many of them are decided: kept in step under the lock of this row.
  items integer not null default 0,
  kept integer not null default 0,
  revoked integer not null default 0,
  primary key (org_id, id),
  foreign key (org_id, campaign_id) references review_campaign (org_id, id),
  check ((begun_at is null) = (settings is null))
);
-- A campaign has at most one cycle that waits for its turn, and one that is open.
create unique index review_cycle_waiting on review_cycle (org_id, campaign_id) where begun_at is null;
create unique index review_cycle_open on review_cycle (org_id, campaign_id)
  where begun_at is not null and status <> 'completed';
create index review_cycle_campaign on review_cycle (org_id, campaign_id, id);
-- What the clock has to look at, of all organizations.
create index review_cycle_unfinished on review_cycle (status, org_id, id) where status <> 'completed';

-- One account, or one of its groups or licenses, as it was when the cycle opened. People and what they are called
-- are copied: evidence outlives them.
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
  -- Of a membership or an assignment: slug, id, name.
  resource jsonb,
  since timestamptz not null,
  -- The task that granted it; null where it came with a sync.
  granted_by jsonb,
  last_seen_at timestamptz,
  -- Whoever of them decides first. Empty: the administrators.
  reviewers uuid[] not null,
  decision text check (decision in ('keep', 'revoke')),
  comment text,
  -- Null where nobody answered in time.
  decided_by uuid,
  decided_at timestamptz,
  task_id uuid,
  -- Decisions that were changed, oldest first.
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
