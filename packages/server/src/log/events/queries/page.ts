import type { Database, Row } from '#kit/database.ts';
import { isLiveKey } from '#kit/identity.ts';
import type { Selection } from '../filters.ts';
import { type Moment, momentToIso } from '../moment.ts';
import { inOrder, ofSync, type Shape, TABLES } from './walk.ts';

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
  database: Pick<Database, 'prepared'>,
  reader: Reader,
  selection: Selection,
  range: Range,
): Promise<PageRow> {
  const { text, values } = pageStatement(reader, selection, range);
  const [row] = await database.prepared<PageRow>(text, values);
  if (row === undefined) throw new Error(`Organization ${reader.orgId} has no event log.`);
  return row;
}

/** An event, or none, and the state of the log in the same snapshot. */
export interface ForwardRow extends Row {
  body: string | null;
  moment: Moment | null;
  head: Moment;
  retained_from: Moment;
}

/** Reads events one by one, oldest first. Returns at least one row: without events, only the state of the log. */
export function selectForward(
  database: Pick<Database, 'prepared'>,
  orgId: string,
  selection: Selection,
  range: Range,
): Promise<ForwardRow[]> {
  const { text, values } = pageStatement({ orgId, keyId: null }, selection, range, forwardText);
  return database.prepared<ForwardRow>(text, values);
}

/** Returns the statement for a selection: one text for each set of filters, values as parameters. */
export function pageStatement(
  { orgId, keyId }: Reader,
  selection: Selection,
  range: Range,
  textOf = pageText,
) {
  if (selection.parts.length === 0) return { text: textOf(NOTHING), values: [orgId, keyId] };
  const values: unknown[] = [orgId, keyId, range.limit];
  const bind = (value: unknown, type: string) => `$${values.push(value)}::${type}`;

  const { parts, ...filters } = selection;
  const { actor, subject, ip, sync, occurredFrom, occurredTo } = filters;
  const isNarrow = actor !== null || subject !== null || ip !== null || sync !== null;
  const bounds = [
    'e.org_id = $1',
    `e.ingested_at > ${bind(momentToIso(range.after), 'timestamptz')}`,
    `e.ingested_at < ${bind(range.before === null ? 'infinity' : momentToIso(range.before), 'timestamptz')}`,
    'e.ingested_at between head.retained_from and head.last_ingested_at',
  ];
  if (actor !== null) bounds.push(`e.actor_uuid = ${bind(actor, 'uuid')}`);
  if (subject !== null) bounds.push(`e.subject_uuid = ${bind(subject, 'uuid')}`);
  if (ip !== null) bounds.push(`e.actor_ip = ${bind(ip, 'text')}`);
  const syncId = sync === null ? null : bind(sync, 'text');
  const from = occurredFrom === null ? null : bind(occurredFrom, 'timestamptz');
  const to = occurredTo === null ? null : bind(occurredTo, 'timestamptz');

  const order = range.from === 'top' ? 'desc' : 'asc';
  const pages = parts.map(({ catalog, types }) => {
    const ofPart = syncId === null ? bounds : [...bounds, ofSync(catalog, syncId)];
    const shape = { table: TABLES[catalog], order, bounds: ofPart, from, to, limit: '$3' } as const;
    if (types === null) return inOrder(shape, 'e.body, e.ingested_at');
    const typeList = bind(types, 'text[]');
    return isNarrow
      ? inOrder(
          { ...shape, bounds: [...ofPart, `e.event_type = any (${typeList})`] },
          'e.body, e.ingested_at',
        )
      : mergedByType(shape, typeList);
  });
  return { text: textOf(merged(pages, order)), values };
}

const NOTHING = 'select null::text as body, null::timestamptz as ingested_at where false';

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

const forwardText = (page: string) => `
  select page.body, ${inMicroseconds('page.ingested_at')} as moment,
    ${inMicroseconds('head.last_ingested_at')} as head,
    ${inMicroseconds(`greatest(head.retained_from, 'epoch')`)} as retained_from
  from event_head head left join lateral (${page}) page on true
  where head.org_id = $1 and $2::uuid is null order by page.ingested_at`;

/** Merges pages of several tables. Each of them is read in order, and no further than `limit`. */
const merged = (pages: string[], order: string) =>
  pages.length === 1
    ? (pages[0] ?? NOTHING)
    : `select * from (${pages.map((page) => `(${page})`).join(' union all ')}) both_catalogs
      order by ingested_at ${order} limit $3`;

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
    ) merged join ${shape.table} e on e.org_id = $1 and e.ingested_at = merged.ingested_at`;
}

/** Reads one event and the validity of the key. */
export async function selectEvent(
  database: Pick<Database, 'prepared'>,
  { orgId, keyId }: Reader,
  eventId: string,
) {
  const [row] = await database.prepared<{ body: string | null; live: boolean }>(EVENT, [
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
    `select $1::uuid is not null and ${LIVE} as live`,
    [orgId, keyId],
  );
  return row?.live === true;
}
