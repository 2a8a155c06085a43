import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { SOURCE_TYPES, type SourceType } from '../identity/cause.ts';
import { Nullable, Uuid } from '../platform/http/schemas.ts';

/**
 * All event types (protocol 6.3) and their payloads. Other types cannot be recorded, and a payload of another shape does
 * not compile. docs/events.md and `GET /api/event-types/` are generated from this file.
 *
 * Within an `event_version` a payload may gain optional fields, but never lose or rename one.
 */

export const CATEGORIES = [
  'authentication',
  'authorization',
  'application',
  'task',
  'user_lifecycle',
] as const;
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
export const SUBJECT_TYPES = [
  'platform_user',
  'app_user',
  'app',
  'app_group',
  'task',
  'ticket',
  'system',
] as const;

export type Category = (typeof CATEGORIES)[number];
export type Severity = (typeof SEVERITIES)[number];
export type SubjectType = (typeof SUBJECT_TYPES)[number];

/** The category of each type, by its first word (protocol 6.1). */
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

/** Types that are not listed are `info` (protocol 6.2). */
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
  'session.logout': 'low',
  'task.completed': 'low',
  'user.updated': 'low',
  'app.created': 'low',
};

interface Entry<P extends TProperties, Subject extends SubjectType, Source extends SourceType> {
  meaning: string;
  version: number;
  subjects: readonly Subject[];
  sources: readonly Source[];
  payload: TObject<P>;
}

const define = <P extends TProperties, Subject extends SubjectType, Source extends SourceType>(
  meaning: string,
  subjects: readonly Subject[],
  sources: readonly Source[],
  payload: P,
): Entry<P, Subject, Source> => ({ meaning, version: 1, subjects, sources, payload: Type.Object(payload) });

// Parts of payloads -----------------------------------------------------------------------------------------------

const Text = Type.String();
const Timestamp = Type.Unsafe<Date | string>({ type: 'string', format: 'date-time' });
const MaybeText = Nullable(Type.String());
const Count = Type.Integer({ minimum: 0 });

const app = { app_id: Uuid, app_name: Text };

/** The account after the change. */
const account = {
  account_id: Uuid,
  external_id: Type.Optional(MaybeText),
  email: Text,
  username: Type.Optional(Text),
  display_name: Type.Optional(Text),
  user_id: Type.Optional(Nullable(Uuid)),
};

/** A change of an account: the status before and after, and the task or sync that made it. */
const accountChange = {
  ...app,
  ...account,
  status: Text,
  previous_status: Type.Optional(MaybeText),
  reason: Type.Optional(Text),
  task_id: Type.Optional(Uuid),
  sync_id: Type.Optional(Uuid),
};

const membership = {
  ...app,
  ...account,
  resource_type: Type.String({ description: "The slug of the group's resource type." }),
  group_id: Uuid,
  group_external_id: Text,
  group_name: Text,
  kind: Type.Optional(Type.Enum(['group', 'license'])),
  reason: Type.Optional(Text),
  task_id: Type.Optional(Uuid),
  sync_id: Type.Optional(Uuid),
};

const person = { user_id: Uuid, email: Text, username: Type.Optional(Text), name: Type.Optional(Text) };

/** `session_id` is an id of the session, never its secret. */
const session = { ...person, session_id: Type.Optional(Text), method: Type.Optional(Text) };

const apiKey = { api_key_id: Uuid, name: Text };

const ticket = {
  ...app,
  ticket_id: Uuid,
  label: Text,
  ticket_type: Text,
  requester_id: Uuid,
  requester_email: Text,
  user_id: Type.Optional(Nullable(Uuid)),
  email: Type.Optional(Text),
  account_id: Type.Optional(Nullable(Uuid)),
};

const task = {
  ...app,
  task_id: Uuid,
  action: Type.Enum([
    'create_account',
    'update_account',
    'delete_account',
    'suspend_account',
    'unsuspend_account',
    'reset_password',
  ]),
  task_type: Type.Optional(Text),
  account_id: Uuid,
  external_id: Type.Optional(MaybeText),
  email: Type.Optional(Text),
  user_id: Type.Optional(Nullable(Uuid)),
};

const Changes = Type.Array(Type.Object({ field: Text, from: Type.Unknown(), to: Type.Unknown() }));

const BY_PERSON = ['user_action', 'api', 'system', 'schedule'] as const;
const BY_ANYTHING = SOURCE_TYPES;

// The catalog -----------------------------------------------------------------------------------------------------

export const catalog = {
  'session.login.succeeded': define('User logged in', ['platform_user'], ['user_action', 'api'], {
    ...session,
    provider: Type.Optional(MaybeText),
    second_factor: Type.Optional(Type.Boolean()),
  }),
  'session.login.failed': define(
    'Failed login attempt',
    ['platform_user', 'system'],
    ['user_action', 'api'],
    {
      identifier: Type.String({ description: 'The name as typed. It may not belong to any person.' }),
      reason: Text,
      method: Type.Optional(Text),
      user_id: Type.Optional(Nullable(Uuid)),
      failures: Type.Optional(Count),
    },
  ),
  'session.logout': define('User logged out', ['platform_user'], ['user_action', 'api', 'system'], session),
  'session.ip_blocked': define(
    'IP blocked after repeated failed logins',
    ['system', 'platform_user'],
    ['system', 'user_action', 'api'],
    {
      ip: Text,
      failures: Count,
      window_seconds: Type.Optional(Count),
      blocked_until: Timestamp,
      identifiers: Type.Optional(Type.Array(Text)),
    },
  ),
  'session.expired': define(
    'Session expired',
    ['platform_user'],
    ['system', 'schedule', 'user_action', 'api'],
    {
      ...session,
      started_at: Type.Optional(Timestamp),
      expired_at: Type.Optional(Timestamp),
    },
  ),
  'warp.login.attempted': define(
    'Browser/API based app login initiated',
    ['app'],
    ['api', 'user_action', 'sync', 'task', 'system'],
    {
      ...app,
      method: Type.Enum(['api', 'browser']),
    },
  ),
  'warp.login.failed': define(
    'Browser/API based app login failed',
    ['app'],
    ['api', 'user_action', 'sync', 'task', 'system'],
    {
      ...app,
      method: Type.Enum(['api', 'browser']),
      message: Type.Optional(MaybeText),
    },
  ),
  'api_key.created': define(
    'API key created',
    ['platform_user', 'system'],
    ['user_action', 'api', 'system'],
    {
      ...apiKey,
      scopes: Type.Array(Text),
      apps: Nullable(
        Type.Array(Uuid, { description: 'The apps that the key may access. Null means all apps.' }),
      ),
      expires_at: Nullable(Timestamp),
    },
  ),
  'api_key.revoked': define(
    'API key revoked or deleted',
    ['platform_user', 'system'],
    ['user_action', 'api', 'system'],
    {
      ...apiKey,
      reason: Type.Optional(Text),
      last_used_at: Type.Optional(Nullable(Timestamp)),
    },
  ),
  'api_key.used': define('API key used to authenticate a request', ['platform_user', 'system'], ['api'], {
    ...apiKey,
    scopes: Type.Optional(Type.Array(Text)),
    method: Type.Optional(Text),
    route: Type.Optional(
      Type.String({ description: 'The address of the request, with placeholders instead of ids.' }),
    ),
  }),
  'account.provisioned': define('Account granted access to an app', ['app_user'], BY_ANYTHING, accountChange),
  'account.deprovisioned': define('Account removed from an app', ['app_user'], BY_ANYTHING, accountChange),
  'account.activated': define(
    'Account went from invited to active',
    ['app_user'],
    BY_ANYTHING,
    accountChange,
  ),
  'account.suspended': define('Account suspended in an app', ['app_user'], BY_ANYTHING, accountChange),
  'account.unsuspended': define('Suspended account reactivated', ['app_user'], BY_ANYTHING, accountChange),
  'account.group.added': define(
    'Account added to an app group',
    ['app_user', 'app_group'],
    BY_ANYTHING,
    membership,
  ),
  'account.group.removed': define(
    'Account removed from an app group',
    ['app_user', 'app_group'],
    BY_ANYTHING,
    membership,
  ),
  'ticket.created': define('Access request ticket created', ['ticket'], BY_PERSON, {
    ...ticket,
    comment: Type.Optional(MaybeText),
    start_time: Type.Optional(Nullable(Timestamp)),
    end_time: Type.Optional(Nullable(Timestamp)),
  }),
  'ticket.approved': define('Ticket approved', ['ticket'], BY_PERSON, {
    ...ticket,
    comment: Type.Optional(MaybeText),
    override: Type.Optional(Type.Boolean()),
    approvers: Type.Optional(Type.Array(Uuid)),
  }),
  'ticket.denied': define('Ticket denied', ['ticket'], BY_PERSON, {
    ...ticket,
    comment: Type.Optional(MaybeText),
    override: Type.Optional(Type.Boolean()),
    reason: Type.Optional(Text),
  }),
  'app.created': define('New app connected', ['app'], BY_PERSON, {
    ...app,
    clone_from: Type.Optional(Nullable(Uuid)),
  }),
  'app.connected': define('App connection established', ['app'], BY_ANYTHING, {
    ...app,
    reason: Type.Optional(Text),
    previous_status: Type.Optional(Text),
  }),
  'app.disconnected': define('App disconnected', ['app'], BY_ANYTHING, {
    ...app,
    reason: Type.Optional(Text),
    previous_status: Type.Optional(Text),
  }),
  'app.sync.started': define('App sync initiated', ['app'], ['sync', 'api'], { ...app, sync_id: Uuid }),
  'app.sync.completed': define('App sync completed', ['app'], ['sync', 'api'], {
    ...app,
    sync_id: Uuid,
    outcome: Type.Enum(['completed', 'abandoned']),
    baseline: Type.Optional(
      Type.Boolean({
        description:
          'Whether this is the first completed sync of the app. It records no events for single records.',
      }),
    ),
    counts: Type.Object({ created: Count, updated: Count, unchanged: Count, removed: Count }),
    membership_counts: Type.Object({ added: Count, removed: Count }),
    started_at: Type.Optional(Timestamp),
  }),
  'app.sync.failed': define(
    'App sync failed',
    ['app'],
    ['sync', 'api', 'system', 'schedule', 'user_action'],
    {
      ...app,
      sync_id: Uuid,
      reason: Text,
      error_code: Type.Optional(MaybeText),
      message: Type.Optional(MaybeText),
      superseded_by: Type.Optional(Nullable(Uuid)),
    },
  ),
  'app.sync.paused': define('App sync paused', ['app'], ['sync', 'api', 'system'], {
    ...app,
    sync_id: Uuid,
    reason: Text,
    held: Type.Object({ accounts: Count, memberships: Count }),
    guard: Type.Optional(Type.Object({ percent: Type.Number(), at_least: Count })),
  }),
  'app.connection_request.created': define(
    'App connection request submitted',
    ['system', 'app', 'platform_user'],
    BY_PERSON,
    {
      request_id: Type.Optional(Uuid),
      app_name: Text,
      reason: MaybeText,
      requester_id: Type.Optional(Uuid),
      requester_email: Type.Optional(Text),
    },
  ),
  'task.created': define('Task created', ['task'], BY_ANYTHING, {
    ...task,
    execute_after: Type.Optional(Timestamp),
    reason: Type.Optional(MaybeText),
  }),
  'task.dispatched': define('Task dispatched to a runner', ['task'], BY_ANYTHING, {
    ...task,
    api_key_id: Type.Optional(Nullable(Uuid)),
  }),
  'task.completed': define('Task completed', ['task'], BY_ANYTHING, task),
  'task.failed': define('Task failed', ['task'], BY_ANYTHING, {
    ...task,
    error: Type.Object({ code: Text, message: Text }),
    will_retry: Type.Optional(Type.Boolean()),
  }),
  'task.retried': define('Task retried after failure', ['task'], BY_ANYTHING, {
    ...task,
    retry_of: Uuid,
    attempt: Type.Optional(Count),
    execute_after: Type.Optional(Timestamp),
  }),
  'task.preempted': define('Task preempted by a higher-priority task', ['task'], BY_ANYTHING, {
    ...task,
    preempted_by: Uuid,
  }),
  'task.cancelled': define('Task cancelled', ['task'], BY_ANYTHING, {
    ...task,
    reason: Type.Optional(MaybeText),
  }),
  'task.dispatch_blocked': define('Task blocked from dispatch due to a conflict', ['task'], BY_ANYTHING, {
    ...task,
    blocked_by: Type.Optional(Nullable(Uuid)),
    reason: Type.Optional(Text),
  }),
  'user.created': define('Platform user created', ['platform_user'], BY_ANYTHING, {
    ...person,
    identity_type: Type.Optional(Text),
    domain_type: Type.Optional(Text),
    manager_id: Type.Optional(Nullable(Uuid)),
    role: Type.Optional(Text),
  }),
  'user.updated': define(
    'Platform user profile updated (domain type or manager changed)',
    ['platform_user'],
    BY_ANYTHING,
    {
      ...person,
      changes: Changes,
    },
  ),
  'user.deactivated': define('Platform user deactivated', ['platform_user'], BY_ANYTHING, {
    ...person,
    reason: Type.Optional(MaybeText),
  }),
  'user.reactivated': define('Platform user reactivated', ['platform_user'], BY_ANYTHING, {
    ...person,
    reason: Type.Optional(MaybeText),
  }),
  'user.deleted': define('Platform user hard-deleted', ['platform_user'], BY_ANYTHING, {
    ...person,
    reason: Type.Optional(MaybeText),
  }),
  'user.identity_type.changed': define(
    'Platform user identity type changed (for example human to service_account)',
    ['platform_user'],
    BY_ANYTHING,
    { ...person, from: Text, to: Text },
  ),
};

export type EventType = keyof typeof catalog;
export type Payload<T extends EventType> = Static<(typeof catalog)[T]['payload']>;
export type SubjectOf<T extends EventType> = (typeof catalog)[T]['subjects'][number];
export type SourceOf<T extends EventType> = (typeof catalog)[T]['sources'][number];

export const EVENT_TYPES = Object.keys(catalog) as EventType[];

export const isEventType = (text: string): text is EventType => Object.hasOwn(catalog, text);

/** Returns the category of a type (protocol 6.1). */
export function categoryOf(type: EventType): Category {
  const category = CATEGORY_OF_PREFIX[type.slice(0, type.indexOf('.'))];
  if (category === undefined) throw new Error(`No category for events of type ${type}.`);
  return category;
}

/** Returns the severity of a type (protocol 6.2). */
export const severityOf = (type: EventType): Severity => SEVERITY_OF_TYPE[type] ?? 'info';
