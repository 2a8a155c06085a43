import { Type } from 'typebox';
import { Nullable, Uuid } from '#kit/schemas.ts';
import {
  BY_ANYTHING,
  BY_PERSON,
  Changes,
  Count,
  define,
  field,
  MaybeText,
  OTHER,
  optional,
  person,
  Text,
  Timestamp,
  ticket,
} from '../payloads.ts';

/** The people who were asked to decide before and after a change of the approvers or reviewers. */
const handedOver = {
  from: Type.Array(Uuid, { description: 'The people before.' }),
  to: Type.Array(Uuid, { description: 'The people after.' }),
};

const absence = {
  ...person,
  absence_id: field('The absence.', Uuid),
  kind: optional(
    'Whether the person is only away, or on leave. Without it: away.',
    Type.Enum(['away', 'leave']),
  ),
  deputy_id: field('The person who decides in the meantime. Null for a leave without one.', Nullable(Uuid)),
  starts_at: field('The start of the absence.', Timestamp),
  ends_at: field('The end of the absence. Null for a leave without a known end.', Nullable(Timestamp)),
};

const leave = { ...person, absence_id: field('The leave, which is an absence.', Uuid) };

const OnBehalfOf = Type.Optional(
  Type.Array(Uuid, { description: 'The absent or late people in whose place the actor decided.' }),
);

/** Requests, and who decides in place of others. */
export const requestsEvents = {
  'request.step_approved': define('Approval step of a request approved', ['ticket'], BY_PERSON, {
    ocsf: ['user_access', OTHER],
    sentence: '{who} approved a step of request {label}',
    quote: ['comment'],
    payload: {
      ...ticket,
      step: field('The number of the approval step, starting with 1.', Count),
      comment: field('The comment of the person.', MaybeText),
      on_behalf_of: OnBehalfOf,
    },
  }),
  'request.canceled': define('Request canceled', ['ticket'], BY_ANYTHING, {
    ocsf: ['user_access', OTHER],
    sentence: '{who} withdrew request {label}',
    quote: ['reason'],
    payload: { ...ticket, reason: field('Why it happened.', MaybeText) },
  }),
  'request.commented': define('Comment added to a request', ['ticket'], BY_PERSON, {
    sentence: '{who} commented on request {label}',
    quote: ['comment'],
    payload: {
      ...ticket,
      comment_id: field('The comment.', Uuid),
      comment: field('The comment of the person.', Text),
    },
  }),
  'request.information_requested': define('More information requested', ['ticket'], BY_PERSON, {
    sentence: '{who} asked for more information about request {label}',
    quote: ['comment'],
    payload: {
      ...ticket,
      step: field('The number of the approval step, starting with 1.', Count),
      comment: field('The comment of the person.', Text),
    },
  }),
  'request.information_provided': define('Requested information provided', ['ticket'], BY_PERSON, {
    sentence: '{who} provided information about request {label}',
    quote: ['comment'],
    payload: {
      ...ticket,
      step: field('The number of the approval step, starting with 1.', Count),
      comment: field('The comment of the person.', Text),
    },
  }),
  'request.reassigned': define('Request assigned to another approver', ['ticket'], BY_ANYTHING, {
    sentence: '{who} assigned request {label} to another approver',
    quote: ['reason'],
    payload: {
      ...ticket,
      step: field('The number of the approval step, starting with 1.', Count),
      ...handedOver,
      reason: field('Why it happened.', MaybeText),
    },
  }),
  'request.escalated': define('Request escalated after waiting too long', ['ticket'], BY_ANYTHING, {
    sentence: 'The request {label} was escalated after waiting too long',
    payload: {
      ...ticket,
      step: field('The number of the approval step, starting with 1.', Count),
      ...handedOver,
    },
  }),
  'request.expired': define('Request expired', ['ticket'], BY_ANYTHING, {
    ocsf: ['user_access', OTHER],
    sentence: 'The request {label} expired',
    payload: ticket,
  }),
  'absence.created': define('Absence of a person set', ['platform_user'], BY_ANYTHING, {
    sentence:
      '{has_deputy, select, no {{who} set an absence of {person}} other {{who} set an absence of {person}, with {deputy} as the deputy}}',
    payload: absence,
  }),
  'absence.updated': define('Absence of a person changed', ['platform_user'], BY_ANYTHING, {
    sentence: '{who} changed an absence of {person}: {changes}',
    payload: { ...absence, changes: Changes },
  }),
  'absence.deleted': define('Absence of a person removed', ['platform_user'], BY_ANYTHING, {
    sentence: '{who} removed an absence of {person}',
    payload: absence,
  }),
  'absence.leave_started': define('Leave of a person began', ['platform_user'], BY_ANYTHING, {
    sentence: '{person} is on leave',
    payload: leave,
  }),
  'absence.leave_ended': define('Leave of a person ended', ['platform_user'], BY_ANYTHING, {
    sentence: '{person} is back from leave',
    payload: leave,
  }),
};
