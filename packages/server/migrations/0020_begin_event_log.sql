-- The code that creates an organization now begins its event log (packages/server/src/events/log.ts).
drop trigger organization_event_log on organization;
drop function begin_event_log();

-- Retention is a setting of the event log, so it moves to a table that the events feature owns. Null keeps events
-- forever.
alter table event_head add column retention_days integer check (retention_days > 0);
update event_head h set retention_days = o.event_retention_days from organization o where o.id = h.org_id;
alter table organization drop column event_retention_days;
