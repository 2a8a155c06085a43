import { isLiveKey } from '../../identity/key-facts.ts';
import type { Database, Row } from '../../platform/database/open.ts';
import type { Selection } from '../filters.ts';
import { type Moment, momentToIso } from '../moment.ts';

export interface Reader {
  orgId: string;
  /** Null for a signed-in person, who has no key. */
  keyId: string | null;
}

/** A part of the log: at most `limit` events strictly between two moments, from the newest or from the oldest. */
export interface Range {
  after: Moment;
  /** Null means no upper bound. */
  before: Moment | null;
  limit: number;
  from: 'top' | 'bottom';
}

/** A page of events, and the state of the log in the same snapshot. */
export interface PageRow extends Row {
  /** JSON text: the envelopes, newest first, with commas between them. */
  results: string;
  count: number;
  newest: Moment | null;
  oldest: Moment | null;
  /** The moment of the newest event of the organization. */
  head: Moment;
  retained_from: Moment;
  /** Whether the key is still valid. True without a key. */
  live: boolean;
}

/** Reads a page, the head and the validity of the key in one round trip, with a statement that is planned once. */
export async function selectPage(
  database: Database,
  reader: Reader,
  selection: Selection,
  range: Range,
): Promise<PageRow> {
  const { name, text, values } = pageStatement(reader, selection, range);
  const [row] = await database.prepared<PageRow>(name, text, values);
  if (row === undefined) throw new Error(`Organization ${reader.orgId} has no event log.`);
  return row;
}

/** Returns the statement for a selection: one text for each set of filters, values as parameters. */
export function pageStatement({ orgId, keyId }: Reader, selection: Selection, range: Range) {
  if (selection.types?.length === 0)
    return { name: 'events_nothing', text: pageText(NOTHING), values: [orgId, keyId] };
  const values: unknown[] = [orgId, keyId, range.limit];
  const bind = (value: unknown, type: string) => `$${values.push(value)}::${type}`;

  const { types, actor, subject, ip, occurredFrom, occurredTo } = selection;
  const isNarrow = actor !== null || subject !== null || ip !== null;
  const bounds = [
    'e.org_id = $1',
    `e.ingested_at > ${bind(momentToIso(range.after), 'timestamptz')}`,
    `e.ingested_at < ${bind(range.before === null ? 'infinity' : momentToIso(range.before), 'timestamptz')}`,
    'e.ingested_at between head.retained_from and head.last_ingested_at',
  ];
  if (actor !== null) bounds.push(`e.actor_uuid = ${bind(actor, 'uuid')}`);
  if (subject !== null) bounds.push(`e.subject_uuid = ${bind(subject, 'uuid')}`);
  if (ip !== null) bounds.push(`e.actor_ip = ${bind(ip, 'text')}`);
  const from = occurredFrom === null ? null : bind(occurredFrom, 'timestamptz');
  const to = occurredTo === null ? null : bind(occurredTo, 'timestamptz');
  const typeList = types === null ? null : bind(types, 'text[]');

  const shape = { order: range.from === 'top' ? 'desc' : 'asc', bounds, from, to } as const;
  const ofTypes = typeList === null ? bounds : [...bounds, `e.event_type = any (${typeList})`];
  const page =
    typeList !== null && !isNarrow
      ? mergedByType(shape, typeList)
      : inOrder({ ...shape, bounds: ofTypes }, 'e.body, e.ingested_at');
  const filters = Object.entries(selection).filter(([, value]) => value !== null);
  return {
    name: ['events', range.from, ...filters.map(([filter]) => filter)].join('_'),
    text: pageText(page),
    values,
  };
}

const NOTHING = 'select null::text as body, null::timestamptz as ingested_at where false';

interface Shape {
  order: 'asc' | 'desc';
  bounds: string[];
  from: string | null;
  to: string | null;
}

const LIVE = `($2::uuid is null or exists (
      select from api_key k where k.org_id = $1 and k.id = $2 and ${isLiveKey('k')}))`;

const inMicroseconds = (expression: string) => `(extract(epoch from ${expression}) * 1000000)::bigint`;

const pageText = (page: string) => `
  select page.results, page.count, page.newest, page.oldest,
    ${inMicroseconds('head.last_ingested_at')} as head,
    ${inMicroseconds(`greatest(head.retained_from, 'epoch')`)} as retained_from,
    ${LIVE} as live
  from event_head head cross join lateral (
    select coalesce(string_agg(body, ','), '') as results, count(*)::integer as count,
      ${inMicroseconds('max(ingested_at)')} as newest, ${inMicroseconds('min(ingested_at)')} as oldest
    from (select * from (${page}) found order by ingested_at desc) newest_first
  ) page
  where head.org_id = $1`;

/** Walks along one index. Events never occur after they are recorded, so `occurred_at >= x` bounds `ingested_at` too. */
function inOrder({ order, bounds, from, to }: Shape, columns: string): string {
  const conditions =
    from === null ? bounds : [...bounds, `e.occurred_at >= ${from}`, `e.ingested_at >= ${from}`];
  if (to === null) return walk(columns, conditions, order);
  // Events recorded up to `to` also occurred by then. Events recorded later may have occurred earlier: their lag bounds
  // how much later, and the index on lag finds them.
  const inTime = walk(columns, [...conditions, `e.ingested_at <= ${to}`], order);
  const late = walk(
    columns,
    [
      ...conditions,
      'e.lag > 0',
      'e.lag = class.lag',
      `e.ingested_at > ${to}`,
      `e.ingested_at <= ${to} + class.most`,
      `e.occurred_at <= ${to}`,
    ],
    order,
  );
  return `
    select * from (${inTime}) in_time
    union all
    select late.* from (values ${LAGS}) as class (lag, most) cross join lateral (${late}) late
    order by ingested_at ${order} limit $3`;
}

/** The classes of event_lag() (migration 0002), each with its upper bound. */
const LAGS = [
  `(1::smallint, interval '1 second')`,
  `(2, interval '1 minute')`,
  `(3, interval '1 hour')`,
  `(4, interval '24 hours')`,
  `(5, interval 'infinity')`,
].join(', ');

/** Merges one walk per type, so that a rare type never costs more than `limit` entries per type. */
function mergedByType(shape: Shape, typeList: string): string {
  const ofType = inOrder(
    { ...shape, bounds: [...shape.bounds, 'e.event_type = wanted.event_type'] },
    'e.ingested_at',
  );
  return `
    select e.body, e.ingested_at from (
      select each.ingested_at from unnest(${typeList}) as wanted (event_type) cross join lateral (${ofType}) each
      order by each.ingested_at ${shape.order} limit $3
    ) merged join event e on e.org_id = $1 and e.ingested_at = merged.ingested_at`;
}

const walk = (columns: string, conditions: string[], order: string) =>
  `select ${columns} from event e where ${conditions.join(' and ')} order by e.ingested_at ${order} limit $3`;

/** Reads one event and the validity of the key. */
export async function selectEvent(database: Database, { orgId, keyId }: Reader, eventId: string) {
  const [row] = await database.prepared<{ body: string | null; live: boolean }>('event', EVENT, [
    orgId,
    keyId,
    eventId,
  ]);
  return row ?? { body: null, live: true };
}

const EVENT = `
  select (
    select e.body from event e where e.org_id = $1 and e.event_id = $3 and e.ingested_at >= head.retained_from
  ) as body, ${LIVE} as live
  from event_head head where head.org_id = $1`;

/** Whether the key is still valid, for responses that read no page. */
export async function selectLive(database: Database, { orgId, keyId }: Reader): Promise<boolean> {
  const [row] = await database.prepared<{ live: boolean }>(
    'event_key',
    `select $1::uuid is not null and ${LIVE} as live`,
    [orgId, keyId],
  );
  return row?.live === true;
}
