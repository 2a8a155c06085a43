-- runs-with: 0060
-- In a file of their own: the columns in 0072 need an exclusive lock, during which no index should be built.
create index ticket_escalated on ticket (org_id, id) where status = 'PENDING' and escalation_level is not null;
create index review_item_escalated on review_item using gin (escalated_to) where escalated_to is not null;
