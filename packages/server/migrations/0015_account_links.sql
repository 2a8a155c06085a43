-- Inventory unlinks the accounts of deleted people, in the transaction of the deletion (inventory/links.ts). The foreign
-- key is checked at commit, because that happens after the row of the person is deleted.

alter table account
  drop constraint account_org_id_user_id_fkey,
  add foreign key (org_id, user_id) references platform_user (org_id, id) deferrable initially deferred;
