-- The statements that write accounts now also update account_count
-- (packages/server/src/inventory/account-counts-queries.ts). No trigger is needed.

drop trigger account_count_insert on account;
drop trigger account_count_update on account;
drop trigger account_count_delete on account;
drop function count_accounts();
drop function fold_account_counts();
