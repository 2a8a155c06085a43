import { Type } from 'typebox';
import { Nullable, Uuid } from '#kit/schemas.ts';
import {
  app,
  BY_ANYTHING,
  BY_PERSON,
  Changes,
  Count,
  define,
  field,
  MaybeText,
  Text,
  Timestamp,
  task,
} from '../payloads.ts';

/** Settings of apps, and manual fulfillment. */
export const appsEvents = {
  'fulfillment.configured': define('Manual fulfillment of an app changed', ['app'], BY_PERSON, {
    sentence: '{who} changed the manual fulfillment of {app}: {changes}',
    payload: { ...app, changes: Changes },
  }),
  'fulfillment.assigned': define('Task assigned to a person', ['task'], BY_ANYTHING, {
    sentence: 'The task {work} was assigned to {assignee_id}',
    people: ['assignee_id'],
    payload: {
      ...task,
      assignee_id: field('Null if nobody can carry out the task.', Nullable(Uuid)),
      due_at: field('The time by which the task should be done.', Timestamp),
    },
  }),
  'fulfillment.reassigned': define('Task handed to another person', ['task'], BY_ANYTHING, {
    sentence: '{who} handed the task {work} to {to}',
    people: ['to'],
    payload: {
      ...task,
      from: field('The assignee before. Null means nobody.', Nullable(Uuid)),
      to: field('The assignee after. Null means nobody.', Nullable(Uuid)),
      cause: field(
        'Why the task changed hands: a person decided it, or the assignee is unavailable or overdue.',
        Type.Enum(['person', 'unavailable', 'overdue']),
      ),
      reason: field('Why it happened.', MaybeText),
    },
  }),
  'fulfillment.attachment_added': define('File attached to a task', ['task'], BY_PERSON, {
    sentence: '{who} attached {name} to the task {work}',
    payload: {
      ...task,
      attachment_id: field('The attached file.', Uuid),
      name: field('The name of the file.', Text),
      size: field('The size of the file in bytes.', Count),
      sha256: field('The SHA-256 hash of the file.', Text),
    },
  }),
  'app_settings.changed': define('Settings of an app changed', ['app'], BY_PERSON, {
    sentence: '{who} changed the settings of {app}: {changes}',
    payload: { ...app, changes: Changes },
  }),
  'app_settings.archived': define('App archived', ['app'], BY_PERSON, {
    ocsf: ['entity_management', 4],
    sentence: '{who} archived the app {app}',
    payload: app,
  }),
  'resource_type.registered': define('Resource type registered', ['app'], BY_PERSON, {
    ocsf: ['entity_management', 1],
    sentence: '{who} registered the resource type {name} in {app}',
    payload: {
      ...app,
      slug: field('The slug of the resource type.', Text),
      name: field('The name of the resource type.', Text),
      type: field('The kind of resources: users, groups or licenses.', Text),
    },
  }),
  'resource_type.updated': define('Resource type renamed', ['app'], BY_PERSON, {
    sentence: '{who} changed the resource type {slug} in {app}: {changes}',
    payload: { ...app, slug: field('The slug of the resource type.', Text), changes: Changes },
  }),
};
