import { Type } from 'typebox';
import { Uuid } from '#kit/schemas.ts';
import {
  apiKey,
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
} from '../payloads.ts';

const provider = {
  provider_id: field('The sign-in provider.', Text),
  name: field('The name of the provider.', Text),
  kind: optional('The protocol of the provider.', Text),
};

const providerLink = {
  ...person,
  provider_id: field('The sign-in provider.', Text),
  name: field('The name of the person.', Text),
};

/** A second factor or a passkey of a person. `by_administrator` is false if the person made the change. */
const factor = {
  ...person,
  kind: field('The kind of factor.', Type.Enum(['totp', 'passkey'])),
  name: optional('The name of the passkey.', MaybeText),
  by_administrator: field('Whether an administrator made the change, and not the person.', Type.Boolean()),
};

/** Providers, passwords and factors, and who may do what. */
export const signInEvents = {
  'provider.created': define('Sign-in provider added', ['system'], BY_PERSON, {
    severity: 'high',
    ocsf: ['entity_management', 1],
    sentence: '{who} added the sign-in provider {name}',
    payload: provider,
  }),
  'provider.updated': define('Sign-in provider changed', ['system'], BY_PERSON, {
    severity: 'high',
    sentence: '{who} changed the sign-in provider {name}: {changes}',
    payload: { ...provider, changes: Changes },
  }),
  'provider.deleted': define('Sign-in provider removed', ['system'], BY_PERSON, {
    severity: 'high',
    ocsf: ['entity_management', 4],
    sentence: '{who} removed the sign-in provider {name}',
    payload: provider,
  }),
  'password.changed': define('Password changed', ['platform_user'], BY_PERSON, {
    ocsf: ['account_change', 3],
    sentence:
      '{method, select, link {{person} set a password with a sign-in link} other {{person} changed their password}}',
    payload: {
      ...person,
      method: field('Whether the person knew the old password or used a link.', Type.Enum(['self', 'link'])),
    },
  }),
  'password.link_created': define('Sign-in link created for a person', ['platform_user'], BY_PERSON, {
    severity: 'medium',
    ocsf: ['account_change', 4],
    sentence: '{who} created a sign-in link for {person}',
    payload: { ...person, expires_at: field('The time at which the link expires.', Timestamp) },
  }),
  'password.link_requested': define('Emailing of a sign-in link requested', ['platform_user'], BY_PERSON, {
    severity: 'medium',
    sentence: '{who} asked Gatehouse to email a sign-in link to {person}',
    payload: person,
  }),
  'factor.added': define('Second factor or passkey added', ['platform_user'], BY_PERSON, {
    ocsf: ['account_change', 10],
    sentence:
      '{kind, select, passkey {{who} added a passkey of {person}} other {{who} added the second factor of {person}}}',
    payload: factor,
  }),
  'factor.removed': define('Second factor or passkey removed', ['platform_user'], BY_PERSON, {
    severity: 'medium',
    ocsf: ['account_change', 11],
    sentence:
      '{kind, select, passkey {{who} removed a passkey of {person}} other {{who} removed the second factor of {person}}}',
    payload: factor,
  }),
  'factor.count_fell': define('Passkey used that may have been copied', ['platform_user'], BY_PERSON, {
    severity: 'medium',
    sentence:
      '{person} used the passkey {name}, which stopped counting: it moved to a synced keychain, or it was copied',
    payload: {
      ...person,
      kind: field('The kind of factor.', Type.Enum(['passkey'])),
      name: field('The name of the passkey.', MaybeText),
      before: field('The number of signatures that the passkey counted when it was last used.', Count),
      after: field(
        'The number of signatures that the passkey counts now. A passkey that does not count sends 0.',
        Count,
      ),
    },
  }),
  'session.login.unsolicited': define(
    'Response of a sign-in provider that belongs to no sign-in',
    ['system'],
    BY_PERSON,
    {
      severity: 'low',
      sentence:
        '{reason, select, not_requested {The sign-in provider {provider_id} sent a response that nobody requested} other {The sign-in provider {provider_id} sent a response to an unknown request}}',
      payload: {
        provider_id: field('The sign-in provider.', Text),
        method: field('How the person signed in.', Type.Enum(['oidc', 'saml'])),
        reason: field(
          'Whether the response named no request, or one that is finished, has expired or belongs to another browser.',
          Type.Enum(['not_requested', 'unknown_request']),
        ),
        verified: field(
          'Whether the provider signed the response and it was valid. Responses of OpenID Connect have no signature.',
          Type.Boolean(),
        ),
      },
    },
  ),
  'provider_link.refused': define(
    'Sign-in refused: the person is linked to another account of the provider',
    ['platform_user'],
    BY_ANYTHING,
    {
      severity: 'high',
      ocsf: ['account_change', OTHER],
      sentence: 'Sign-in as {person} was refused: another account at {name} is linked',
      payload: providerLink,
    },
  ),
  'provider_link.removed': define(
    'Person unlinked from an account at a provider',
    ['platform_user'],
    BY_PERSON,
    {
      severity: 'medium',
      ocsf: ['account_change', OTHER],
      sentence: '{who} unlinked {person} from an account at {name}',
      payload: {
        ...providerLink,
        by_administrator: field(
          'Whether an administrator made the change, and not the person.',
          Type.Boolean(),
        ),
      },
    },
  ),
  'role.changed': define('Role of a person changed', ['platform_user'], BY_ANYTHING, {
    severity: 'high',
    ocsf: ['account_change', OTHER],
    sentence: '{who} changed the role of {person} from {from} to {to}',
    payload: { ...person, from: field('The role before.', Text), to: field('The role after.', Text) },
  }),
  'second_person.waived': define(
    'The only owner or administrator did what needs two people',
    ['platform_user'],
    BY_PERSON,
    {
      severity: 'high',
      sentence:
        '{act, select, task {{person}, the only administrator, gave themselves access by a task} correlation {{person}, the only administrator, chose the record of their own account} link {{person}, the only administrator, linked an account to themselves} policy {{person}, the only administrator, gets access by their own policy} review {{person}, the only administrator, keeps access that was reviewed in their name} restore {{person}, the only administrator, restored their own access} other {A request of {person}, the only administrator, was approved by somebody to whom they gave the means to act}}',
      payload: {
        ...person,
        act: field(
          'A task, a restore or a policy that gives access to its author, a link or the choice of a record of their own account, or a decision by somebody to whom they gave the means to act.',
          Type.Enum(['task', 'restore', 'approval', 'correlation', 'review', 'link', 'policy']),
        ),
      },
    },
  ),
  'key.transferred': define('API key transferred to another person', ['platform_user'], BY_PERSON, {
    severity: 'medium',
    sentence: '{who} transferred the API key {name} to {to}',
    people: ['to'],
    payload: { ...apiKey, from: field('The person before.', Uuid), to: field('The person after.', Uuid) },
  }),
};
