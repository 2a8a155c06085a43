import { Type } from 'typebox';
import { MapOf, Nullable, Uuid } from '#kit/schemas.ts';
import { BY_PERSON, Changes, Count, define, field, MaybeText, OTHER, person, Text } from '../payloads.ts';

/** Two people who look alike. */
const duplicate = {
  ...person,
  other_id: field('The other person.', Uuid),
  other_email: field('The email of the other person.', Text),
};

const personGroup = {
  group_id: field('The group of people.', Uuid),
  name: field('The name of the group.', Text),
};

/** Many people whom a client changed, or who left a group, in a short time (D78). */
const heldChange = {
  hold_id: field('The hold.', Uuid),
  kind: field(
    'Whether a client deactivated or replaced many people, or a group lost many members.',
    Type.Enum(['people', 'group']),
  ),
  client: field(
    'The client that made the changes. Null for a signed-in person.',
    Nullable(
      Type.Object({
        type: field(
          'Is scim for a key of an identity provider, api_key for another key, and import for an import.',
          Type.Enum(['scim', 'import', 'api_key']),
        ),
        id: field('The API key, or the person who imported.', Uuid),
        name: field('The name of the key or the email of the person at the time of the event.', Text),
      }),
    ),
  ),
  group: field(
    'The group that lost its members. Null for people of a client.',
    Nullable(
      Type.Object({
        id: field('The group of people.', Uuid),
        name: field('The name of the group when the hold began.', Text),
      }),
    ),
  ),
  affected: field('The people who were deactivated, replaced or left the group.', Count),
  of: field(
    'The active people of the client, or the members of the group, when the window of time began. Without newcomers, if only the share of the others was exceeded.',
    Count,
  ),
};

const decidedChange = {
  ...heldChange,
  tasks: field('The number of tasks that waited, with those that policies would have created.', Count),
  reason: field('Why the hold was discarded. Null if it was confirmed.', MaybeText),
};

/** People and their groups. */
export const peopleEvents = {
  'person.imported': define('People imported', ['system'], BY_PERSON, {
    ocsf: ['entity_management', OTHER],
    sentence: '{who} imported people: {created} created, {updated} updated, {unchanged} unchanged',
    payload: {
      created: field('The number of new people.', Count),
      updated: field('The number of changed people.', Count),
      unchanged: field('The number of people without a change.', Count),
    },
  }),
  'people.change_held': define('Change of many people held', ['system'], BY_PERSON, {
    severity: 'high',
    sentence:
      '{by, select, group {The group {group} lost {affected, plural, one {# member} other {# members}} of {of} in an hour, so what follows is held until an administrator decides} import {An import by {client} deactivated {affected, plural, one {# person} other {# people}} of {of}, so what follows is held until an administrator decides} other {The key {client} deactivated {affected, plural, one {# person} other {# people}} of {of} in a day, so what follows is held until an administrator decides}}',
    payload: { ...heldChange, percent: field('The share in percent that was exceeded.', Type.Number()) },
  }),
  'people.change_confirmed': define('Held change of many people confirmed', ['system'], BY_PERSON, {
    severity: 'medium',
    sentence: '{who} confirmed the held change of {affected, plural, one {# person} other {# people}}',
    payload: decidedChange,
  }),
  'people.change_discarded': define('Held change of many people discarded', ['system'], BY_PERSON, {
    severity: 'medium',
    sentence: '{who} discarded the held change of {affected, plural, one {# person} other {# people}}',
    quote: ['reason'],
    payload: decidedChange,
  }),
  'person.released': define(
    'Person released from the identity provider that managed them',
    ['platform_user'],
    BY_PERSON,
    {
      sentence: '{who} released {person} from the identity provider',
      payload: person,
    },
  ),
  'person.succeeded': define('Email of a person passed to a new person', ['platform_user'], BY_PERSON, {
    severity: 'medium',
    sentence: 'The email of {person} passed to the new person {successor_id}',
    payload: { ...person, successor_id: field('The new person to whom the email has passed.', Uuid) },
  }),
  'person.external_id_changed': define(
    'Person came back under another id of the identity provider, and lost every way to sign in',
    ['platform_user'],
    BY_PERSON,
    {
      severity: 'medium',
      sentence: '{person} came back under the id {to} instead of {from} and lost every way to sign in',
      payload: {
        ...person,
        from: field('The id under which the person had left.', Text),
        to: field('The id under which the person came back.', Text),
      },
    },
  ),
  'scim.attribute_ignored': define(
    'Attribute of a SCIM request left as it was',
    ['platform_user'],
    BY_PERSON,
    {
      severity: 'low',
      sentence: 'The {attribute} that the identity provider sent for {person} could not be applied',
      quote: ['reason'],
      payload: {
        ...person,
        api_key_id: field('The API key of the client.', Uuid),
        attribute: field('The attribute, as SCIM names it.', Text),
        reason: field('Why it could not be applied.', Text),
      },
    },
  ),
  'scim.request_refused': define('SCIM request refused', ['system'], BY_PERSON, {
    severity: 'low',
    sentence: 'A request of the identity provider was refused ({method} {resource})',
    quote: ['detail'],
    payload: {
      api_key_id: field('The API key of the client.', Uuid),
      method: field('The HTTP method.', Text),
      resource: field('The type of resource in the address, such as Users.', Text),
      id: field('The id in the address.', MaybeText),
      status: field('The status of the response.', Count),
      detail: field('Why the request was refused.', Text),
      count: field('How often the client has sent it.', Count),
    },
  }),
  'scim.ids_forgotten': define(
    'Ids forgotten that an identity provider gave to people whom it no longer manages',
    ['system'],
    BY_PERSON,
    {
      sentence:
        '{who} forgot the IDs that an identity provider gave to {count, plural, one {# person} other {# people}}',
      payload: {
        api_key_id: field('The API key of the client.', Uuid),
        count: field('The number of people whose id was forgotten.', Count),
      },
    },
  ),
  'person_group.created': define('Group of people created', ['system'], BY_PERSON, {
    sentence: '{who} created the group of people {name}',
    payload: personGroup,
  }),
  'person_group.updated': define('Group of people changed', ['system'], BY_PERSON, {
    sentence: '{who} changed the group of people {name}: {changes}',
    payload: { ...personGroup, changes: Changes },
  }),
  'person_group.deleted': define('Group of people deleted', ['system'], BY_PERSON, {
    sentence: '{who} deleted the group of people {name}',
    payload: personGroup,
  }),
  'person_group.released': define(
    'Group of people released from the identity provider that kept it',
    ['system'],
    BY_PERSON,
    {
      sentence: '{who} released the group of people {name} from the identity provider',
      payload: personGroup,
    },
  ),
  'person_group.members_changed': define('Members of a group of people changed', ['system'], BY_PERSON, {
    sentence: '{who} changed the members of the group of people {name}: {added} added, {removed} removed',
    payload: {
      ...personGroup,
      added: field('The number of people who joined the group.', Count),
      removed: field('The number of people who left the group.', Count),
    },
  }),
  'person_group.role_set': define('Role that a group gives its members set', ['system'], BY_PERSON, {
    sentence: '{who} set the role that the group of people {name} gives to {to}',
    payload: {
      ...personGroup,
      from: field('The role before. Null means none.', MaybeText),
      to: field('The role after. Null means none.', MaybeText),
    },
  }),
  'person.merged': define('Person merged into another', ['platform_user'], BY_PERSON, {
    sentence: '{who} merged {from_email} into {person}',
    payload: {
      ...person,
      from: field('The person who was merged and deactivated.', Uuid),
      from_email: field('The email of the person who was merged.', Text),
      moved: MapOf(Count, {
        description: 'How many references moved, were canceled or were revoked, by kind.',
      }),
    },
  }),
  'person.duplicate_dismissed': define(
    'Possible duplicate dismissed: two people are different',
    ['platform_user'],
    BY_PERSON,
    {
      sentence: '{who} marked {person} and {other_email} as different people',
      payload: duplicate,
    },
  ),
  'person.duplicate_restored': define(
    'Dismissal of a possible duplicate undone',
    ['platform_user'],
    BY_PERSON,
    {
      sentence: '{who} listed {person} and {other_email} as possible duplicates again',
      payload: duplicate,
    },
  ),
};
