import { Type } from 'typebox';
import { resource } from '#kit/http.ts';
import { Component, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { type Client, type CountHolds, listClients, releaseAll, requireClient } from '../clients.ts';

const Count = Type.Integer({ minimum: 0 });
const keptIds =
  'The people whom the client no longer manages, because they were released or it deleted them, and whose externalId is kept. forget_ids forgets it.';

const ClientView = Component('ScimClient', {
  key: Component('ScimClientKey', {
    id: Uuid,
    name: Nullable(Type.String({ description: 'Null: the key was deleted together with its person.' })),
    user: Nullable(Type.String({ format: 'uuid', description: 'The person for whom the key acts.' })),
    live: Type.Boolean({
      description: 'Whether the key works: not revoked, not expired, and its person is active.',
    }),
    expires_at: Nullable(Timestamp),
    revoked_at: Nullable(Timestamp),
  }),
  people: { ...Count, description: 'The number of people whom the client manages.' },
  groups: { ...Count, description: 'The number of groups that the client keeps.' },
  kept_ids: { ...Count, description: keptIds },
  last_request_at: Nullable(Timestamp),
  refused: { ...Count, description: 'The number of its requests that were refused in the last 24 hours.' },
  ignored: Type.Array(
    Component('ScimIgnoredAttribute', {
      attribute: Type.String({ description: 'As SCIM names it.' }),
      reason: Type.String({ description: 'Why it was left the last time.' }),
      count: { ...Count, description: 'How often it was left.' },
      last_at: Timestamp,
    }),
    { description: 'The attributes that were left as they were, although requests named them.' },
  ),
  holds: { ...Count, description: 'The number of open holds of changes that the client made.' },
});

const ReleaseView = Component('ScimClientRelease', {
  dry_run: Type.Boolean(),
  people: { ...Count, description: 'The people who were managed by the client. They stay as they are.' },
  active: { ...Count, description: 'The active ones among them.' },
  groups: { ...Count, description: 'The groups that the client kept. They and their members stay.' },
  with_role: { ...Count, description: 'The groups among them that give a role.' },
  kept_ids: { ...Count, description: keptIds },
  fields: Type.Array(Type.Object({ field: Type.String(), people: Count }), {
    description: 'The fields that can be edited in Gatehouse afterwards, with the number of people.',
  }),
});

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
