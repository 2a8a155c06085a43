import type { Event } from './events-api.ts';
import { ocsfClasses } from './ocsf-classes.ts';

/**
 * Maps events to the Open Cybersecurity Schema Framework, version 1.4. Fields without an OCSF counterpart go to
 * `unmapped`, so that nothing is lost.
 */
const VERSION = '1.4.0';

const CLASSES = {
  account_change: 3001,
  authentication: 3002,
  entity_management: 3004,
  user_access: 3005,
  group_management: 3006,
  api_activity: 6003,
} as const;

const OTHER = 99;
const SEVERITY: Record<string, number> = { info: 1, low: 2, medium: 3, high: 4, critical: 5 };
const SUCCESS = 1;
const FAILURE = 2;

export type Class = keyof typeof CLASSES;

/** The activity of an API call, by its method. */
const API_ACTIVITY: Record<string, number> = { POST: 1, GET: 2, PUT: 3, PATCH: 3, DELETE: 4 };
/** Other events are changes of an entity, such as an app, a task or a setting. */
const FALLBACK: readonly [Class, number] = ['entity_management', 3];

export function toOcsf(event: Event): Record<string, unknown> {
  const { actor, payload } = event;
  const [name, usual] = ocsfClasses[event.event_type] ?? FALLBACK;
  const activity = name === 'api_activity' ? (API_ACTIVITY[String(payload.method)] ?? OTHER) : usual;
  return {
    category_uid: Math.floor(CLASSES[name] / 1000),
    class_uid: CLASSES[name],
    activity_id: activity,
    type_uid: CLASSES[name] * 100 + activity,
    time: Date.parse(event.occurred_at),
    severity_id: SEVERITY[event.severity] ?? 0,
    status_id: /[.](failed|denied|refused|ip_blocked)$/.test(event.event_type) ? FAILURE : SUCCESS,
    metadata: {
      version: VERSION,
      uid: event.event_id,
      event_code: event.event_type,
      log_version: String(event.event_version),
      logged_time: Date.parse(event.ingested_at),
      product: { name: 'Gatehouse', vendor_name: 'Gatehouse' },
    },
    actor: { user: { type: actor.type, ...(actor.uuid === null ? {} : { uid: actor.uuid }) } },
    ...(actor.ip === undefined ? {} : { src_endpoint: { ip: actor.ip } }),
    ...(actor.user_agent === undefined ? {} : { http_request: { user_agent: actor.user_agent } }),
    ...objectOf(name, event),
    ...(payload.app_id === undefined ? {} : { resource: { uid: payload.app_id, name: payload.app_name } }),
    unmapped: { category: event.category, subject: event.subject, source: event.source, payload },
  };
}

/** Returns the object that the class requires: the user, group or entity that changed. */
function objectOf(name: Class, { subject, payload }: Event): Record<string, unknown> {
  const user = {
    uid: subject.uuid,
    ...(payload.email === undefined ? {} : { email_addr: payload.email }),
    ...(payload.username === undefined ? {} : { name: payload.username }),
  };
  switch (name) {
    case 'entity_management':
      return {
        entity: {
          uid: subject.uuid,
          type: subject.type,
          name: payload.app_name ?? payload.name ?? payload.action ?? payload.what,
        },
      };
    case 'group_management':
      return { user, group: { uid: payload.group_id, name: payload.group_name } };
    case 'user_access':
      return payload.label === undefined
        ? { user, privileges: [(payload.resource as { name?: string } | null)?.name ?? String(payload.kind)] }
        : {
            user: { uid: payload.requester_id, email_addr: payload.requester_email },
            privileges: [String(payload.label)],
          };
    case 'api_activity':
      return {
        api: {
          operation: `${payload.method} ${payload.route}`,
          response: { code: payload.status, message: payload.reason },
        },
      };
    default:
      return { user };
  }
}
