-- For lists sorted by email.
create index account_email on account (org_id, lower(email), id);

-- For the recent failures on the overview page.
create index task_failed on task (org_id, ended_at) where status = 'failed';
create index task_open on task (org_id, status, created_at) where status in ('scheduled', 'pending');
create index entitlement_seats on entitlement (org_id, app_id) where active and max_count > 0;
