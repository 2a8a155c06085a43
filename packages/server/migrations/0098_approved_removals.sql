-- runs-with: 0060
-- The person who approved the removals that the removal guard of an app had held.
alter table sync_session add column approved_by uuid;
