-- The statements that write accounts count them now (inventory/account-counts-queries.ts), in sight of their reader.

drop trigger account_count_insert on account;
drop trigger account_count_update on account;
drop trigger account_count_delete on account;
drop function count_accounts();
drop function fold_account_counts();
