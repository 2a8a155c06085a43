-- The sync that last saw a membership, if the newest one did not: its account stayed only because of a task. Null for all
-- others.
alter table membership add column seen_until timestamptz;
