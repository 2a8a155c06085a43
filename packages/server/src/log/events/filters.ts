import { type Static, type TObject, Type } from 'typebox';
import { isUuid } from '#kit/ids.ts';
import { instantForSql, isInstant } from '#kit/instants.ts';
import { canonicalIp } from '#kit/ip.ts';
import {
  CATALOG_NAMES,
  CATALOGS,
  CATEGORIES,
  type CatalogName,
  categoryOf,
  type EventType,
  isEventType,
  SEVERITIES,
  severityOf,
  TYPES_OF_CATALOG,
} from './catalog.ts';
import { eventRefusals } from './sentences.ts';

const text = (description: string) => Type.Optional(Type.String({ description }));

/** The filters of the log (protocol 4.11), and the catalog (D43). */
export const eventFilters = {
  catalog: text(
    `One of ${CATALOGS.join(', ')}. Default: contract, or both catalogs if event_type, event_type_prefix, category or sync_uuid is given.`,
  ),
  event_type: text('Exact match.'),
  event_type_prefix: text(
    'Prefix match. Must end with a dot. Without `catalog`, a prefix that types of both catalogs have finds those of the contract.',
  ),
  category: text(`One of ${CATEGORIES.join(', ')}.`),
  severity: text(`Comma-separated list of ${SEVERITIES.join(', ')}.`),
  occurred_at__gte: text('At or after this time, ISO 8601.'),
  occurred_at__lte: text('At or before this time, ISO 8601.'),
  actor_uuid: text('UUID of the actor.'),
  subject_uuid: text('UUID of the subject.'),
  actor_ip: text('IP address of the actor.'),
  sync_uuid: text(
    'UUID of a sync session: the start and end of the sync, held removals, and a revert. Both catalogs by default.',
  ),
};
export const FILTER_NAMES = Object.keys(eventFilters) as (keyof typeof eventFilters)[];

/** The filters as given. A cursor carries them (D36). */
export type Filters = Static<TObject<typeof eventFilters>>;

/** The events of a sync itself. `event_contract_by_sync` and `event_configuration_by_sync` index these. */
export const SYNC_TYPES: Record<CatalogName, EventType[]> = {
  contract: ['app.sync.started', 'app.sync.completed', 'app.sync.failed', 'app.sync.paused'],
  configuration: ['removal_guard.approved', 'removal_guard.rejected', 'sync.reverted', 'app.sync.superseded'],
};

/** The filters as a query runs them: catalog, type, prefix, category and severity become lists of types. */
export interface Selection {
  /** The catalogs to read. For each the types: null selects all of them. No part at all selects nothing. */
  parts: { catalog: CatalogName; types: EventType[] | null }[];
  occurredFrom: string | null;
  occurredTo: string | null;
  actor: string | null;
  subject: string | null;
  ip: string | null;
  sync: string | null;
}

/** Returns the filters in `query`, or undefined if it has none. */
export function filtersOf(query: Filters): Filters | undefined {
  const given = FILTER_NAMES.filter((name) => query[name] !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given.map((name) => [name, query[name]]));
}

/** Throws `invalid` for a value that is not allowed (D38). */
export function selectionOf(filters: Filters): Selection {
  return {
    parts: partsOf(filters),
    occurredFrom: instant('occurred_at__gte', filters.occurred_at__gte),
    occurredTo: instant('occurred_at__lte', filters.occurred_at__lte),
    actor: uuid('actor_uuid', filters.actor_uuid),
    subject: uuid('subject_uuid', filters.subject_uuid),
    ip: filters.actor_ip === undefined ? null : canonicalIp(filters.actor_ip),
    sync: uuid('sync_uuid', filters.sync_uuid),
  };
}

/**
 * Returns the catalogs that the filters select, and their types. Without `catalog`, a filter that names types, or a sync,
 * finds those of either catalog. A prefix of the contract's types finds these only, and so do all other filters (D43).
 */
function partsOf(filters: Filters): Selection['parts'] {
  const { catalog, event_type, event_type_prefix, category, sync_uuid } = filters;
  const namesTypes = [event_type, event_type_prefix, category, sync_uuid].some(
    (given) => given !== undefined,
  );
  const isOfContract =
    event_type_prefix !== undefined &&
    TYPES_OF_CATALOG.contract.some((type) => type.startsWith(event_type_prefix));
  const assumed = namesTypes && !isOfContract ? 'all' : 'contract';
  const wanted = catalog === undefined ? assumed : oneOf('catalog', catalog, CATALOGS);
  const isWanted = typeTest(filters);
  return CATALOG_NAMES.filter((name) => wanted === 'all' || wanted === name)
    .map((name) => ({
      catalog: name,
      all: TYPES_OF_CATALOG[name],
      types: TYPES_OF_CATALOG[name].filter(isWanted),
    }))
    .filter(({ types }) => types.length > 0)
    .map(({ all, types, ...part }) => ({ ...part, types: types.length === all.length ? null : types }));
}

function typeTest({
  event_type,
  event_type_prefix,
  category,
  severity,
  sync_uuid,
}: Filters): (type: EventType) => boolean {
  const tests: ((type: EventType) => boolean)[] = [];
  if (event_type !== undefined) {
    if (!isEventType(event_type)) throw eventRefusals.event_type_unknown({ event_type });
    tests.push((type) => type === event_type);
  }
  if (event_type_prefix !== undefined) {
    if (!event_type_prefix.endsWith('.')) throw eventRefusals.event_prefix_without_dot();
    tests.push((type) => type.startsWith(event_type_prefix));
  }
  if (category !== undefined) {
    const wanted = oneOf('category', category, CATEGORIES);
    tests.push((type) => categoryOf(type) === wanted);
  }
  if (severity !== undefined) {
    const wanted = new Set(severity.split(',').map((part) => oneOf('severity', part.trim(), SEVERITIES)));
    tests.push((type) => wanted.has(severityOf(type)));
  }
  if (sync_uuid !== undefined)
    tests.push((type) => CATALOG_NAMES.some((name) => SYNC_TYPES[name].includes(type)));
  return (type) => tests.every((test) => test(type));
}

function oneOf<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw eventRefusals.event_filter_unknown_value({ allowed, name });
  return found;
}

function instant(name: string, value: string | undefined): string | null {
  if (value === undefined) return null;
  if (!isInstant(value)) throw eventRefusals.event_filter_not_date_time({ name });
  return instantForSql(value);
}

function uuid(name: string, value: string | undefined): string | null {
  if (value === undefined) return null;
  if (!isUuid(value)) throw eventRefusals.event_filter_not_uuid({ name });
  return value.toLowerCase();
}
