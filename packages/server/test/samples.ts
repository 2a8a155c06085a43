import { openSamlProvider } from './saml.ts';

/** An existing id of the organization for each parameter of an address. */
export type Ids = Record<string, string>;

/**
 * The things that requests create. Tests make them, change them, delete them, send them with odd texts, and with the ids of another organization: a new
 * resource needs an entry here.
 */
export interface Sample {
  /** The address that creates it. */
  at: string;
  /** The address of one, if it has one. */
  one?: string;
  /** Its own id is in the place of `{id}` of `one`. `name` is new for each. */
  create: (ids: Ids, name: string) => Record<string, unknown>;
  /** Two changes of it. */
  changes?: [object, object];
  /** Only the session of an owner may create it. */
  byOwner?: true;
}

const NAMES: [object, object] = [{ name: 'One' }, { name: 'Two' }];

export const SAMPLES: Sample[] = [
  {
    at: '/api/v1/bridge/apps/',
    one: '/api/apps/{app_id}/',
    create: ({ app_id }, name) => ({ name, clone_from: app_id }),
    changes: NAMES,
  },
  {
    at: '/api/users/',
    one: '/api/users/{user_id}/',
    create: ({ other_id }, name) => ({ email: `${name}@x.example`, first_name: name, manager: other_id }),
    changes: [{ last_name: 'One' }, { last_name: 'Two' }],
  },
  {
    at: '/api/api-keys/',
    one: '/api/api-keys/{key_id}/',
    create: ({ app_id }, name) => ({ name, apps: [app_id] }),
  },
  {
    at: '/api/sign-in-providers/',
    one: '/api/sign-in-providers/{provider}/',
    create: (_, name) => ({ id: name, saml: { idp_metadata: openSamlProvider().metadata } }),
    changes: NAMES,
    byOwner: true,
  },
  {
    at: '/api/policies/',
    one: '/api/policies/{policy_id}/',
    create: ({ app_id }, name) => ({
      ...{ name, trigger: 'user.deactivated', condition: 'false' },
      effects: [{ do: 'delete', app: app_id }],
    }),
    changes: NAMES,
  },
  {
    at: '/api/reviews/',
    one: '/api/reviews/{review_id}/',
    create: ({ app_id, user_id, other_id }, name) => ({
      ...{ name, scope: { apps: [app_id] }, reviewer: [user_id], fallback_reviewers: [other_id] },
    }),
    changes: NAMES,
  },
  {
    at: '/api/webhooks/',
    one: '/api/webhooks/{webhook_id}/',
    // Nothing listens there.
    create: (_, name) => ({ name, url: 'http://127.0.0.1:9/', enabled: false }),
    changes: NAMES,
  },
  {
    at: '/api/notifications/channels/',
    one: '/api/notifications/channels/{channel_id}/',
    create: ({ app_id }, name) => ({
      ...{ type: 'slack', name, url: 'https://hooks.example.com/a', kinds: ['task_failed'] },
      ...{ enabled: false, app: app_id },
    }),
    changes: [{ url: 'https://hooks.example.com/one' }, { url: 'https://hooks.example.com/two' }],
  },
  {
    at: '/api/queries/',
    one: '/api/queries/{query_id}/',
    create: ({ app_id }, name) => ({
      name,
      query: {
        subject: 'accounts',
        conditions: [
          { field: 'app.id', operator: 'is', value: [app_id] },
          { field: 'account.email', operator: 'is_not', value: name },
        ],
      },
    }),
    changes: NAMES,
  },
  { at: '/api/connection-requests/', create: (_, name) => ({ app_name: name, reason: name }) },
  {
    at: '/api/tasks/',
    create: ({ app_id, user_id }, name) => ({
      ...{ app: app_id, user: user_id, action: 'create_account', reason: name },
    }),
  },
  {
    at: '/api/tickets/',
    create: ({ app_id, other_id }, name) => ({
      ...{ app: app_id, user: other_id, type: 'NEW_ACCESS', initial_comment: name },
    }),
  },
];

/** Returns the id of a created thing. */
export const idOf = (body: { external_uuid?: string; id?: string }) => body.external_uuid ?? body.id ?? '';
