import type { CatalogName } from '../catalog.ts';
import { SYNC_TYPES } from '../filters.ts';

/** Each catalog has a table, so that a page of one never walks through events of the other. */
export const TABLES: Record<CatalogName, string> = {
  contract: 'event_contract',
  configuration: 'event_configuration',
};

/** The condition of the indexes on the events of a sync (0001_schema.sql). `sync` is an SQL expression. */
export const ofSync = (catalog: CatalogName, sync: string): string =>
  `e.event_type in (${SYNC_TYPES[catalog].map((type) => `'${type}'`).join(', ')})
    and e.body::jsonb #>> '{payload,sync_id}' = ${sync}`;

/** A walk through a part of the log. Times and the limit are SQL expressions. */
export interface Shape {
  table: string;
  order: 'asc' | 'desc';
  bounds: string[];
  from: string | null;
  to: string | null;
  limit: string;
}

/** Walks along one index. Events never occur after they are recorded, so `occurred_at >= x` bounds `ingested_at` too. */
export function inOrder({ table, order, bounds, from, to, limit }: Shape, columns: string): string {
  const conditions =
    from === null ? bounds : [...bounds, `e.occurred_at >= ${from}`, `e.ingested_at >= ${from}`];
  const walk = (all: string[]) =>
    `select ${columns} from ${table} e where ${all.join(' and ')} order by e.ingested_at ${order} limit ${limit}`;
  if (to === null) return walk(conditions);
  // Events recorded up to `to` also occurred by then. Events recorded later may have occurred earlier: their lag bounds
  // how much later, and the index on lag finds them.
  const inTime = walk([...conditions, `e.ingested_at <= ${to}`]);
  const late = walk([
    ...conditions,
    'e.lag > 0',
    'e.lag = class.lag',
    `e.ingested_at > ${to}`,
    `e.ingested_at <= ${to} + class.most`,
    `e.occurred_at <= ${to}`,
  ]);
  return `
    select * from (${inTime}) in_time
    union all
    select late.* from (values ${LAGS}) as class (lag, most) cross join lateral (${late}) late
    order by ingested_at ${order} limit ${limit}`;
}

/** The classes of event_lag(), each with its upper bound. */
const LAGS = [
  `(1::smallint, interval '1 second')`,
  `(2, interval '1 minute')`,
  `(3, interval '1 hour')`,
  `(4, interval '24 hours')`,
  `(5, interval 'infinity')`,
].join(', ');
