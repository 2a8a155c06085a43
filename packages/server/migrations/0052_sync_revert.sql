-- Reverted sync sessions: the inventory was returned to the state before them.
alter table sync_session add column reverted_at timestamptz, add column reverted_by uuid;

-- When the session of this publication was reverted. Since then, it no longer counts as a sighting.
alter table inventory_change add column reverted_at timestamptz;
