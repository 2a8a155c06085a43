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

/** Returns the statement that moves an organization's inventory and its history this many days into the past. */
export const movedBack = (slug: string, days: number) => `
  do $$
  declare
    one record;
    org constant uuid = (select id from organization where slug = '${slug}');
  begin
    for one in
      select table_name, string_agg(format('%1$I = %1$I - interval ''${days} days''', column_name), ', ') as changes
      from information_schema.columns
      where table_schema = 'public' and data_type = 'timestamp with time zone'
        and table_name in (${TABLES.map((name) => `'${name}'`).join(', ')})
      group by table_name
    loop
      execute format('update %I set %s where org_id = %L', one.table_name, one.changes, org);
    end loop;
  end $$;`;

/** Returns the statement after which everybody's last sign-in to an organization is too old for changes of their sign-in. */
export const signedInEarlier = (slug: string) => `
  update sign_in_session set authenticated_at = now() - interval '16 minutes'
  where org_id = (select id from organization where slug = '${slug}')`;
