const TABLES = [
  'account',
  'account_link_period',
  'account_period',
  'app',
  'entitlement',
  'inventory_change',
  'membership',
  'membership_period',
  'person_period',
  'platform_user',
  'sync_session',
  'task',
];

/** Returns the statement that moves everything in the inventory and its history this many days into the past. */
export const movedBack = (days: number) => `
  do $$
  declare
    one record;
  begin
    for one in
      select table_name, string_agg(format('%1$I = %1$I - interval ''${days} days''', column_name), ', ') as changes
      from information_schema.columns
      where table_schema = 'public' and data_type = 'timestamp with time zone'
        and table_name in (${TABLES.map((name) => `'${name}'`).join(', ')})
      group by table_name
    loop
      execute format('update %I set %s', one.table_name, one.changes);
    end loop;
  end $$;`;
