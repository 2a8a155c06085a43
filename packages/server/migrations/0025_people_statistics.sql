-- An organization has many people. Statistics from before its first import would say that it has one, and the check of
-- each imported person's manager would then scan all people of the organization.
alter table platform_user alter column org_id set (n_distinct = 1);
