import { accountStates, entitlementStates, membershipPeriods } from '#inventory/records/history/facts.ts';
import { sql } from '#kit/sql.ts';
import type { TestApp } from './app.ts';
import { organizationOf } from './people.ts';

/** The states of an app's accounts and their memberships with all bounds, as known at a time or now. */
export async function historyOf(test: TestApp, appId: string, known: string | null = null) {
  const { db } = test.database;
  const { orgId } = await organizationOf(test);
  const at = sql`coalesce(${known}::timestamptz, 'infinity')`;
  const states = await sql<{ row: object }>`
    select to_jsonb(s) - 'known_from' as row from ${accountStates({ orgId }, at)} s
    where s.app_id = ${appId} order by s.account_id, s.since`.execute(db);
  const memberships = await sql<{ row: object }>`
    select to_jsonb(m) - 'known_from' as row from ${membershipPeriods({ orgId }, at)} m
    where m.app_id = ${appId} order by m.account_id, m.entitlement_id, m.since`.execute(db);
  const names = await sql<{ row: object }>`
    select to_jsonb(s) - 'known_from' as row from ${entitlementStates({ orgId }, at)} s
    where s.app_id = ${appId} order by s.entitlement_id, s.since`.execute(db);
  return {
    names: names.rows.map(({ row }) => row),
    states: states.rows.map(({ row }) => row),
    memberships: memberships.rows.map(({ row }) => row),
  };
}

/** The history of an app, its links to people, and the groups and licenses that somebody holds. No technical times. */
export async function snapshotOf(test: TestApp, appId: string) {
  const { db } = test.database;
  const held = await sql`
    select distinct e.external_id, e.active
    from membership m join entitlement e on e.org_id = m.org_id and e.id = m.entitlement_id
    where e.app_id = ${appId} order by 1`.execute(db);
  const links = await sql`
    select id, user_id, user_linked_by_hand from account
    where app_id = ${appId} and removed_at is null order by id`.execute(db);
  return { ...(await historyOf(test, appId)), held: held.rows, links: links.rows };
}
