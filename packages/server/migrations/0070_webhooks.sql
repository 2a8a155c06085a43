-- runs-with: 0060
-- A receiver of events (docs/webhooks.md), with its own place in the log.
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
  check ((attempts = 0) = (next_attempt_at is null))
);

-- The attempts to deliver, for 30 days.
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
create index webhook_delivery_at on webhook_delivery (org_id, at);
