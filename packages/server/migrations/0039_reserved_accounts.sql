-- The id of the account that an approved ticket will create (D47). Tickets of one person for one app share it.
alter table ticket add column reserved_account_id uuid;
update ticket set reserved_account_id = uuidv7() where account_id is null;
update ticket t set reserved_account_id = first.reserved_account_id
from (
  select distinct on (org_id, app_id, user_id) org_id, app_id, user_id, reserved_account_id
  from ticket where account_id is null order by org_id, app_id, user_id, number
) first
where t.account_id is null and t.org_id = first.org_id and t.app_id = first.app_id and t.user_id = first.user_id;
alter table ticket add constraint ticket_account_check check (account_id is not null or reserved_account_id is not null);
create index ticket_reserved on ticket (org_id, user_id, app_id) where reserved_account_id is not null;
