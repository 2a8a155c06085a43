import { type Static, Type } from 'typebox';
import { GrantKind } from '#inventory/records/accounts/schemas.ts';
import { Component, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { END_KINDS } from './grant.ts';

const MaybeId = Nullable(Uuid);
const MaybeText = Nullable(Type.String());

export const GrantStatus = Type.Enum(['active', 'scheduled', 'owed', 'ended'], {
  default: 'active',
  description:
    'active: in force. scheduled: begins later. ended: over. owed: over, and its access is removed, also if a sync shows it again within 30 days.',
});
export type GrantStatus = Static<typeof GrantStatus>;

/** A grant (D73). */
export const GrantView = Component('Grant', {
  external_uuid: Uuid,
  account: Uuid,
  account_email: Type.String({ description: 'The email of the account, or its user name if it has none.' }),
  user: Nullable({ ...Uuid, description: 'The person who has the account now, or had it at `as_of`.' }),
  for_user: Nullable({
    ...Uuid,
    description:
      'The person for whom it was decided. Members see only themselves and people who report to them.',
  }),
  app: Uuid,
  app_name: Type.String(),
  slug: Nullable({ ...Type.String(), description: 'The resource type. null: the account itself.' }),
  resource: Nullable({
    ...Type.String(),
    description: 'The external id of the group or license. null: the account itself.',
  }),
  resource_name: MaybeText,
  source: Component(
    'GrantSource',
    { kind: GrantKind, external_uuid: MaybeId, label: MaybeText },
    {
      description:
        'The decision, with its label as it was then. `external_uuid` is the request, the policy or the restore; for `manual`, the task.',
    },
  ),
  decided_by: MaybeId,
  starts_at: Timestamp,
  ends_at: Nullable({ ...Timestamp, description: 'The end that was decided. null: none.' }),
  ended_at: Nullable(Timestamp),
  ended_by: Nullable(
    Component(
      'GrantEnd',
      { kind: Type.Enum([...END_KINDS]), external_uuid: MaybeId, label: MaybeText },
      { description: 'The decision that ended it. `end`: its time is over, with its own decision.' },
    ),
  ),
  brought: Type.Boolean({
    description:
      'Whether a task gave the access. false: the account had it already, or does not have it yet.',
  }),
  of_another_person: Type.Boolean({
    description: 'Whether the account belongs to another person than the one for whom it was decided.',
  }),
});
export type GrantView = Static<typeof GrantView>;
