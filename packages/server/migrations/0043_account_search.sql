-- Accounts are searched by email, username and display name. One index serves this search and the filter by email.
drop index account_email_part;
create index account_part on account using gin (lower(email || ' ' || username || ' ' || display_name) gin_trgm_ops);
