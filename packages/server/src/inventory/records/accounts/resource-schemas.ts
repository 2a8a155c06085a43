import { type Static, Type } from 'typebox';
import { PersonReference } from '#directory/people/reference.ts';
import { UnseenRule } from '#inventory/apps/unseen.ts';
import { Component, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { asOfFields } from '../history/as-of-schemas.ts';
import { AccountStatus } from './account.ts';
import { Risk } from './risk.ts';
import { Giver, reasons } from './schemas.ts';

/** A group or a license. */
export const Resource = Component('Resource', {
  external_uuid: Uuid,
  id: Type.String({ description: 'The id in the external system.' }),
  slug: Type.String({ description: 'The slug of its resource type.' }),
  type: Type.Enum(['group', 'license']),
  name: Type.String({
    description: 'Empty for a placeholder: an entitlement that has only been referenced so far.',
  }),
  description: Type.String(),
  active: Type.Boolean({ description: 'false: the last sync no longer found it.' }),
  members: Nullable(
    Type.Integer({ description: 'The number of accounts that hold it; null if a member asks.' }),
  ),
  hidden_members: Nullable(
    Type.Integer({
      description:
        'Members that the newest sync reported but could not show, for example because they belong to another domain. They are not in `members`. null if a member asks, or if no sync had completed by the time of `as_of`.',
    }),
  ),
  hidden: Type.Array(Component('HiddenMembers', { rule: UnseenRule, count: Type.Integer() }), {
    description: 'The same by rule.',
  }),
  max_count: Nullable(Type.Integer({ description: 'Seats of a license; 0 means unlimited.' })),
  used_count: Nullable(Type.Integer({ description: 'Seats in use, as the external system counts them.' })),
  is_full: Nullable(
    Type.Boolean({ description: 'Whether a license has no free seats, for every role; null for groups.' }),
  ),
  is_paid: Nullable(Type.Boolean()),
  is_unlimited: Nullable(Type.Boolean()),
  risk: Type.Optional(Nullable(Risk)),
  owner_email: Type.Optional(
    Nullable(Type.String({ description: 'The email of the owner that the app names.' })),
  ),
  owner: Type.Optional(Nullable(PersonReference)),
  members_more: Type.Optional(
    Type.Boolean({ description: 'Only with `as_of`: whether more than 100 accounts held it.' }),
  ),
  ...asOfFields,
});

export type Resource = Static<typeof Resource>;

export const Member = Component('Member', {
  external_uuid: Uuid,
  email: Type.String(),
  username: Type.String(),
  display_name: Type.String(),
  status: AccountStatus,
  user: Nullable(Uuid),
  person: Nullable(PersonReference),
  last_sign_in_at: Nullable({ ...Timestamp, description: 'When it was last used, as the app says.' }),
  granted_at: Timestamp,
  last_seen_at: Nullable({
    ...Timestamp,
    description: 'When a sync last saw it, if the newest one could not. null otherwise.',
  }),
  via: Nullable({
    ...Giver,
    description: 'The group or license that gives it. null: it was given directly.',
  }),
  ...reasons,
});
export type Member = Static<typeof Member>;
