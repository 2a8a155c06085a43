import { accountStates, membershipPeriods } from '#inventory/records/history/facts.ts';
import { sql } from '#kit/sql.ts';
import type { TestApp } from './app.ts';

type Test = Pick<TestApp, 'database'> & { orgId: string };

/**
 * The history of an app in words: one line for each period, by external ids. Times are named by what happened then:
 * `start 1` and `sync 1` are the start and the publication of the first session, `removal 1` is its cleanup, and `task 1`
 * the first change by a task. A line reads
 *
 *   a ACTIVE: not before start 1, since sync 2, until sync 3, gone by start 4
 */
export async function historyOf({ database: { db }, orgId }: Test, appId: string): Promise<string[]> {
  const names = await namesOfTimes({ database: { db }, orgId } as Test, appId);
  const name = (time: string | null, otherwise: string) =>
    time === null ? otherwise : (names.get(time) ?? time);
  const { rows } = await sql<Record<string, string | null>>`
    with accounts as (
      select id, coalesce(external_id, email) as name from account where org_id = ${orgId} and app_id = ${appId}
    )
    select * from (
    select n.name || ' ' || s.status || case when s.display_name = '' then '' else ' ' || s.display_name end as subject,
      s.not_before::text, s.since::text, s.seen_until::text, s.gone_by::text
    from ${accountStates({ orgId })} s join accounts n on n.id = s.account_id where s.app_id = ${appId}
    union all
    select n.name || ' in ' || e.external_id, p.not_before::text, p.since::text, p.seen_until::text, p.gone_by::text
    from ${membershipPeriods({ orgId })} p join accounts n on n.id = p.account_id
    join entitlement e on e.org_id = p.org_id and e.id = p.entitlement_id
    where p.app_id = ${appId}) as periods
    order by subject collate "C", since`.execute(db);
  return rows.map(
    ({ subject, not_before, since, seen_until, gone_by }) =>
      `${subject}: not before ${name(not_before ?? null, 'unknown')}, since ${name(since ?? null, '')}, until ${name(
        seen_until ?? null,
        '',
      )}${gone_by === null ? '' : `, gone by ${name(gone_by ?? null, '')}`}`,
  );
}

async function namesOfTimes({ database: { db }, orgId }: Test, appId: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ kind: string; source_id: string; started_at: string | null; at: string }>`
    select kind, source_id, started_at::text, at::text from inventory_change
    where org_id = ${orgId} and (app_id = ${appId} or app_id is null) order by inventory_change.at`.execute(
    db,
  );
  const names = new Map<string, string>();
  const sessions = rows.filter(({ started_at }) => started_at !== null).map(({ source_id }) => source_id);
  let tasks = 0;
  for (const { kind, source_id, started_at, at } of rows) {
    const number = sessions.indexOf(source_id) + 1;
    if (started_at !== null) {
      names.set(started_at, `start ${number}`);
      names.set(at, `sync ${number}`);
    } else if (kind === 'removal') names.set(at, `removal ${number}`);
    else names.set(at, `task ${++tasks}`);
  }
  return names;
}
