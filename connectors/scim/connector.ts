import { defineConnector, deliverToProgram, main, secret, text, VERSION } from '@gatehouse/connector';
import { call, meaningOf, type Scim } from './client.ts';
import { listGroups, readGroup } from './groups.ts';
import { createUser, deleteUser, resetPassword, setActive, updateUser } from './tasks.ts';
import { findUser, listEntitlements, listUsers, readUser } from './users.ts';

/** Connects applications with SCIM 2.0 (RFC 7643, RFC 7644): users, groups and entitlements. */
export const connector = defineConnector({
  name: 'scim',
  version: VERSION,
  description: 'Users, groups and entitlements of a SCIM 2.0 application',
  config: {
    url: text('base URL, such as https://app.example/scim/v2'),
    token: secret('bearer token'),
    deliverTo: text('program that receives new passwords as JSON on standard input', {
      optional: true,
      local: true,
    }),
  },
  connect: (config): Scim => config,
  check: (scim) => call(scim, 'GET', '/Users?count=1'),
  groups: { group: { name: 'Groups', list: listGroups, get: readGroup } },
  licenses: { entitlement: { name: 'Entitlements', list: listEntitlements } },
  accounts: { user: { name: 'Users', list: listUsers, get: readUser } },
  tasks: {
    find: findUser,
    create: (scim, { account, memberships }, context) => createUser(scim, account, memberships, context),
    update: (scim, { account, changes }) => updateUser(scim, account, changes),
    delete: (scim, { id }) => deleteUser(scim, id),
    suspend: (scim, { id }) => setActive(scim, id, false),
    unsuspend: (scim, { id }) => setActive(scim, id, true),
    resetPassword: (scim, { id }) => resetPassword(scim, id),
  },
  deliver: ({ deliverTo }, message) => deliverToProgram(deliverTo, message),
  mapError: meaningOf,
});

await main(connector, import.meta);
