import { Type } from 'typebox';
import { Nullable, Uuid } from '#kit/schemas.ts';
import {
  accountChange,
  BY_ANYTHING,
  BY_PERSON,
  Changes,
  define,
  field,
  MaybeText,
  membership,
  OTHER,
  optional,
  person,
  Text,
  Timestamp,
  ticket,
} from '../payloads.ts';

/** Accounts, memberships, tickets and people. */
export const contractAccessEvents = {
  'account.provisioned': define('Account granted access to an app', ['app_user'], BY_ANYTHING, {
    ocsf: ['account_change', 1],
    sentence: 'An account for {account} was created in {app}',
    payload: accountChange,
  }),
  'account.deprovisioned': define('Account removed from an app', ['app_user'], BY_ANYTHING, {
    severity: 'high',
    ocsf: ['account_change', 6],
    sentence: 'The account of {account} was removed from {app}',
    quote: ['reason'],
    payload: accountChange,
  }),
  'account.activated': define('Account went from invited to active', ['app_user'], BY_ANYTHING, {
    ocsf: ['account_change', 2],
    sentence: 'The account of {account} in {app} became active',
    payload: accountChange,
  }),
  'account.suspended': define('Account suspended in an app', ['app_user'], BY_ANYTHING, {
    ocsf: ['account_change', 5],
    sentence: 'The account of {account} in {app} was suspended',
    quote: ['reason'],
    payload: accountChange,
  }),
  'account.unsuspended': define('Suspended account reactivated', ['app_user'], BY_ANYTHING, {
    ocsf: ['account_change', 2],
    sentence: 'The account of {account} in {app} was reactivated',
    quote: ['reason'],
    payload: accountChange,
  }),
  'account.group.added': define('Account added to an app group', ['app_user', 'app_group'], BY_ANYTHING, {
    ocsf: ['group_management', 3],
    sentence:
      '{kind, select, license {{account} was assigned the license {group_name} in {app}} other {{account} was added to the group {group_name} in {app}}}',
    quote: ['reason'],
    payload: membership,
  }),
  'account.group.removed': define(
    'Account removed from an app group',
    ['app_user', 'app_group'],
    BY_ANYTHING,
    {
      ocsf: ['group_management', 4],
      sentence:
        '{kind, select, license {{account} lost the license {group_name} in {app}} other {{account} was removed from the group {group_name} in {app}}}',
      quote: ['reason'],
      payload: membership,
    },
  ),
  'ticket.created': define('Access request ticket created', ['ticket'], BY_PERSON, {
    ocsf: ['user_access', OTHER],
    sentence: '{who} created request {label}',
    payload: {
      ...ticket,
      comment: optional('The comment of the person.', MaybeText),
      start_time: optional(
        'The time at which the access should start. Null means immediately.',
        Nullable(Timestamp),
      ),
      end_time: optional('The time at which the access should end. Null means never.', Nullable(Timestamp)),
    },
  }),
  'ticket.approved': define('Ticket approved', ['ticket'], BY_PERSON, {
    ocsf: ['user_access', 1],
    sentence:
      '{override, select, true {{who} approved request {label}, overriding its approvers} other {{who} approved request {label}}}',
    quote: ['comment'],
    payload: {
      ...ticket,
      comment: optional('The comment of the person.', MaybeText),
      override: optional('Whether an administrator decided in place of the approvers.', Type.Boolean()),
      approvers: optional('The people who approved the request.', Type.Array(Uuid)),
      outcome: optional(
        'Whether the sync completed, or its connector ended it early.',
        Nullable(
          Type.String({
            description: 'The groups and licenses that were not granted, and why. Null if all were.',
          }),
        ),
      ),
    },
  }),
  'ticket.denied': define('Ticket denied', ['ticket'], BY_PERSON, {
    severity: 'high',
    ocsf: ['user_access', OTHER],
    sentence:
      '{override, select, true {{who} denied request {label}, overriding its approvers} other {{who} denied request {label}}}',
    quote: ['comment', 'reason'],
    payload: {
      ...ticket,
      comment: optional('The comment of the person.', MaybeText),
      override: optional('Whether an administrator decided in place of the approvers.', Type.Boolean()),
      reason: optional('Why it happened.', Text),
    },
  }),
  'user.created': define('Platform user created', ['platform_user'], BY_ANYTHING, {
    ocsf: ['account_change', 1],
    sentence:
      '{identity_type, select, service_account {{who} added {person} as a service account} other {{who} added {person}}}',
    payload: {
      ...person,
      identity_type: optional('Whether the person is a human or, for example, a service account.', Text),
      domain_type: optional('Whether the person is internal or external.', Text),
      manager_id: optional("The person's manager.", Nullable(Uuid)),
      role: optional('The role of the person.', Text),
    },
  }),
  'user.updated': define(
    'Platform user profile updated (domain type or manager changed)',
    ['platform_user'],
    BY_ANYTHING,
    {
      severity: 'low',
      ocsf: ['account_change', OTHER],
      sentence: '{who} changed {person}: {changes}',
      payload: { ...person, changes: Changes },
    },
  ),
  'user.deactivated': define('Platform user deactivated', ['platform_user'], BY_ANYTHING, {
    severity: 'high',
    ocsf: ['account_change', 5],
    sentence: '{who} deactivated {person}',
    quote: ['reason'],
    payload: { ...person, reason: optional('Why it happened.', MaybeText) },
  }),
  'user.reactivated': define('Platform user reactivated', ['platform_user'], BY_ANYTHING, {
    ocsf: ['account_change', 2],
    sentence: '{who} reactivated {person}',
    quote: ['reason'],
    payload: { ...person, reason: optional('Why it happened.', MaybeText) },
  }),
  'user.deleted': define('Platform user hard-deleted', ['platform_user'], BY_ANYTHING, {
    ocsf: ['account_change', 6],
    sentence: '{who} deleted {person}',
    quote: ['reason'],
    payload: { ...person, reason: optional('Why it happened.', MaybeText) },
  }),
  'user.identity_type.changed': define(
    'Platform user identity type changed (for example human to service_account)',
    ['platform_user'],
    BY_ANYTHING,
    {
      ocsf: ['account_change', OTHER],
      sentence: '{who} changed {person} from {from} to {to}',
      payload: { ...person, from: field('The value before.', Text), to: field('The value after.', Text) },
    },
  ),
};
