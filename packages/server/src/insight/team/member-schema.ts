import { type Static, Type } from 'typebox';
import { Component, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';

const Count = Type.Integer({ minimum: 0 });

/** A person who reports to the caller, with what the caller has to know or do about them. */
export const TeamMember = Component('TeamMember', {
  external_uuid: Uuid,
  email: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  title: Nullable(Type.String()),
  department: Nullable(Type.String()),
  status: Type.Enum(['active', 'deactivated']),
  access: Component(
    'TeamMemberAccess',
    { accounts: Count, groups: Count, licenses: Count, last_sign_in_at: Nullable(Timestamp) },
    {
      description:
        'The number of accounts, groups and licenses in all apps, and the newest sign-in that an app reports.',
    },
  ),
  requests: Type.Array(
    Component('TeamMemberRequest', {
      external_uuid: Uuid,
      label: Type.String(),
      created_at: Timestamp,
      to_decide: Type.Boolean({ description: 'Whether the caller can decide it now.' }),
      is_own: Type.Boolean({ description: 'Whether the caller requested or filed it.' }),
    }),
    { description: 'The pending requests for the person, oldest first, up to 50.' },
  ),
  reviews: Type.Array(
    Component('TeamMemberReview', {
      external_uuid: Uuid,
      name: Type.String(),
      due_at: Nullable(Timestamp),
      undecided: Count,
      to_decide: { ...Count, description: 'The items among them that the caller reviews.' },
    }),
    { description: 'The open review cycles with undecided items about the access of the person.' },
  ),
});
export type TeamMember = Static<typeof TeamMember>;
