import type { Static } from 'typebox';
import { configurationCatalog } from './configuration-catalog.ts';
import { contractCatalog } from './contract-catalog.ts';
import { withDescriptions } from './field-descriptions.ts';

export { SUBJECT_TYPES } from './payloads.ts';

/**
 * All event types and their payloads, from both catalogs (D43). Other types cannot be recorded, and a payload of another
 * shape does not compile. docs/events.md and `GET /api/event-types/` are generated from this file.
 *
 * Within an `event_version` a payload may gain optional fields, but never lose or rename one.
 */
export const catalog = withDescriptions({ ...contractCatalog, ...configurationCatalog });

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
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;

export type CatalogName = (typeof CATALOG_NAMES)[number];
export type Category = (typeof CATEGORIES)[number];
export type Severity = (typeof SEVERITIES)[number];

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

/** Types that are not listed are `info`. Protocol 6.2 lists those of the contract. */
const SEVERITY_OF_TYPE: Record<string, Severity> = {
  'session.ip_blocked': 'critical',
  'session.login.failed': 'high',
  'task.failed': 'high',
  'ticket.denied': 'high',
  'user.deactivated': 'high',
  'account.deprovisioned': 'high',
  'app.sync.failed': 'medium',
  'task.dispatch_blocked': 'medium',
  'session.login.succeeded': 'low',
  'session.login.unsolicited': 'low',
  'session.logout': 'low',
  'task.completed': 'low',
  'user.updated': 'low',
  'app.created': 'low',
  'role.changed': 'high',
  'provider.created': 'high',
  'provider.updated': 'high',
  'provider.deleted': 'high',
  'organization.suspended': 'high',
  'organization.deletion_ordered': 'high',
  'app.sync.superseded': 'medium',
  'factor.count_fell': 'medium',
  'factor.removed': 'medium',
  'people.change_held': 'high',
  'people.change_confirmed': 'medium',
  'people.change_discarded': 'medium',
  'person.external_id_changed': 'medium',
  'person.succeeded': 'medium',
  'scim.attribute_ignored': 'low',
  'scim.request_refused': 'low',
  'second_person.waived': 'high',
  'provider_link.refused': 'high',
  'provider_link.removed': 'medium',
  'key.transferred': 'medium',
  'password.link_created': 'medium',
  'password.link_requested': 'medium',
  'policy.held': 'medium',
  'policy.undecided': 'medium',
  'privileged_call.refused': 'medium',
  'removal_budget.confirmed': 'medium',
  'removal_budget.exceeded': 'medium',
  'removal_guard.approved': 'medium',
  'restore.created': 'medium',
  'secrets.rotated': 'medium',
  'sync.reverted': 'medium',
  'webhook.event_skipped': 'medium',
  'webhook.failing': 'medium',
};

export type EventType = keyof typeof catalog;
export type ContractType = keyof typeof contractCatalog;
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
export const severityOf = (type: EventType): Severity => SEVERITY_OF_TYPE[type] ?? 'info';
