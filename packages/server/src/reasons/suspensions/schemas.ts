import { Type } from 'typebox';
import { PersonReference } from '#directory/people/reference.ts';
import { Component, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { END_KINDS } from '../grants/grant.ts';
import { SUSPENSION_KINDS } from './suspension.ts';

const forOthers = 'null for members.';

const SuspensionSource = Component('SuspensionSource', {
  kind: Type.Enum([...SUSPENSION_KINDS], { description: 'app: a sync found the account suspended.' }),
  external_uuid: Nullable({
    ...Uuid,
    description:
      'The task of a manual suspension, the review item, the policy, or the sync that found it. null for members.',
  }),
  label: Nullable(Type.String({ description: `The name of the decision at that time. ${forOthers}` })),
});

export const Suspension = Component('Suspension', {
  external_uuid: Uuid,
  account: Uuid,
  user: Nullable({ ...Uuid, description: 'The user who has the account now.' }),
  app: Uuid,
  source: SuspensionSource,
  decided_by: Nullable({ ...PersonReference, description: `null for what syncs found. ${forOthers}` }),
  leaving: Type.Boolean({
    description:
      'Whether it was decided because the user leaves. Policies for users who are reactivated end only such suspensions.',
  }),
  reason: Nullable(Type.String({ description: forOthers })),
  since: Timestamp,
  ended_at: Nullable(Timestamp),
  ended_by: Nullable(
    Component('SuspensionEnd', {
      kind: Type.Enum([...END_KINDS], { description: 'app: a sync showed the account active.' }),
      external_uuid: Nullable({ ...Uuid, description: forOthers }),
      label: Nullable(Type.String({ description: forOthers })),
    }),
  ),
});
