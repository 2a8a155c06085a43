import { type Static, Type } from 'typebox';
import { UndecidedView } from '#directory/people/undecided.ts';
import { Component, MapOf, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { Trigger } from './filters.ts';

const IdsBySlug = MapOf(Type.Array(Type.String({ minLength: 1, maxLength: 512 }), { maxItems: 100 }), {
  maxProperties: 100,
  title: 'EntitlementIds',
});
const EffectKind = Type.Enum(['grant', 'revoke', 'suspend', 'unsuspend', 'delete']);
export type EffectKind = Static<typeof EffectKind>;
export const EffectBody = Component('PolicyEffect', {
  do: EffectKind,
  app: Type.Union([Type.Literal('all'), Uuid], {
    description:
      'The id of an app, or "all": every app in which the person has an account, and for a grant every app.',
  }),
  memberships: Type.Optional(Nullable(IdsBySlug)),
  assignments: Type.Optional(Nullable(IdsBySlug)),
});
/** The fields of a policy that its author writes. */
export const policyFields = {
  name: Type.String({ minLength: 1, maxLength: 255 }),
  trigger: Trigger,
  offset_days: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: -90,
        maximum: 90,
        description:
          'For `user.starts` and `user.ends`: how many days after that day the policy fires. Negative: before it. By default 0.',
      }),
    ),
  ),
  condition: Type.String({ description: 'CEL over user, account, app and today.', examples: ['true'] }),
  effects: Type.Array(EffectBody, { minItems: 1, maxItems: 20 }),
  delay: Type.Optional(
    Nullable(
      Type.String({
        description: 'ISO 8601 duration between the trigger and the tasks.',
        examples: ['P30D'],
      }),
    ),
  ),
  recheck: Type.Optional(
    Type.Boolean({
      default: true,
      description:
        'Whether the policy decides again when one of its tasks is due, and before a connector gets the task. false: its decision on the day of the trigger stands.',
    }),
  ),
  enabled: Type.Optional(Type.Boolean()),
};

export const PolicyItem = Component('Policy', {
  external_uuid: Uuid,
  name: Type.String(),
  trigger: Trigger,
  offset_days: Nullable(
    Type.Integer({ description: 'Null for triggers other than `user.starts` and `user.ends`.' }),
  ),
  condition: Type.String(),
  effects: Type.Array(
    Type.Object({ do: EffectKind, app: Type.String(), memberships: IdsBySlug, assignments: IdsBySlug }),
  ),
  delay: Nullable(Type.String()),
  recheck: Type.Boolean(),
  enabled: Type.Boolean(),
  pending_confirmation: Nullable(
    Type.Object(
      {
        status: Type.Enum(['held', 'releasing']),
        count: Type.Integer({ description: 'The number of tasks when the actions were held.' }),
        created: Type.Integer({ description: 'The number of tasks created since the confirmation.' }),
        held_at: Type.String({ format: 'date-time' }),
        because: Nullable(
          Type.Object(
            {
              kind: Type.Enum(['group_renamed', 'group_deleted']),
              group_id: Uuid,
              from: Type.String(),
              to: Nullable(Type.String({ description: 'The new name.' })),
              is_named: Type.Boolean({
                description:
                  'Whether the condition mentions one of the names. False: it compares names of groups with something else, such as an attribute, so that any group can matter.',
              }),
            },
            {
              description:
                'The group of people that was renamed or deleted. The policy does nothing until somebody confirms its tasks, changes its condition or trigger, or disables it. Null: the actions exceed the task limit, would give access to the people behind the policy, or contradict another policy.',
            },
          ),
        ),
        contradicts: Type.Array(Type.Object({ external_uuid: Uuid, name: Type.String() }), {
          description:
            'The policies that this one contradicted for somebody: one undid what the other did twice in seven days, while nothing that their conditions read of the person changed. Both do nothing for these people until somebody confirms the actions of one of them, changes what it does, or disables it.',
        }),
      },
      {
        description: 'Held actions. They await confirm/ or discard/, or are being released after confirm/.',
      },
    ),
  ),
  last_fired_at: Nullable(Timestamp),
  last_fired_count: Nullable(
    Type.Integer({ description: 'The number of tasks that the last firing created or held.' }),
  ),
  undecided: Nullable({
    ...UndecidedView,
    description:
      'The people for whom the condition was neither true nor false in the last run of a policy that takes access away. Null: no run has left anybody out.',
  }),
  created_by: Nullable(Uuid),
  created_at: Timestamp,
  updated_at: Timestamp,
});

type Confirmation = NonNullable<Static<typeof PolicyItem>['pending_confirmation']>;

/**
 * A group of people that was renamed or deleted. A policy whose condition names it, or compares names of groups with something else
 * than text, is held for that reason (D65).
 */
export type GroupChange = NonNullable<Confirmation['because']>;

export const PolicySettings = Component('PolicySettings', {
  task_limit: Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    description: 'The number of tasks that one firing may create without confirmation.',
  }),
});
