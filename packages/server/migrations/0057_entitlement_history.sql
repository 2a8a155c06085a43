-- The history of groups and licenses: when each existed, and under which name (D45). An active row of entitlement is the
-- open period; an inactive one says since when the entitlement is absent.
alter table entitlement
  add column since timestamptz not null default now(),
  add column not_before timestamptz,
  add column change_id uuid,
  add column known_from timestamptz,
  -- When a task last proved that it exists, if the newest sync did not see it. Null otherwise.
  add column tasked_at timestamptz;
-- When earlier names began is not known.
update entitlement set since = updated_at;

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
  -- Null for those that ended before there was this history.
  ended_by uuid,
  primary key (org_id, entitlement_id, ended_at, id)
) partition by range (ended_at);
create index entitlement_period_app on entitlement_period (org_id, app_id, entitlement_id, ended_at);
create index entitlement_period_change on entitlement_period (org_id, ended_by);
create index entitlement_period_begun on entitlement_period (org_id, began_by);
select ensure_history_partitions('entitlement_period');

insert into entitlement_period (org_id, entitlement_id, app_id, name, since, seen_until, gone_by, known_from, ended_at)
  select org_id, id, app_id, name, created_at, created_at, updated_at, created_at, updated_at
  from entitlement where not active;
