import type { Static } from 'typebox';
import { accountsEvents } from './catalog/accounts.ts';
import { appsEvents } from './catalog/apps.ts';
import { connectorsEvents } from './catalog/connectors.ts';
import { contractAccessEvents } from './catalog/contract-access.ts';
import { contractAppsEvents } from './catalog/contract-apps.ts';
import { contractSignInEvents } from './catalog/contract-sign-in.ts';
import { findingsEvents } from './catalog/findings.ts';
import { organizationEvents } from './catalog/organization.ts';
import { peopleEvents } from './catalog/people.ts';
import { policiesEvents } from './catalog/policies.ts';
import { queriesEvents } from './catalog/queries.ts';
import { receiversEvents } from './catalog/receivers.ts';
import { requestsEvents } from './catalog/requests.ts';
import { reviewsEvents } from './catalog/reviews.ts';
import { signInEvents } from './catalog/sign-in.ts';
import type { Severity } from './payloads.ts';

export { SEVERITIES, SUBJECT_TYPES } from './payloads.ts';

/** The 42 event types of protocol 6.3. The list is closed: other types belong to the configuration catalog (D43). */
const contractCatalog = { ...contractSignInEvents, ...contractAccessEvents, ...contractAppsEvents };

/**
 * The event types that the protocol does not name (D43): changes that administrators make and decisions that people
 * take. Only `session.login.unsolicited` (D86) and `app.sync.superseded` begin like types of the protocol: their prefixes find them
 * with `catalog` only (filters.ts).
 */
const configurationCatalog = {
  ...connectorsEvents,
  ...policiesEvents,
  ...reviewsEvents,
  ...requestsEvents,
  ...receiversEvents,
  ...accountsEvents,
  ...appsEvents,
  ...signInEvents,
  ...peopleEvents,
  ...organizationEvents,
  ...findingsEvents,
  ...queriesEvents,
};

/**
 * All event types and their payloads, from both catalogs (D43). Other types cannot be recorded, and a payload of another
 * shape does not compile. docs/reference/events.md, `GET /api/event-types/`, the sentences of the console and the OCSF classes of the command
 * line come from here.
 *
 * Within an `event_version` a payload may gain optional fields, but never lose or rename one.
 */
export const catalog = { ...contractCatalog, ...configurationCatalog };

export const CATALOG_NAMES = ['contract', 'configuration'] as const;
/** The catalogs that a reader of events can choose. `contract` is the default. */
export const CATALOGS = [...CATALOG_NAMES, 'all'] as const;
export const CATEGORIES = [
  'authentication',
  'authorization',
  'application',
  'task',
  'user_lifecycle',
  'configuration',
] as const;
export type CatalogName = (typeof CATALOG_NAMES)[number];
export type Category = (typeof CATEGORIES)[number];

/** The category of each type of the contract, by its first word (protocol 6.1). */
const CATEGORY_OF_PREFIX: Record<string, Category> = {
  session: 'authentication',
  warp: 'authentication',
  api_key: 'authentication',
  account: 'authorization',
  ticket: 'authorization',
  app: 'application',
  task: 'task',
  user: 'user_lifecycle',
};

export type EventType = keyof typeof catalog;
export type Payload<T extends EventType> = Static<(typeof catalog)[T]['payload']>;
export type SubjectOf<T extends EventType> = (typeof catalog)[T]['subjects'][number];
export type SourceOf<T extends EventType> = (typeof catalog)[T]['sources'][number];

export const EVENT_TYPES = Object.keys(catalog) as EventType[];
export const TYPES_OF_CATALOG: Record<CatalogName, EventType[]> = {
  contract: Object.keys(contractCatalog) as EventType[],
  configuration: Object.keys(configurationCatalog) as EventType[],
};

export const isEventType = (text: string): text is EventType => Object.hasOwn(catalog, text);

/** Returns the catalog that a type belongs to. */
export const catalogOf = (type: EventType): CatalogName =>
  Object.hasOwn(contractCatalog, type) ? 'contract' : 'configuration';

/** Returns the category of a type: protocol 6.1 for those of the contract, `configuration` for all others. */
export function categoryOf(type: EventType): Category {
  if (catalogOf(type) === 'configuration') return 'configuration';
  const category = CATEGORY_OF_PREFIX[type.slice(0, type.indexOf('.'))];
  if (category === undefined) throw new Error(`No category for events of type ${type}.`);
  return category;
}

/** Returns the severity of a type (protocol 6.2). */
export const severityOf = (type: EventType): Severity => catalog[type].severity ?? 'info';
