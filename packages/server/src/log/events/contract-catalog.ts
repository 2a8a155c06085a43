import { Type } from 'typebox';
import { Nullable, Uuid } from '../../kit/http/schemas.ts';
import {
  accountChange,
  apiKey,
  app,
  BY_ANYTHING,
  BY_PERSON,
  Changes,
  Count,
  confirmation,
  define,
  held,
  MaybeText,
  membership,
  person,
  session,
  Text,
  Timestamp,
  task,
  ticket,
} from './payloads.ts';

/** The 42 event types of protocol 6.3. The list is closed: other types belong to the configuration catalog (D43). */
export const contractCatalog = {
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
    outcome: Type.Optional(
      Nullable(
        Type.String({
          description: 'The groups and licenses that were not granted, and why. Null if all were.',
        }),
      ),
    ),
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
  'app.sync.started': define('App sync initiated', ['app'], ['sync', 'api', 'user_action'], {
    ...app,
    sync_id: Uuid,
  }),
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
    unseen_counts: Type.Optional(Type.Object({ records: Count, members: Count })),
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
      rejected_by: Type.Optional(Uuid),
    },
  ),
  'app.sync.paused': define('App sync paused', ['app'], ['sync', 'api', 'system'], {
    ...app,
    sync_id: Uuid,
    reason: Text,
    held,
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
    username: Type.Optional(Text),
  }),
  'task.dispatched': define('Task dispatched to a runner', ['task'], BY_ANYTHING, {
    ...task,
    api_key_id: Type.Optional(Nullable(Uuid)),
  }),
  'task.completed': define('Task completed', ['task'], BY_ANYTHING, {
    ...task,
    manual: Type.Optional(Type.Boolean()),
    note: Type.Optional(Text),
    reason: Type.Optional(Nullable(Text)),
    ...confirmation,
  }),
  'task.failed': define('Task failed', ['task'], BY_ANYTHING, {
    ...task,
    manual: Type.Optional(Type.Boolean()),
    error: Type.Object({ code: Text, message: Text }),
    will_retry: Type.Optional(Type.Boolean()),
    ...confirmation,
  }),
  'task.retried': define('Task retried after failure', ['task'], BY_ANYTHING, {
    ...task,
    retry_of: Uuid,
    attempt: Type.Optional(Count),
    execute_after: Type.Optional(Timestamp),
    username: Type.Optional(Text),
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
