-- Inventory now unlinks the accounts of deleted people, in the transaction that deletes them
-- (packages/server/src/inventory/links.ts). The foreign key is checked at commit, because the accounts are unlinked
-- after the person's row is deleted.

alter table account
  drop constraint account_org_id_user_id_fkey,
  add foreign key (org_id, user_id) references platform_user (org_id, id) deferrable initially deferred;
