-- A function call now releases the tasks that wait for an account's external id
-- (packages/server/src/provisioning/wake.ts).

drop trigger account_wakes_tasks on account;
drop function wake_tasks();
