-- runs-with: 0060
-- Whether a person has accepted the removals of a sync, which the guard of its connector had stopped.
alter table connector_run add column accepts_removals boolean not null default false;
