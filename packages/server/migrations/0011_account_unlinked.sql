-- What links people to accounts needs this index, and not account_email: before the table is analyzed, as after a first
-- sync, the planner would read all orphans for each person instead (account_orphan), which takes hours.
create index account_unlinked on account (org_id, lower(email))
  where user_id is null and not user_linked_by_hand and email <> '';
