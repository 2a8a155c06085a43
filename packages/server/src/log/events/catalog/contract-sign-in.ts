import { Type } from 'typebox';
import { Nullable, Uuid } from '#kit/schemas.ts';
import {
  apiKey,
  app,
  Count,
  define,
  field,
  MaybeText,
  OTHER,
  optional,
  session,
  Text,
  Timestamp,
} from '../payloads.ts';

/** Sign-in, connectors that sign in, and API keys. These types and those of the other contract files are the 42 of protocol 6.3; the list is closed (D43). */
export const contractSignInEvents = {
  'session.login.succeeded': define('User logged in', ['platform_user'], ['user_action', 'api'], {
    severity: 'low',
    ocsf: ['authentication', 1],
    sentence:
      '{has_method, select, no {{person} signed in} other {{second_factor, select, true {{person} signed in with {way} and a second factor} other {{person} signed in with {way}}}}}',
    payload: {
      ...session,
      provider: optional('The sign-in provider.', MaybeText),
      second_factor: optional('Whether the person used a second factor.', Type.Boolean()),
    },
  }),
  'session.login.failed': define(
    'Failed login attempt',
    ['platform_user', 'system'],
    ['user_action', 'api'],
    {
      severity: 'high',
      ocsf: ['authentication', 1],
      sentence:
        '{has_method, select, no {A sign-in attempt as {identifier} failed} other {A sign-in attempt as {identifier} with {way} failed}}',
      quote: ['reason'],
      payload: {
        identifier: Type.String({ description: 'The name as typed. It may not belong to any person.' }),
        reason: field('Why it happened.', Text),
        method: optional('How the person signed in.', Text),
        user_id: optional('The person with this name. Null if there is none.', Nullable(Uuid)),
        failures: optional('The number of failed attempts.', Count),
      },
    },
  ),
  'session.logout': define('User logged out', ['platform_user'], ['user_action', 'api', 'system'], {
    severity: 'low',
    ocsf: ['authentication', 2],
    sentence: '{person} signed out',
    payload: session,
  }),
  'session.ip_blocked': define(
    'IP blocked after repeated failed logins',
    ['system', 'platform_user'],
    ['system', 'user_action', 'api'],
    {
      severity: 'critical',
      ocsf: ['authentication', OTHER],
      sentence:
        '{has_blocked_until, select, no {The IP address {ip} was blocked after {failures, plural, one {# failed sign-in} other {# failed sign-ins}}} other {The IP address {ip} was blocked until {blocked_until} after {failures, plural, one {# failed sign-in} other {# failed sign-ins}}}}',
      payload: {
        ip: field('The blocked address.', Text),
        failures: field('The number of failed attempts.', Count),
        window_seconds: optional('The number of seconds in which the attempts failed.', Count),
        blocked_until: field('The time until which the address is blocked.', Timestamp),
        identifiers: optional('The names that were typed.', Type.Array(Text)),
      },
    },
  ),
  'session.expired': define(
    'Session expired',
    ['platform_user'],
    ['system', 'schedule', 'user_action', 'api'],
    {
      ocsf: ['authentication', 2],
      sentence: 'A session of {person} expired',
      payload: {
        ...session,
        started_at: optional('The time at which it started.', Timestamp),
        expired_at: optional('The time at which the session expired.', Timestamp),
      },
    },
  ),
  'warp.login.attempted': define(
    'Browser/API based app login initiated',
    ['app'],
    ['api', 'user_action', 'sync', 'task', 'system'],
    {
      ocsf: ['authentication', 1],
      sentence:
        '{method, select, browser {The connector for {app} tried to sign in to the app with a browser} other {The connector for {app} tried to sign in to the app}}',
      payload: {
        ...app,
        method: field(
          'Whether the connector signs in by API or in a browser.',
          Type.Enum(['api', 'browser']),
        ),
      },
    },
  ),
  'warp.login.failed': define(
    'Browser/API based app login failed',
    ['app'],
    ['api', 'user_action', 'sync', 'task', 'system'],
    {
      ocsf: ['authentication', 1],
      sentence: 'The connector for {app} could not sign in to the app',
      quote: ['message'],
      payload: {
        ...app,
        method: field(
          'Whether the connector signs in by API or in a browser.',
          Type.Enum(['api', 'browser']),
        ),
        message: optional('The message of the error.', MaybeText),
      },
    },
  ),
  'api_key.created': define(
    'API key created',
    ['platform_user', 'system'],
    ['user_action', 'api', 'system'],
    {
      ocsf: ['entity_management', 1],
      sentence: '{who} created the API key {name}',
      payload: {
        ...apiKey,
        scopes: field('The scopes of the key.', Type.Array(Text)),
        apps: field(
          'The apps that the key may access. Null means all apps.',
          Nullable(
            Type.Array(Uuid, { description: 'The apps that the key may access. Null means all apps.' }),
          ),
        ),
        expires_at: field('The time at which it expires. Null means never.', Nullable(Timestamp)),
      },
    },
  ),
  'api_key.revoked': define(
    'API key revoked or deleted',
    ['platform_user', 'system'],
    ['user_action', 'api', 'system'],
    {
      ocsf: ['entity_management', 4],
      sentence: '{who} revoked the API key {name}',
      quote: ['reason'],
      payload: {
        ...apiKey,
        reason: optional('Why it happened.', Text),
        last_used_at: optional('The time at which the key was last used.', Nullable(Timestamp)),
      },
    },
  ),
  'api_key.used': define('API key used to authenticate a request', ['platform_user', 'system'], ['api'], {
    ocsf: ['authentication', 1],
    sentence: '{who} used the API key {name}',
    payload: {
      ...apiKey,
      scopes: optional('The scopes of the key.', Type.Array(Text)),
      method: optional('The HTTP method of the request.', Text),
      route: Type.Optional(
        Type.String({ description: 'The address of the request, with placeholders instead of ids.' }),
      ),
    },
  }),
};
