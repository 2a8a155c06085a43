import { type Static, Type } from 'typebox';
import { PersonEmail } from '#directory/people/reference.ts';
import { AppName } from '#inventory/apps/reference.ts';
import { AccountSummary, EntitlementSummary, GrantReference } from '#inventory/records/accounts/schemas.ts';
import { Bounds, Certainty, ExactTime } from '#inventory/records/history/as-of-schemas.ts';
import { Component, Nullable, Uuid } from '#kit/schemas.ts';
import { END_KINDS } from '#reasons/grants/grant.ts';
import { CHANGES } from './changes.ts';

/** The change that began or ended a period, and the decision behind it. */
const Cause = Component('Cause', {
  kind: Type.Enum(['sync', 'abandoned_sync', 'removal', 'task', 'revert'], {
    description:
      'sync, abandoned_sync: a sync found the app changed. removal: a completed sync no longer found the account. task: a connector completed a task. revert: a sync was reverted.',
  }),
  at: { ...ExactTime, description: 'When Gatehouse recorded the change.' },
  sync_id: Nullable(Uuid),
  task_id: Nullable(Uuid),
  confirmed: Nullable(
    Type.Enum(['read', 'none'], {
      description:
        'For a task: read if the connector read the account back and saw the result, none if it did not see it. null if it did not say.',
    }),
  ),
  ticket_id: Nullable(Uuid),
  review_item_id: Nullable(Uuid),
  policy_id: Nullable(Uuid),
  decided_by: Nullable({
    ...PersonEmail,
    description:
      'The person who approved the request, decided the review item or created the task. null for syncs, policies and reverts.',
  }),
  actor: Nullable(
    Type.Object(
      { type: Type.String(), uuid: Nullable(Type.String()) },
      { description: 'The caller who reported the task or reverted the sync. null for syncs.' },
    ),
  ),
});

export type Cause = Static<typeof Cause>;

/** The account or membership that a period or a difference is about. */
const item = {
  type: Type.Enum(['account', 'membership']),
  app: AppName,
  account: AccountSummary,
  user: Nullable({
    ...Uuid,
    description:
      'The person to whom the account belonged when it was last there, within the times that were asked for. null: nobody; a link that was made later says nothing about the time before it.',
  }),
  resource: Nullable(EntitlementSummary),
};

const EndedBy = Component(
  'PeriodEnd',
  { kind: Type.Enum([...END_KINDS]), external_uuid: Nullable(Uuid), label: Nullable(Type.String()) },
  {
    description:
      'The decision that ended it: `end` if the time of the access was over. null: a sync found it gone, or it has not ended. Members see its kind.',
  },
);
export type EndedBy = Static<typeof EndedBy>;

/** A period in which an account had a state, or held a group or license. */
export const Period = Component('Period', {
  id: Type.String({ description: 'Stays the same when the period ends.' }),
  ...item,
  status: Nullable(Type.String({ description: 'The status of an account; null for memberships.' })),
  bounds: Bounds,
  began: Nullable(Cause),
  grant: Nullable({
    ...GrantReference,
    description:
      'The first grant in force when it began, or when what gives it did. null: a sync found it while none was. Members see its kind and end.',
  }),
  ended: Nullable(Cause),
  ended_by: Nullable(EndedBy),
});
export type Period = Static<typeof Period>;

export const Change = Type.Enum([...CHANGES]);

const MaybeText = Nullable(Type.String());

/** A state as it was at one of the two times. */
const Side = Nullable(
  Component(
    'ComparedState',
    {
      status: MaybeText,
      email: MaybeText,
      username: MaybeText,
      display_name: MaybeText,
      external_id: MaybeText,
      certainty: Certainty,
      bounds: Bounds,
    },
    { description: 'null: absent. All but `certainty` and `bounds` are null for memberships.' },
  ),
);

/** Something that differs between two times. */
export const Difference = Component('Difference', {
  change: Change,
  ...item,
  before: Side,
  after: Side,
  certainty: Certainty,
});
export type Difference = Static<typeof Difference>;
