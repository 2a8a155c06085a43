import type { Org, OrgDb, OrgTx } from '#kit/database.ts';
import { namedPersonJson } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { exists, many, one, type RawBuilder, sql, value } from '#kit/sql.ts';
import { appsOnBudgetHold, tasks } from '#work/provisioning/facts.ts';
import { type HoldFilter, holdFilters } from '../filters.ts';
import type { Client, Decision } from '../hold.ts';
import type { Hold } from '../schemas.ts';

/** The name of a client: of its key, or the email of who imported. `type` and `id` are SQL. */
const clientName = (org: Org, type: RawBuilder<unknown>, id: RawBuilder<unknown>) => sql<string>`coalesce(
  case when ${type} = 'import'
    then (select u.email from platform_user u where u.org_id = ${org.orgId} and u.id = ${id})
    else (select k.name from api_key k where k.org_id = ${org.orgId} and k.id = ${id}) end, '')`;

export async function nameOfClient(tx: OrgTx, { type, id }: Client): Promise<string> {
  return (
    (await value<string | undefined>(tx)`
    select ${clientName(tx, sql`${type}::text`, sql`${id}::uuid`)} as name`) ?? ''
  );
}

const held = (org: Org) => sql`
  select w.id, w.kind, w.subject, w.client_type, w.client_id, w.group_name, w.count as affected, w.total as "of", w.percent,
    coalesce(w.decision, 'open') as status, w.held_at as created_at, w.decided_at, w.decided_by, w.reason
  from hold_window w
  where w.org_id = ${org.orgId} and w.held_at is not null and (w.kind <> 'app' or w.decided_at is not null)
  union all
  select w.id, 'app', w.subject, null, null, null, a.accounts, w.total, w.percent, 'open', a.since, null, null, null
  from ${appsOnBudgetHold(org)} a join hold_window w
    on w.org_id = ${org.orgId} and w.kind = 'app' and w.subject = a.app_id and w.decided_at is null`;

const view = (org: Org) => sql`
  h.id, h.kind, h.affected, h.of, h.percent, h.status, h.created_at, h.decided_at, h.reason,
  case when h.client_type is not null then jsonb_build_object('type', h.client_type, 'external_uuid', h.client_id,
    'label', ${clientName(org, sql`h.client_type`, sql`h.client_id`)}) end as client,
  case when h.kind = 'group' then jsonb_build_object('external_uuid', h.subject, 'name', h.group_name) end as "group",
  case when h.kind = 'app' then (
    select jsonb_build_object('id', p.id, 'name', p.name) from app p where p.org_id = ${org.orgId} and p.id = h.subject)
  end as app,
  (case when h.kind = 'app' and h.status <> 'open' then 0 when h.kind = 'app' then (
      select count(*) from ${tasks} t
      where t.org_id = ${org.orgId} and t.app_id = h.subject and t.status = 'scheduled' and t.waits_for = 'confirmation')
    else (
      select count(*) from ${tasks} t
      where t.org_id = ${org.orgId} and t.hold_id = h.id and t.status = 'scheduled' and t.waits_for = 'hold')
      + (select coalesce(sum(f.tasks), 0) from hold_firing f where f.org_id = ${org.orgId} and f.hold_id = h.id)
    end)::bigint as tasks,
  case when h.decided_by is not null then coalesce((
    select ${namedPersonJson('u')}
    from platform_user u where u.org_id = ${org.orgId} and u.id = h.decided_by),
    jsonb_build_object('external_uuid', h.decided_by, 'email', '', 'first_name', '', 'last_name', '')) end as decided_by`;

/** Lists holds, newest first. */
export async function listHolds(db: OrgDb, filter: HoldFilter, page: Page): Promise<Slice<Hold>> {
  const where = holdFilters.where(db, filter, sql`true`);
  const counted = await value<number>(db)`
    select count(*) as n from (${held(db)}) h where ${where}`;
  const rows = await many<Hold>(db)`
    select ${view(db)} from (${held(db)}) h where ${where}
    order by h.created_at desc, h.id limit ${page.limit} offset ${page.offset}`;
  return { count: counted, results: rows };
}

/** Counts the open holds, and says whether there are any, decided ones included. */
export async function countHolds(db: OrgDb): Promise<{ count: number; any: boolean }> {
  const counted = await one<{ count: number; any: boolean }>(db)`
    select count(*) filter (where h.status = 'open') as count, count(*) > 0 as "any" from (${held(db)}) h`;
  return counted ?? { count: 0, any: false };
}

export const findHold = (db: OrgDb, id: string) => one<Hold>(db)`
    select ${view(db)} from (${held(db)}) h where h.id = ${id}`;

/** Decides an open hold of people. Returns whether it was open: of two who decide at the same time, one wins. */
export const decideHold = (
  tx: OrgTx,
  id: string,
  { decision, by, reason }: { decision: Decision; by: string; reason: string | null },
) => exists(tx)`
    update hold_window set decided_at = clock_now(), decision = ${decision}, decided_by = ${by}, reason = ${reason}
    where org_id = ${tx.orgId} and id = ${id} and held_at is not null and decided_at is null
    returning id`;
