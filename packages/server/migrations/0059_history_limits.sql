-- The history of an organization is complete from this time on: periods that ended before have been deleted.
create table history_start (
  org_id uuid not null references organization,
  at timestamptz not null,
  primary key (org_id)
);

-- Whether the task has yet to end. Until then, its losses count however long ago it had its turn.
alter table access_loss add column open boolean not null default false;

-- Serves publications: the accounts that a task has touched since the last sync that pushed them.
create index account_tasked on account (org_id, app_id, tasked_at) where tasked_at is not null;
