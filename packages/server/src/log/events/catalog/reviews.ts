import { Type } from 'typebox';
import { Nullable, Uuid } from '#kit/schemas.ts';
import {
  account,
  app,
  BY_ANYTHING,
  BY_PERSON,
  Changes,
  define,
  field,
  giver,
  keptFor,
  MaybeText,
  OTHER,
  optional,
  Text,
} from '../payloads.ts';

const campaign = {
  campaign_id: field('The review campaign.', Uuid),
  name: field('The name of the campaign.', Text),
};

/** The people who were asked to decide before and after a change of the approvers or reviewers. */
const handedOver = {
  from: Type.Array(Uuid, { description: 'The people before.' }),
  to: Type.Array(Uuid, { description: 'The people after.' }),
};

const OnBehalfOf = Type.Optional(
  Type.Array(Uuid, { description: 'The absent or late people in whose place the actor decided.' }),
);

/** Access review campaigns and their items. */
export const reviewsEvents = {
  'campaign.created': define('Access review campaign created', ['system'], BY_PERSON, {
    ocsf: ['entity_management', 1],
    sentence: '{who} created the campaign {name}',
    payload: {
      ...campaign,
      definition: field(
        'All settings, as the API returns them.',
        Type.Object({}, { additionalProperties: true }),
      ),
    },
  }),
  'campaign.updated': define('Access review campaign changed', ['system'], BY_PERSON, {
    sentence: '{who} changed the campaign {name}: {changes}',
    payload: { ...campaign, changes: Changes },
  }),
  'campaign.deleted': define('Access review campaign deleted', ['system'], BY_PERSON, {
    ocsf: ['entity_management', 4],
    sentence: '{who} deleted the campaign {name}',
    payload: campaign,
  }),
  'campaign.started': define('Review cycle opened', ['system'], BY_ANYTHING, {
    ocsf: ['entity_management', 10],
    sentence: '{who} started a review of the campaign {name}',
    payload: {
      ...campaign,
      cycle_id: field('The review cycle.', Uuid),
      accounts: Type.Integer({
        minimum: 0,
        description: 'The number of accounts in the scope of the cycle.',
      }),
    },
  }),
  'campaign.closed': define('Review cycle closed', ['system'], BY_ANYTHING, {
    ocsf: ['entity_management', 11],
    sentence: 'A review of the campaign {name} was completed',
    payload: { ...campaign, cycle_id: field('The review cycle.', Uuid) },
  }),
  'review.decided': define('Review decision made or changed', ['app_user'], BY_PERSON, {
    ocsf: ['user_access', OTHER],
    sentence:
      '{decision, select, revoke {{who} decided to revoke {access}} other {{who} decided to keep {access}}}',
    quote: ['comment'],
    payload: {
      ...app,
      ...account,
      cycle_id: field('The review cycle.', Uuid),
      item_id: field('The review item.', Uuid),
      kind: field('Whether the item is about the account, a group or a license.', Text),
      resource: optional(
        'The group or license that the item is about. Null means the account.',
        Nullable(
          Type.Object({
            slug: field('The slug of the resource type.', Text),
            id: field('The id in the app.', Text),
            name: field('The name in the app.', Text),
          }),
        ),
      ),
      decision: field('The decision of the reviewer.', Text),
      previous_decision: field('The decision before. Null if there was none.', Nullable(Text)),
      comment: field('The comment of the person.', MaybeText),
      on_behalf_of: OnBehalfOf,
      revoked_at: optional(
        'The group or license that is removed instead, because it gives the access.',
        giver,
      ),
      kept_by: optional(
        'The group or license that gives the access. It stays, so the revocation is not carried out.',
        giver,
      ),
      kept_for: optional(
        'The access that the account would lose as well, although a person keeps it. The revocation is not carried out.',
        keptFor,
      ),
    },
  }),
  'review.decision_withdrawn': define('Review decision withdrawn', ['app_user'], BY_PERSON, {
    sentence: '{who} withdrew the decision on {access}',
    payload: {
      ...app,
      ...account,
      cycle_id: field('The review cycle.', Uuid),
      item_id: field('The review item.', Uuid),
      kind: field('Whether the item is about the account, a group or a license.', Text),
      resource: optional(
        'The group or license that the item is about. Null means the account.',
        Nullable(
          Type.Object({
            slug: field('The slug of the resource type.', Text),
            id: field('The id in the app.', Text),
            name: field('The name in the app.', Text),
          }),
        ),
      ),
      previous_decision: field('The decision before.', Text),
    },
  }),
  'review.reassigned': define('Review item assigned to another reviewer', ['app_user'], BY_ANYTHING, {
    ocsf: ['entity_management', 3],
    sentence: 'The review of the access of {account} in {app} was assigned to another reviewer',
    payload: {
      ...app,
      ...account,
      cycle_id: field('The review cycle.', Uuid),
      item_id: field('The review item.', Uuid),
      from: Type.Array(Uuid, { description: 'The reviewers before.' }),
      to: Type.Array(Uuid, { description: 'The reviewers after.' }),
      reason: optional('Why it happened.', MaybeText),
    },
  }),
  'review.reminded': define('Reviewer reminded of undecided items', ['system'], BY_PERSON, {
    sentence: '{who} reminded {email} of the review {name}',
    payload: {
      ...campaign,
      cycle_id: field('The review cycle.', Uuid),
      user_id: field('The reviewer.', Uuid),
      email: field('The email of the reviewer.', Text),
      items: Type.Integer({ minimum: 1, description: 'The number of undecided items of the reviewer.' }),
    },
  }),
  'review.escalated': define('Review item escalated after waiting too long', ['app_user'], BY_ANYTHING, {
    sentence: 'The review of the access of {account} in {app} was escalated after waiting too long',
    payload: {
      ...app,
      ...account,
      cycle_id: field('The review cycle.', Uuid),
      item_id: field('The review item.', Uuid),
      ...handedOver,
    },
  }),
};
