import { type Static, Type } from 'typebox';
import { Component, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';

const Count = Type.Integer({ minimum: 0 });
const keptIds =
  'The people whom the client no longer manages, because they were released or it deleted them, and whose externalId is kept. forget_ids forgets it.';

/** An API key, what it manages, and what of its requests was not applied. */
export const ClientView = Component('ScimClient', {
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

export type Client = Static<typeof ClientView>;

/** The changes that a release makes, or has made. */
export const ReleaseView = Component('ScimClientRelease', {
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
export type Release = Static<typeof ReleaseView>;
