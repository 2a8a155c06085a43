import { type Static, Type } from 'typebox';
import { Component, Nullable, Uuid } from '#kit/schemas.ts';

export const FOUND_KINDS = [
  'person',
  'account',
  'app',
  'resource',
  'group',
  'request',
  'policy',
  'campaign',
] as const;
export type FoundKind = (typeof FOUND_KINDS)[number];

export const Found = Component('FoundRecord', {
  kind: Type.Enum([...FOUND_KINDS]),
  external_uuid: Uuid,
  name: Type.String(),
  about: Type.String({
    description:
      'The email of a person, the app of an account, group or license, the status of a request. Empty otherwise.',
  }),
  status: Nullable(
    Type.String({
      description:
        'The status of a person or an account, `archived` for an app that was archived, and `deleted` for a group or license that its app no longer has.',
    }),
  ),
  leaver: Type.Boolean({
    description: 'Whether a person has left and still has accounts. False for keys without the scope read.',
  }),
});
export type Found = Static<typeof Found>;
