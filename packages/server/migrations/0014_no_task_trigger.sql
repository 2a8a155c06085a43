-- Tasks that wait for an account's external id are released by a call (provisioning/wake.ts).

drop trigger account_wakes_tasks on account;
drop function wake_tasks();
