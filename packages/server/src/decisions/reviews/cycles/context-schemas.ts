import { type Static, Type } from 'typebox';
import { PersonEmail } from '#directory/people/reference.ts';
import { GrantKind, reasons } from '#inventory/records/accounts/schemas.ts';
import { Component, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { Decision } from '../campaigns/schemas.ts';
import { DEVIATIONS } from './deviations.ts';
import { PEER_GROUPS, REASONS } from './recommend.ts';

/** A time that JSON of the database has. */
const StoredTime = Type.String({ format: 'date-time' });

const Granted = Component('ReviewItemGrant', {
  at: Timestamp,
  found: reasons.found,
  grants: Type.Array(
    Component('ReviewItemReason', {
      external_uuid: Uuid,
      kind: GrantKind,
      label: Nullable(Type.String()),
      decided_by: Nullable(PersonEmail),
      starts_at: StoredTime,
      ends_at: Nullable(StoredTime),
    }),
    {
      description:
        'The grants in force now: of what gives it, if something else does. Members see their kinds and times.',
    },
  ),
});

const Peers = Component('ReviewItemPeers', {
  group: Type.Enum([...PEER_GROUPS]),
  name: Nullable(Type.String({ description: 'The department or title. Null for a manager.' })),
  of: Type.Integer({ description: 'The number of other active people in the group, at least 3.' }),
  have: Type.Integer({ description: 'How many of them have the same access.' }),
});

const Prior = Component('PriorReviewDecision', {
  campaign: Type.String(),
  cycle_id: Uuid,
  decision: Decision,
  decided_by: Nullable(PersonEmail),
  decided_at: Timestamp,
});

export type PriorDecision = Static<typeof Prior>;

/** Facts that help a reviewer decide on an item, in addition to those in the list. */
export const ItemContext = Component('ReviewItemContext', {
  item: Uuid,
  description: Nullable(Type.String({ description: 'Of the group or license.' })),
  person_left: Type.Boolean({
    description: 'Whether the person is deactivated, or their last day has passed.',
  }),
  unused_days: Nullable(
    Type.Integer({
      description:
        'Days since the account was last used, or since it was discovered if it never was. Null: the app does not say.',
    }),
  ),
  granted: Granted,
  peers: Type.Array(Peers, {
    description:
      'The active people with the same manager, department and title. Groups of fewer than 3 people are left out.',
  }),
  prior: Type.Array(Prior, {
    description: 'Decisions on the same access in the latest 20 other cycles, newest first.',
  }),
  deviations: Type.Array(Type.Enum([...DEVIATIONS]), {
    description:
      'The reasons to look at the item. `not_used`: for 90 days. `few_peers`: fewer than 10 % of a group of at least 5 people have it. `revoked_before`: in an earlier cycle. Empty: nothing deviates, and a decision can have `without_deviations`.',
  }),
  recommendation: Nullable(
    Type.Object(
      { decision: Decision, reasons: Type.Array(Type.Enum([...REASONS])) },
      { description: 'Null: there is no reason to recommend either, or the item is decided.' },
    ),
  ),
});
export type ItemContext = Static<typeof ItemContext>;
