import { Type } from 'typebox';
import { Nullable, Uuid } from '../../../kit/http/schemas.ts';
import {
  account,
  app,
  BY_ANYTHING,
  BY_PERSON,
  Changes,
  Count,
  define,
  giver,
  keptFor,
  MaybeText,
  person,
  Text,
  Timestamp,
  ticket,
} from '../payloads.ts';

const policy = { policy_id: Uuid, name: Text };
/** The sources of events that a loop records for a new event or a new day. */
const BY_CLOCK = ['system', 'schedule'] as const;
const campaign = { campaign_id: Uuid, name: Text };
/** The people who were asked to decide before and after a change of the approvers or reviewers. */
const handedOver = {
  from: Type.Array(Uuid, { description: 'The people before.' }),
  to: Type.Array(Uuid, { description: 'The people after.' }),
};
const absence = {
  ...person,
  absence_id: Uuid,
  deputy_id: Uuid,
  starts_at: Timestamp,
  ends_at: Timestamp,
};
const OnBehalfOf = Type.Optional(
  Type.Array(Uuid, { description: 'The absent or late people in whose place the actor decided.' }),
);

/** Policies, access reviews, requests, and who decides in place of others. */
export const decisionEvents = {
  'policy.created': define('Policy created', ['system'], BY_PERSON, {
    ...policy,
    definition: Type.Object({}, { additionalProperties: true }),
  }),
  'policy.updated': define('Policy changed', ['system'], BY_PERSON, { ...policy, changes: Changes }),
  'policy.deleted': define('Policy deleted', ['system'], BY_PERSON, policy),
  'policy.actions_confirmed': define('Held actions of a policy confirmed', ['system'], BY_PERSON, {
    ...policy,
    count: Type.Optional(Count),
  }),
  'policy.actions_discarded': define('Held actions of a policy discarded', ['system'], BY_PERSON, {
    ...policy,
    count: Type.Optional(Count),
  }),
  'policy.access_kept': define(
    'Access kept by a policy, because another group or license gives it',
    ['system'],
    BY_CLOCK,
    {
      ...policy,
      count: Count,
      kept: Type.Array(
        Type.Object({ account_id: Uuid, email: Text, app_name: Text, resource: Text, via: giver }),
        {
          description: 'The first 20.',
        },
      ),
    },
  ),
  'policy.held': define('Actions of a policy held for confirmation', ['system'], BY_CLOCK, {
    ...policy,
    count: Count,
    because: Nullable(
      Type.Object(
        {
          kind: Type.Enum(['group_renamed', 'group_deleted']),
          group_id: Uuid,
          from: Text,
          to: MaybeText,
          is_named: Type.Boolean(),
        },
        { description: 'The group that was renamed or deleted. Null: the actions exceed the task limit.' },
      ),
    ),
  }),
  'policy.undecided': define(
    'A run of a policy that takes access away left out people whom its condition does not decide',
    ['system'],
    BY_CLOCK,
    {
      ...policy,
      enabled_by: Nullable(Uuid),
      count: Count,
      reasons: Type.Array(
        Type.Object({
          code: Type.Enum(['missing', 'type', 'cost']),
          field: MaybeText,
          count: Count,
          message: Text,
        }),
      ),
    },
  ),
  'policy.settings_changed': define('Policy settings changed', ['system'], BY_PERSON, { changes: Changes }),
  'campaign.created': define('Access review campaign created', ['system'], BY_PERSON, {
    ...campaign,
    definition: Type.Object({}, { additionalProperties: true }),
  }),
  'campaign.updated': define('Access review campaign changed', ['system'], BY_PERSON, {
    ...campaign,
    changes: Changes,
  }),
  'campaign.deleted': define('Access review campaign deleted', ['system'], BY_PERSON, campaign),
  'campaign.started': define('Review cycle opened', ['system'], BY_ANYTHING, {
    ...campaign,
    cycle_id: Uuid,
    accounts: Type.Integer({ minimum: 0, description: 'The number of accounts in the scope of the cycle.' }),
  }),
  'campaign.closed': define('Review cycle closed', ['system'], BY_ANYTHING, { ...campaign, cycle_id: Uuid }),
  'review.decided': define('Review decision made or changed', ['app_user'], BY_PERSON, {
    ...app,
    ...account,
    cycle_id: Uuid,
    item_id: Uuid,
    kind: Text,
    resource: Type.Optional(Nullable(Type.Object({ slug: Text, id: Text, name: Text }))),
    decision: Text,
    previous_decision: Nullable(Text),
    comment: MaybeText,
    on_behalf_of: OnBehalfOf,
    revoked_at: Type.Optional(giver),
    kept_by: Type.Optional(giver),
    kept_for: Type.Optional(keptFor),
  }),
  'review.decision_withdrawn': define('Review decision withdrawn', ['app_user'], BY_PERSON, {
    ...app,
    ...account,
    cycle_id: Uuid,
    item_id: Uuid,
    kind: Text,
    resource: Type.Optional(Nullable(Type.Object({ slug: Text, id: Text, name: Text }))),
    previous_decision: Text,
  }),
  'review.reassigned': define('Review item assigned to another reviewer', ['app_user'], BY_ANYTHING, {
    ...app,
    ...account,
    cycle_id: Uuid,
    item_id: Uuid,
    from: Type.Array(Uuid, { description: 'The reviewers before.' }),
    to: Type.Array(Uuid, { description: 'The reviewers after.' }),
    reason: Type.Optional(MaybeText),
  }),
  'review.reminded': define('Reviewer reminded of undecided items', ['system'], BY_PERSON, {
    ...campaign,
    cycle_id: Uuid,
    user_id: Uuid,
    email: Text,
    items: Type.Integer({ minimum: 1, description: 'The number of undecided items of the reviewer.' }),
  }),
  'request.step_approved': define('Approval step of a request approved', ['ticket'], BY_PERSON, {
    ...ticket,
    step: Count,
    comment: MaybeText,
    on_behalf_of: OnBehalfOf,
  }),
  'request.canceled': define('Request canceled', ['ticket'], BY_ANYTHING, { ...ticket, reason: MaybeText }),
  'request.commented': define('Comment added to a request', ['ticket'], BY_PERSON, {
    ...ticket,
    comment_id: Uuid,
    comment: Text,
  }),
  'request.information_requested': define('More information requested', ['ticket'], BY_PERSON, {
    ...ticket,
    step: Count,
    comment: Text,
  }),
  'request.information_provided': define('Requested information provided', ['ticket'], BY_PERSON, {
    ...ticket,
    step: Count,
    comment: Text,
  }),
  'request.reassigned': define('Request assigned to another approver', ['ticket'], BY_ANYTHING, {
    ...ticket,
    step: Count,
    ...handedOver,
    reason: MaybeText,
  }),
  'request.escalated': define('Request escalated after waiting too long', ['ticket'], BY_ANYTHING, {
    ...ticket,
    step: Count,
    ...handedOver,
  }),
  'request.expired': define('Request expired', ['ticket'], BY_ANYTHING, ticket),
  'review.escalated': define('Review item escalated after waiting too long', ['app_user'], BY_ANYTHING, {
    ...app,
    ...account,
    cycle_id: Uuid,
    item_id: Uuid,
    ...handedOver,
  }),
  'absence.created': define('Absence of a person set', ['platform_user'], BY_PERSON, absence),
  'absence.updated': define('Absence of a person changed', ['platform_user'], BY_PERSON, {
    ...absence,
    changes: Changes,
  }),
  'absence.deleted': define('Absence of a person removed', ['platform_user'], BY_PERSON, absence),
};
