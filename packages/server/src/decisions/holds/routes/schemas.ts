import { Type } from 'typebox';
import { PersonReference } from '#directory/people/reference.ts';
import { AppName } from '#inventory/apps/reference.ts';
import { Component, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { CLIENT_TYPES, type Hold, HoldKind, HoldStatus, WINDOW_SECONDS } from '../hold.ts';

const Count = Type.Integer();

export const HoldItem = Component('Hold', {
  external_uuid: Uuid,
  kind: {
    ...HoldKind,
    description:
      'people: a client deactivated, deleted or replaced many people. group: a group lost many members. app: tasks exceed the daily budget of an app.',
  },
  client: Nullable(
    Component(
      'HoldClient',
      {
        type: Type.Enum([...CLIENT_TYPES]),
        external_uuid: { ...Uuid, description: 'The API key, or the person who imported.' },
        label: Type.String({
          description: 'The name of the key, or the email of the person. Empty if it no longer exists.',
        }),
      },
      { description: 'The client that made the changes. Null for a signed-in person, and for the kind app.' },
    ),
  ),
  group: Nullable(
    Component(
      'HoldGroup',
      { external_uuid: Uuid, name: Type.String({ description: 'The name when the hold began.' }) },
      { description: 'The group that lost its members.' },
    ),
  ),
  app: Nullable(AppName),
  window_seconds: { ...Count, description: 'The time in which changes are counted together.' },
  affected: {
    ...Count,
    description:
      'The people who were deactivated or left the group and have not returned, or the accounts of the held tasks.',
  },
  of: {
    ...Count,
    description:
      "The client's active people, or the group's members, when the window began. For the kind app, the accounts that have access.",
  },
  percent: Nullable(Type.Number({ description: 'The limit that was exceeded.' })),
  status: HoldStatus,
  tasks: { ...Count, description: 'The number of tasks that wait, with those that policies would create.' },
  created_at: Timestamp,
  decided_by: Nullable(PersonReference),
  decided_at: Nullable(Timestamp),
  reason: Nullable(Type.String({ description: 'Why the hold was discarded.' })),
});

export const holdItem = ({ id, ...hold }: Hold) => ({
  external_uuid: id,
  ...hold,
  window_seconds: WINDOW_SECONDS[hold.kind],
});
