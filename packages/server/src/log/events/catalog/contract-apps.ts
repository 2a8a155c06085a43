import { Type } from 'typebox';
import { Nullable, Uuid } from '#kit/schemas.ts';
import {
  app,
  BY_ANYTHING,
  BY_PERSON,
  Count,
  confirmation,
  define,
  field,
  held,
  MaybeText,
  optional,
  Text,
  Timestamp,
  task,
} from '../payloads.ts';

/** Apps, syncs and tasks. */
export const contractAppsEvents = {
  'app.created': define('New app connected', ['app'], BY_PERSON, {
    severity: 'low',
    ocsf: ['entity_management', 1],
    sentence: '{who} added the app {app}',
    payload: { ...app, clone_from: optional('The app whose settings were copied.', Nullable(Uuid)) },
  }),
  'app.connected': define('App connection established', ['app'], BY_ANYTHING, {
    sentence: '{app} is connected',
    quote: ['reason'],
    payload: {
      ...app,
      reason: optional('Why it happened.', Text),
      previous_status: optional('The status before. Null if there was none.', Text),
    },
  }),
  'app.disconnected': define('App disconnected', ['app'], BY_ANYTHING, {
    sentence: '{app} is disconnected',
    quote: ['reason'],
    payload: {
      ...app,
      reason: optional('Why it happened.', Text),
      previous_status: optional('The status before. Null if there was none.', Text),
    },
  }),
  'app.sync.started': define('App sync initiated', ['app'], ['sync', 'api', 'user_action'], {
    sentence: 'A sync of {app} started',
    payload: { ...app, sync_id: field('The sync.', Uuid) },
  }),
  'app.sync.completed': define('App sync completed', ['app'], ['sync', 'api'], {
    sentence:
      '{outcome, select, abandoned {A sync of {app} was abandoned after importing its records: {changes}} other {{baseline, select, true {The first sync of {app} completed: {changes}} other {A sync of {app} completed: {changes}}}}}',
    payload: {
      ...app,
      sync_id: field('The sync.', Uuid),
      outcome: field(
        'Whether the sync completed, or its connector ended it early.',
        Type.Enum(['completed', 'abandoned']),
      ),
      baseline: Type.Optional(
        Type.Boolean({
          description:
            'Whether this is the first completed sync of the app. It records no events for single records.',
        }),
      ),
      counts: field(
        'The number of records by what the sync did with them.',
        Type.Object({
          created: field('New records.', Count),
          updated: field('Changed records.', Count),
          unchanged: field('Records without a change.', Count),
          removed: field('Records that no longer exist.', Count),
        }),
      ),
      membership_counts: field(
        'The number of memberships that the sync changed.',
        Type.Object({
          added: field('New memberships.', Count),
          removed: field('Memberships that no longer exist.', Count),
        }),
      ),
      started_at: optional('The time at which it started.', Timestamp),
      unseen_counts: optional(
        'The sums of what the connector reported but could not show. Missing if nothing.',
        Type.Object({
          records: field('The number of records.', Count),
          members: field('The number of members of groups and holders of licenses.', Count),
        }),
      ),
    },
  }),
  'app.sync.failed': define(
    'App sync failed',
    ['app'],
    ['sync', 'api', 'system', 'schedule', 'user_action'],
    {
      severity: 'medium',
      sentence:
        '{ended, select, rejected {A sync of {app} ended without its removals, which {rejected_by} rejected} discarded {A sync of {app} ended because its spreadsheet was discarded} superseded {A sync of {app} ended because a newer one began} other {A sync of {app} failed}}',
      quote: ['message', 'reason'],
      people: ['rejected_by'],
      payload: {
        ...app,
        sync_id: field('The sync.', Uuid),
        reason: field('Why it happened.', Text),
        error_code: optional('The code of the error.', MaybeText),
        message: optional('The message of the error.', MaybeText),
        superseded_by: optional('The newer sync that replaced this one.', Nullable(Uuid)),
        rejected_by: optional('The person who rejected the removals that the removal guard had held.', Uuid),
      },
    },
  ),
  'app.sync.paused': define('App sync paused', ['app'], ['sync', 'api', 'system'], {
    sentence:
      '{because, select, no_accounts {A sync of {app} is held for approval because it pushed no account and would take away {accounts, plural, one {# account} other {# accounts}}} other {A sync of {app} is held for approval because it would take away {accounts, plural, one {# account} other {# accounts}} and {memberships, plural, one {# membership} other {# memberships}}}}',
    payload: {
      ...app,
      sync_id: field('The sync.', Uuid),
      reason: field('Why it happened.', Text),
      held: field('The number of removals that wait for approval.', held),
      guard: optional(
        'The limit of the app.',
        Type.Object({
          percent: field(
            'The largest share of records that a sync may remove without approval.',
            Type.Number(),
          ),
          at_least: field('The number of removals below which the limit does not apply.', Count),
        }),
      ),
    },
  }),
  'app.connection_request.created': define(
    'App connection request submitted',
    ['system', 'app', 'platform_user'],
    BY_PERSON,
    {
      sentence: '{who} requested the app {app_name}',
      quote: ['reason'],
      payload: {
        request_id: optional('The request for an app.', Uuid),
        app_name: field('The name of the app that is asked for.', Text),
        reason: field('Why the person asks for the app.', MaybeText),
        requester_id: optional('The person who made the request.', Uuid),
        requester_email: optional('The email of the person who made the request.', Text),
      },
    },
  ),
  'task.created': define('Task created', ['task'], BY_ANYTHING, {
    ocsf: ['entity_management', 1],
    sentence: '{who} created a task {work}',
    quote: ['reason'],
    payload: {
      ...task,
      execute_after: optional('The time before which the task does not run.', Timestamp),
      reason: optional('Why it happened.', MaybeText),
      username: optional('The username of the person.', Text),
    },
  }),
  'task.dispatched': define('Task dispatched to a runner', ['task'], BY_ANYTHING, {
    sentence:
      '{api_key_id, select, none {The task {work} was handed to the people who carry it out} other {A connector picked up the task {work}}}',
    payload: {
      ...task,
      api_key_id: optional('The API key that fetched the task. Null if people carry it out.', Nullable(Uuid)),
    },
  }),
  'task.completed': define('Task completed', ['task'], BY_ANYTHING, {
    severity: 'low',
    sentence:
      '{manual, select, true {{who} marked the task {work} as done} other {The task {work} was completed}}',
    quote: ['note'],
    payload: {
      ...task,
      manual: optional('True if a person carried the task out, in the name of the actor.', Type.Boolean()),
      note: optional('The note of the person who carried the task out.', Text),
      reason: optional(
        'The reason why a sync completed the task without a report. Otherwise null or missing.',
        Nullable(Text),
      ),
      ...confirmation,
    },
  }),
  'task.failed': define('Task failed', ['task'], BY_ANYTHING, {
    severity: 'high',
    sentence: '{manual, select, true {{who} refused the task {work}} other {The task {work} failed}}',
    payload: {
      ...task,
      manual: optional('True if a person carried the task out, in the name of the actor.', Type.Boolean()),
      error: field(
        'The error that the connector reported.',
        Type.Object({
          code: field('The code of the error.', Text),
          message: field('The message of the error.', Text),
        }),
      ),
      will_retry: optional('Whether Gatehouse tries again.', Type.Boolean()),
      ...confirmation,
    },
  }),
  'task.retried': define('Task retried after failure', ['task'], BY_ANYTHING, {
    sentence:
      '{has_execute_after, select, no {A retry of the task {work} was scheduled} other {A retry of the task {work} was scheduled for {execute_after}}}',
    payload: {
      ...task,
      retry_of: field('The failed task.', Uuid),
      attempt: optional('The number of this attempt, starting with 1.', Count),
      execute_after: optional('The time before which the task does not run.', Timestamp),
      username: optional('The username of the person.', Text),
    },
  }),
  'task.preempted': define('Task preempted by a higher-priority task', ['task'], BY_ANYTHING, {
    sentence: 'The task {work} was replaced by a task that deletes the account',
    payload: { ...task, preempted_by: field('The task that replaced this one.', Uuid) },
  }),
  'task.cancelled': define('Task cancelled', ['task'], BY_ANYTHING, {
    sentence: '{who} canceled the task {work}',
    quote: ['reason'],
    payload: { ...task, reason: optional('Why it happened.', MaybeText) },
  }),
  'task.dispatch_blocked': define('Task blocked from dispatch due to a conflict', ['task'], BY_ANYTHING, {
    severity: 'medium',
    sentence: 'The task {work} is blocked',
    quote: ['reason'],
    payload: {
      ...task,
      blocked_by: optional(
        'The task that must end first. Null if the reason is another one.',
        Nullable(Uuid),
      ),
      reason: optional('Why it happened.', Text),
    },
  }),
};
