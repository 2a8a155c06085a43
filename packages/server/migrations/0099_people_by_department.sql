-- runs-with: 0060
-- The active people of a department: the peers of the person for whom access is requested.
create index platform_user_department on platform_user (org_id, (attributes ->> 'department')) where status = 'active';
