import { CompiledQuery } from 'kysely';
import { isCluster, type Org, type OrgDb, withLiterals } from '#kit/database.ts';
import { many } from '#kit/sql.ts';
import type { CatalogName } from '../catalog.ts';
import type { Selection } from '../filters.ts';
import { inOrder, ofSync, TABLES } from './walk.ts';

/** When the log begins and ends. */
interface Extent {
  /** Retention has deleted earlier events, or will soon. */
  retainedFrom: Date | null;
  /** Null: the log is empty. */
  oldest: Date | null;
  newest: Date | null;
}

export async function extentOfLog(db: OrgDb): Promise<Extent> {
  const rows = await many<Extent>(db)`
    select nullif(head.retained_from, '-infinity') as "retainedFrom", head.last_ingested_at as newest, least(
      (select e.ingested_at from event_contract e
        where e.org_id = ${db.orgId} and e.ingested_at >= head.retained_from order by e.ingested_at limit 1),
      (select e.ingested_at from event_configuration e
        where e.org_id = ${db.orgId} and e.ingested_at >= head.retained_from order by e.ingested_at limit 1)) as oldest
    from event_head head where head.org_id = ${db.orgId}`;
  return rows[0] ?? { retainedFrom: null, oldest: null, newest: null };
}

/** A number of events of a catalog that occurred within the interval of this number since 1970. */
export interface Bucket {
  catalog: CatalogName;
  interval: number;
  count: number;
}

/** The part of the log to count. The times are inclusive. */
export interface CountedRange {
  from: Date;
  to: Date;
  retainedFrom: Date | null;
}

/** Counts the newest events of each catalog, up to `limit`, by intervals of `seconds`. */
export async function countByInterval(
  db: OrgDb,
  selection: Selection,
  range: CountedRange,
  seconds: number,
  limit: number,
): Promise<Bucket[]> {
  if (selection.parts.length === 0) return [];
  const { text, values } = countStatement(db, selection, range, seconds, limit);
  const query = isCluster(db)
    ? CompiledQuery.raw(withLiterals(text, values))
    : CompiledQuery.raw(text, values);
  const { rows } = await db.db.executeQuery<Bucket>(query);
  return rows;
}

/** Returns the statement that counts. Its cost depends on the events of the range, not on those after it. */
export function countStatement(
  org: Org,
  { parts, actor, subject, ip, sync }: Selection,
  { from, to, retainedFrom }: CountedRange,
  seconds: number,
  limit: number,
) {
  const values: unknown[] = [org.orgId, seconds, limit];
  const bind = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  // Times have microseconds: `to` stands for its whole millisecond.
  const last = `(${bind(to.toISOString(), 'timestamptz')} + interval '999 microseconds')`;
  const bounds = ['e.org_id = $1'];
  if (retainedFrom !== null)
    bounds.push(`e.ingested_at >= ${bind(retainedFrom.toISOString(), 'timestamptz')}`);
  if (actor !== null) bounds.push(`e.actor_uuid = ${bind(actor, 'uuid')}`);
  if (subject !== null) bounds.push(`e.subject_uuid = ${bind(subject, 'uuid')}`);
  if (ip !== null) bounds.push(`e.actor_ip = ${bind(ip, 'text')}`);
  const syncId = sync === null ? null : bind(sync, 'text');
  const walked = {
    order: 'desc',
    from: bind(from.toISOString(), 'timestamptz'),
    to: last,
    limit: '$3',
  } as const;
  const walks = parts.map(({ catalog, types }) => {
    const all = [
      ...bounds,
      ...(types === null ? [] : [`e.event_type = any (${bind(types, 'text[]')})`]),
      ...(syncId === null ? [] : [ofSync(catalog, syncId)]),
    ];
    const shape = { ...walked, table: TABLES[catalog], bounds: all };
    return `select '${catalog}' as catalog, walked.* from (${inOrder(shape, 'e.occurred_at, e.ingested_at')}) as walked`;
  });
  const text = `
    select catalog, floor(extract(epoch from occurred_at) / $2::integer)::float8 as interval,
      count(*)::integer as count
    from (${walks.join(' union all ')}) as found
    group by 1, 2 order by 2`;
  return { text, values };
}
