import { Type } from 'typebox';
import { resource } from '#kit/http.ts';
import { Component } from '#kit/schemas.ts';
import { type Client, ClientView, ReleaseView } from '../client-schemas.ts';
import { type CountHolds, listClients, releaseAll, requireClient } from '../clients.ts';

const NewRelease = Component('NewScimClientRelease', {
  dry_run: Type.Optional(
    Type.Boolean({ default: false, description: 'Return what would change, and change nothing.' }),
  ),
  forget_ids: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Forget the externalIds as well, also those of people who were released from this client before, or whom it deleted. For another provider, which has other ids.',
    }),
  ),
});

const clients = resource({
  path: '/api/scim-clients/',
  tag: 'SCIM clients',
  reading: { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'] } },
  // Only an owner decides that an identity provider no longer manages people, as for one person.
  managing: { access: { scope: 'govern', roles: ['owner'] } },
  id: 'key_id',
  find: async (call, id) => {
    await requireClient(call, id);
    return id;
  },
  schema: ClientView,
  view: (client: Client) => client,
});

export const clientRoutes = (countHolds: CountHolds) => [
  clients.list(
    'List SCIM clients',
    {
      description:
        'The API keys with the scope scim that work, and those that still manage people or groups, or whose externalIds are kept. Newest first.',
    },
    (call, _, page) => listClients(call, page, countHolds),
  ),
  clients.one.post(
    'release/',
    'Release all people and groups of a SCIM client',
    {
      description:
        'Makes the fields that the client manages editable. The externalId of each person is kept: a user whom a client creates with it is that person. Repeat the request if it was interrupted.',
      body: NewRelease,
      reply: ReleaseView,
    },
    ({ call, found, body: { dry_run: dryRun = false, forget_ids: forgetIds = false } }) =>
      releaseAll(call, found.toLowerCase(), { dryRun, forgetIds }),
  ),
];
