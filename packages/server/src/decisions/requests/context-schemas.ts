import { type Static, Type } from 'typebox';
import { PersonReference } from '#directory/people/reference.ts';
import { AccountStatus } from '#inventory/records/accounts/account.ts';
import { Component, MapOf, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { Refs } from '#work/provisioning/task-schemas.ts';

/** Groups or licenses that an account has. */
const Held = MapOf(Refs, { description: 'By resource type slug.' });

/** Facts about the beneficiary that help an approver decide. */
export const TicketContext = Component('TicketContext', {
  user: Type.Object({
    ...PersonReference.properties,
    status: Type.Enum(['active', 'deactivated']),
    title: Nullable(Type.String()),
    department: Nullable(Type.String()),
    manager: Nullable(PersonReference),
    teammates: Type.Integer({ description: 'The number of other active people with the same manager.' }),
  }),
  account: Nullable(
    Type.Object({
      external_uuid: Uuid,
      status: AccountStatus,
      memberships: Held,
      assignments: Held,
      last_seen_at: Nullable(Timestamp),
    }),
  ),
  username: Nullable(
    Type.String({
      description:
        'The user name that a new account of the person would get now. It is reserved when the task is created. Null if no account would be created.',
    }),
  ),
  asked: Type.Array(
    Type.Object({
      slug: Type.String(),
      id: Type.String(),
      teammates: Type.Integer({ description: 'The number of teammates who hold it.' }),
    }),
    { description: 'The requested groups and licenses.' },
  ),
});
export type TicketContext = Static<typeof TicketContext>;
