import type { OrgDb } from '#kit/database.ts';
import { many, one, sql } from '#kit/sql.ts';

export interface CycleFacts {
  id: string;
  name: string;
  due_at: Date | null;
  /** Since its opening. */
  open_days: number;
  /** Negative: overdue. */
  hours_left: number | null;
  /** The hours from its opening to its due date. */
  hours_in_all: number | null;
}

const cycleView = sql`
  y.id, y.settings ->> 'name' as name, y.due_at,
  floor(extract(epoch from clock_now() - y.opened_at) / 86400)::integer as open_days,
  (extract(epoch from y.due_at - clock_now()) / 3600)::float8 as hours_left,
  (extract(epoch from y.due_at - y.opened_at) / 3600)::float8 as hours_in_all`;

/** Returns the first open cycle after an id. */
export const nextOpenCycle = (db: OrgDb, after: string) => one<CycleFacts>(db)`
    select ${cycleView} from review_cycle y
    where y.org_id = ${db.orgId} and y.status = 'in_progress' and y.id > ${after} order by y.id limit 1`;

export const findCycle = (db: OrgDb, id: string) => one<CycleFacts>(db)`
    select ${cycleView} from review_cycle y
    where y.org_id = ${db.orgId} and y.id = ${id} and y.status = 'in_progress'`;

/** Returns those of the cycles that are open, with the number of their undecided items. */
export const undecidedItems = (db: OrgDb, ids: readonly string[]) => many<{ id: string; items: number }>(db)`
    select y.id, count(i.id)::integer as items
    from review_cycle y
    left join review_item i on i.org_id = ${db.orgId} and i.cycle_id = y.id and i.decision is null
    where y.org_id = ${db.orgId} and y.id = any(${ids}::uuid[]) and y.status = 'in_progress' group by y.id`;
