-- The history of people. Times have milliseconds, as in responses, so that a time from a response names the same state.
alter table person_period add column created_at timestamptz not null;
alter table platform_user
  alter column created_at set default date_trunc('milliseconds', now()),
  alter column updated_at set default date_trunc('milliseconds', now());
update platform_user
  set created_at = date_trunc('milliseconds', created_at), updated_at = date_trunc('milliseconds', updated_at);
