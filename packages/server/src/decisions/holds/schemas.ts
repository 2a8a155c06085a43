import { type Static, Type } from 'typebox';
import { PersonReference } from '#directory/people/reference.ts';
import { AppName } from '#inventory/apps/reference.ts';
import { Component, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { ACTIONS } from '#work/provisioning/task.ts';
import { CHANGE_TYPES, CLIENT_TYPES, HoldKind, HoldStatus } from './hold.ts';

const Count = Type.Integer();
const Amount = Type.Integer({ minimum: 0 });

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
export type Hold = Omit<Static<typeof HoldItem>, 'external_uuid' | 'window_seconds'> & { id: string };

export const HoldPerson = Component('HoldPerson', {
  user: { ...PersonReference, description: 'The texts are empty if the person was deleted.' },
  type: Type.Enum([...CHANGE_TYPES], {
    description:
      'left: was deactivated or deleted, or left the group. succeeded: lost the email to a successor. successor: has it now, and does not count.',
  }),
  status: Type.Enum(['active', 'deactivated', 'deleted']),
  at: Timestamp,
});

export type HoldPerson = Static<typeof HoldPerson>;

export const HoldPreview = Component('HoldPreview', {
  tasks: Type.Array(
    Component('HoldTasks', {
      app: AppName,
      action: Type.Enum([...ACTIONS], { title: 'TaskAction' }),
      count: Amount,
    }),
    { description: 'The tasks that wait, by app and action. Discarding the hold cancels them.' },
  ),
  policies: Type.Array(Component('HoldPolicy', { policy_id: Uuid, subjects: Amount, tasks: Amount }), {
    description:
      'The policies that decide again about people or accounts when the hold is confirmed, with the number of tasks that they would have created.',
  }),
});
export type HoldPreview = Static<typeof HoldPreview>;
