import type pg from 'pg';
import { COUNT_ACCOUNTS, COUNT_MEMBERS } from './kit/apps.ts';
import { runStatements } from './kit/service.ts';

const APPS = 20;

/** Fills the organization past the server: 20 apps with 200 groups and licenses each, five for each account. Half of the apps have high risk. */
export async function fill(client: pg.Client, accounts: number) {
  await client.query(`set session_replication_role = replica; set synchronous_commit = off`);
  const ids = 'cross join (select id as org_id from organization) o';
  await runStatements(client, [
    [
      'apps and groups',
      `
      create temp table seed_app as
        select org_id, k, uuidv7() as app_id, uuidv7() as account_type, uuidv7() as group_type from generate_series(1, ${APPS}) k ${ids};
      insert into app (org_id, id, name, clone_group_id, configuration_status, last_synced_at)
        select org_id, app_id, 'App ' || k, app_id, 'CONNECTED', now() from seed_app;
      insert into resource_type (org_id, id, clone_group_id, slug, name, type)
        select org_id, account_type, app_id, 'user', 'Users', 'account' from seed_app union all
        select org_id, group_type, app_id, 'group', 'Groups', 'group' from seed_app;
      create temp table seed_group as
        select a.*, g, uuidv7() as id from seed_app a, generate_series(0, 199) g;
      insert into entitlement (org_id, id, app_id, resource_type_id, external_id, name, risk)
        select org_id, id, app_id, group_type, 'g' || g, 'Group ' || g || ' of ' || k,
          case when g % 20 = 0 and k % 2 = 0 then 'high' when g % 3 = 0 then 'medium' when g % 3 = 1 then 'low' end from seed_group`,
    ],
    [
      'people',
      `
      create temp table seed_person as
        select org_id, n, uuidv7() as id from generate_series(0, ${accounts / 5 - 1}) n ${ids};
      insert into platform_user (org_id, id, email, username, first_name, last_name, status, attributes)
        select org_id, id, 'person' || n || '@example.com', 'person' || n, 'First' || n % 1000, 'Last' || n % 5000,
          case when n % 50 = 0 then 'deactivated' else 'active' end, '{"department": "Sales"}' from seed_person`,
    ],
    [
      'accounts',
      `
      create temp table seed_account as
        select a.org_id, i as n, uuidv7() as id, a.app_id, a.account_type, a.k, p.id as user_id from generate_series(0, ${accounts - 1}) i
        join seed_app a on a.k = 1 + i % ${APPS} join seed_person p on p.n = i / 5;
      insert into account (org_id, id, app_id, resource_type_id, external_id, email, username, status, user_id, seen_at, created_at)
        select org_id, id, app_id, account_type, 'u' || n, 'user.' || n || '@example-' || n % 97 || '.com', 'user' || n,
          case when n % 25 = 0 then 'SUSPENDED' else 'ACTIVE' end, case when n % 10 > 0 then user_id end, now(), now() - interval '300 days'
        from seed_account;
      insert into account_detail (org_id, account_id, app_id, last_sign_in_at, mfa_enabled, digest)
        select org_id, id, app_id, now() - (n * 7919 % 200) * interval '1 day', n % 3 = 0, gen_random_uuid() from seed_account;
      ${COUNT_ACCOUNTS}`,
    ],
    [
      'memberships and decisions',
      `
      analyze seed_account, seed_group;
      insert into membership (org_id, account_id, entitlement_id, granted_at)
        select a.org_id, a.id, g.id, now() - interval '200 days' from seed_account a cross join generate_series(0, 4) j
        join seed_group g on g.k = a.k and g.g = (a.n::bigint * 7919 + j * 41) % 200;
      ${COUNT_MEMBERS};
      analyze membership, account;
      insert into access_grant (org_id, app_id, account_id, entitlement_id, kind, for_user, starts_at)
        select m.org_id, a.app_id, m.account_id, m.entitlement_id, 'request', a.user_id, now() - interval '200 days'
        from membership m join account a on a.org_id = m.org_id and a.id = m.account_id
        where hashtext(m.account_id::text || m.entitlement_id::text) % 2 = 0`,
    ],
    ['vacuum', 'vacuum analyze'],
  ]);
}
