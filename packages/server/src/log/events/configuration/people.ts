import { Type } from 'typebox';
import { MapOf, Nullable, Uuid } from '../../../kit/http/schemas.ts';
import {
  apiKey,
  BY_ANYTHING,
  BY_PERSON,
  Changes,
  Count,
  define,
  MaybeText,
  person,
  Text,
  Timestamp,
} from '../payloads.ts';

const provider = { provider_id: Text, name: Text, kind: Type.Optional(Text) };
const providerLink = { ...person, provider_id: Text, name: Text };
/** A second factor or a passkey of a person. `by_administrator` is false if the person made the change. */
const factor = {
  ...person,
  kind: Type.Enum(['totp', 'passkey']),
  name: Type.Optional(MaybeText),
  by_administrator: Type.Boolean(),
};
/** Two people who look alike. */
const duplicate = {
  ...person,
  other_id: { ...Uuid, description: 'The other person.' },
  other_email: Text,
};
const personGroup = { group_id: Uuid, name: Text };

/** Many people whom a client changed, or who left a group, in a short time (D78). */
const heldChange = {
  hold_id: Uuid,
  kind: Type.Enum(['people', 'group']),
  client: Nullable(Type.Object({ type: Type.Enum(['scim', 'import', 'api_key']), id: Uuid, name: Text })),
  group: Nullable(Type.Object({ id: Uuid, name: Text })),
  affected: Count,
  of: Count,
};
const decidedChange = { ...heldChange, tasks: Count, reason: MaybeText };

/** People, their groups, and how they sign in. */
export const peopleEvents = {
  'provider.created': define('Sign-in provider added', ['system'], BY_PERSON, provider),
  'provider.updated': define('Sign-in provider changed', ['system'], BY_PERSON, {
    ...provider,
    changes: Changes,
  }),
  'provider.deleted': define('Sign-in provider removed', ['system'], BY_PERSON, provider),
  'password.changed': define('Password changed', ['platform_user'], BY_PERSON, {
    ...person,
    method: Type.Enum(['self', 'link']),
  }),
  'password.link_created': define('Sign-in link created for a person', ['platform_user'], BY_PERSON, {
    ...person,
    expires_at: Timestamp,
  }),
  'password.link_requested': define(
    'Emailing of a sign-in link requested',
    ['platform_user'],
    BY_PERSON,
    person,
  ),
  'factor.added': define('Second factor or passkey added', ['platform_user'], BY_PERSON, factor),
  'factor.removed': define('Second factor or passkey removed', ['platform_user'], BY_PERSON, factor),
  'factor.count_fell': define('Passkey used that may have been copied', ['platform_user'], BY_PERSON, {
    ...person,
    kind: Type.Enum(['passkey']),
    name: MaybeText,
    before: Count,
    after: Count,
  }),
  'session.login.unsolicited': define(
    'Response of a sign-in provider that belongs to no sign-in',
    ['system'],
    BY_PERSON,
    {
      provider_id: Text,
      method: Type.Enum(['oidc', 'saml']),
      reason: Type.Enum(['not_requested', 'unknown_request']),
      verified: Type.Boolean(),
    },
  ),
  'provider_link.refused': define(
    'Sign-in refused: the person is linked to another account of the provider',
    ['platform_user'],
    BY_ANYTHING,
    providerLink,
  ),
  'provider_link.removed': define(
    'Person unlinked from an account at a provider',
    ['platform_user'],
    BY_PERSON,
    {
      ...providerLink,
      by_administrator: Type.Boolean(),
    },
  ),
  'role.changed': define('Role of a person changed', ['platform_user'], BY_ANYTHING, {
    ...person,
    from: Text,
    to: Text,
  }),
  'person.imported': define('People imported', ['system'], BY_PERSON, {
    created: Count,
    updated: Count,
    unchanged: Count,
  }),
  'people.change_held': define('Change of many people held', ['system'], BY_PERSON, {
    ...heldChange,
    percent: Type.Number(),
  }),
  'people.change_confirmed': define(
    'Held change of many people confirmed',
    ['system'],
    BY_PERSON,
    decidedChange,
  ),
  'people.change_discarded': define(
    'Held change of many people discarded',
    ['system'],
    BY_PERSON,
    decidedChange,
  ),
  'person.released': define(
    'Person released from the identity provider that managed them',
    ['platform_user'],
    BY_PERSON,
    person,
  ),
  'person.succeeded': define('Email of a person passed to a new person', ['platform_user'], BY_PERSON, {
    ...person,
    successor_id: Uuid,
  }),
  'person.external_id_changed': define(
    'Person came back under another id of the identity provider, and lost every way to sign in',
    ['platform_user'],
    BY_PERSON,
    {
      ...person,
      from: { ...Text, description: 'The id under which the person had left.' },
      to: { ...Text, description: 'The id under which the person came back.' },
    },
  ),
  'scim.attribute_ignored': define(
    'Attribute of a SCIM request left as it was',
    ['platform_user'],
    BY_PERSON,
    {
      ...person,
      api_key_id: Uuid,
      attribute: { ...Text, description: 'The attribute, as SCIM names it.' },
      reason: { ...Text, description: 'Why it could not be applied.' },
    },
  ),
  'scim.request_refused': define('SCIM request refused', ['system'], BY_PERSON, {
    api_key_id: Uuid,
    method: { ...Text, description: 'The HTTP method.' },
    resource: { ...Text, description: 'The type of resource in the address, such as Users.' },
    id: { ...MaybeText, description: 'The id in the address.' },
    status: { ...Count, description: 'The status of the response.' },
    detail: { ...Text, description: 'Why the request was refused.' },
    count: { ...Count, description: 'How often the client has sent it.' },
  }),
  'scim.ids_forgotten': define(
    'Ids forgotten that an identity provider gave to people whom it no longer manages',
    ['system'],
    BY_PERSON,
    { api_key_id: Uuid, count: { ...Count, description: 'The number of people whose id was forgotten.' } },
  ),
  'second_person.waived': define(
    'The only owner or administrator did what needs two people',
    ['platform_user'],
    BY_PERSON,
    { ...person, act: Type.Enum(['task', 'restore', 'approval', 'correlation']) },
  ),
  'person_group.created': define('Group of people created', ['system'], BY_PERSON, personGroup),
  'person_group.updated': define('Group of people changed', ['system'], BY_PERSON, {
    ...personGroup,
    changes: Changes,
  }),
  'person_group.deleted': define('Group of people deleted', ['system'], BY_PERSON, personGroup),
  'person_group.released': define(
    'Group of people released from the identity provider that kept it',
    ['system'],
    BY_PERSON,
    personGroup,
  ),
  'person_group.members_changed': define('Members of a group of people changed', ['system'], BY_PERSON, {
    ...personGroup,
    added: Count,
    removed: Count,
  }),
  'person_group.role_set': define('Role that a group gives its members set', ['system'], BY_PERSON, {
    ...personGroup,
    from: MaybeText,
    to: MaybeText,
  }),
  'person.merged': define('Person merged into another', ['platform_user'], BY_PERSON, {
    ...person,
    from: { ...Uuid, description: 'The person who was merged and deactivated.' },
    from_email: Text,
    moved: MapOf(Count, {
      description: 'How many references moved, were canceled or were revoked, by kind.',
    }),
  }),
  'person.duplicate_dismissed': define(
    'Possible duplicate dismissed: two people are different',
    ['platform_user'],
    BY_PERSON,
    duplicate,
  ),
  'person.duplicate_restored': define(
    'Dismissal of a possible duplicate undone',
    ['platform_user'],
    BY_PERSON,
    duplicate,
  ),
  'key.transferred': define('API key transferred to another person', ['platform_user'], BY_PERSON, {
    ...apiKey,
    from: Uuid,
    to: Uuid,
  }),
};
