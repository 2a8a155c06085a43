import { type Static, Type } from 'typebox';
import { ROLES } from '#kit/identity.ts';
import { Component, MapOf, Nullable, SentenceFields, Timestamp, Uuid } from '#kit/schemas.ts';
import { PersonEmail } from './reference.ts';

export const PersonStatus = Type.Enum(['active', 'deactivated'], { title: 'UserStatus' });
export const IdentityType = Type.Enum(['human', 'service_account'], { title: 'IdentityType' });
export const PersonRole = Type.Enum([...ROLES], { title: 'UserRole' });

export const tag = 'People';
export const reading = { access: { scope: 'govern' } } as const;
export const managing = {
  access: { scope: 'govern', roles: ['owner', 'admin'], stepUp: 'privileged' },
} as const;
/** Members see nothing that concerns everybody. */
export const surveying = {
  access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'] },
  reads: 'replica',
} as const;

const Text = Type.String({ maxLength: 255 });
const Email = Type.String({ maxLength: 320, format: 'email' });
const Day = Type.String({ format: 'date' });

const DomainType = Type.Enum(['internal', 'external']);

const optional = {
  username: Type.Optional(
    Type.String({ minLength: 1, maxLength: 320, description: 'Defaults to the email.' }),
  ),
  first_name: Type.Optional(Text),
  last_name: Type.Optional(Text),
  identity_type: Type.Optional(IdentityType),
  domain_type: Type.Optional(DomainType),
  manager: Type.Optional(Nullable(Uuid)),
  status: Type.Optional(PersonStatus),
  role: Type.Optional(PersonRole),
  attributes: Type.Optional(
    MapOf(Type.Unknown(), {
      description: 'Merged by name with the existing attributes. Null removes an attribute.',
    }),
  ),
  start_date: Type.Optional(Nullable(Day)),
  end_date: Type.Optional(Nullable(Day)),
  leave_from: Type.Optional(
    Nullable({ ...Day, description: 'The first day of a leave. Null: the person is not on leave.' }),
  ),
  leave_until: Type.Optional(
    Nullable({ ...Day, description: 'The last day of the leave. Null: it has no known end.' }),
  ),
};

export const NewPerson = Component('NewUser', { email: Email, ...optional });
/** An email without its format, which is checked only if it differs from the stored one. */
export const AnyEmail = Type.String({ maxLength: 320 });
export const PersonChange = Component('UserChange', { email: Type.Optional(AnyEmail), ...optional });

/** The body of deactivate and reactivate. A POST without a body is null. */
export const Reason = Nullable(Component('StatusReason', { reason: Type.Optional(Nullable(Type.String())) }));

export const SuspendedAccountView = Component('SuspendedAccount', {
  account: Uuid,
  email: Type.String({ description: 'The email or the username of the account.' }),
  app: Component('SuspendedAccountApp', { id: Uuid, name: Type.String() }),
  source: Component('SuspendedAccountSource', {
    kind: Type.Enum(['manual', 'review', 'policy', 'app'], {
      description: 'app: a sync found the account suspended.',
    }),
    external_uuid: Nullable(Uuid),
    label: Type.String(),
  }),
  reason: Nullable(Type.String()),
});

export const PersonView = Component('User', {
  external_uuid: Uuid,
  username: Type.String(),
  email: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  identity_type: IdentityType,
  domain_type: DomainType,
  manager: Nullable(Uuid),
  status: PersonStatus,
  role: PersonRole,
  attributes: MapOf(Type.Unknown()),
  start_date: Nullable(Day),
  end_date: Nullable(Day),
  on_leave: Type.Optional(
    Type.Boolean({ description: 'Whether the user is on leave now. Not in states of the past.' }),
  ),
  leave_from: Type.Optional(
    Nullable({
      ...Day,
      description:
        'The first day of the present or next leave. Null: there is none. Not in states of the past.',
    }),
  ),
  leave_until: Type.Optional(
    Nullable({
      ...Day,
      description: 'The last day of that leave. Null: it has no known end. Not in states of the past.',
    }),
  ),
  merged_into: Type.Optional({
    ...Uuid,
    description: 'The user who remained when this one was merged. Only then present.',
  }),
  succeeded_by: Type.Optional({
    ...Uuid,
    description: 'The user to whom the email has passed. Only then present.',
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
  groups: Type.Optional(
    Type.Array(
      Component('UserGroupReference', {
        id: Uuid,
        display_name: Type.String(),
        external_id: Nullable(Type.String()),
      }),
      {
        description:
          "The groups of the person. `external_id` is the identity provider's id and tells groups with one name apart. Not in states of the past.",
      },
    ),
  ),
  sources: Type.Optional(
    MapOf(Type.Enum(['scim', 'group']), {
      description:
        'The fields that do not come from Gatehouse, such as email or attributes.department, and from where they come. They are read-only. Not in states of the past.',
    }),
  ),
});

/** The additional fields are present with `as_of` only. `updated_at` is then when the state began. */
export const PersonAsOfView = Component('UserAsOf', {
  ...PersonView.properties,
  as_of: Type.Optional(Timestamp),
  ended_at: Type.Optional(Nullable(Timestamp)),
});

export const FieldChange = Component('FieldChange', {
  field: Type.String(),
  from: Type.Unknown(),
  to: Type.Unknown(),
});

export type FieldChange = Static<typeof FieldChange>;

export const PersonPeriodView = Component('UserPeriod', {
  since: Timestamp,
  ended_at: Nullable(Timestamp),
  began: Nullable(
    Type.Enum(['created', 'changed'], { description: 'Null if earlier states are not on record.' }),
  ),
  ended: Nullable(Type.Enum(['changed', 'deleted'])),
  changes: Type.Array(FieldChange, { description: 'The changes at the beginning of the period.' }),
  person: PersonView,
});

/** Fields that a request could not change while it ended access. */
const Ignored = Type.Array(
  Component('IgnoredField', {
    attribute: Type.String({ description: 'The field, such as email or attributes.department.' }),
    reason: Type.String(),
    ...SentenceFields,
  }),
  {
    description:
      'The fields that were left as they were, because the access ends in any case. Only then present.',
  },
);

export const ChangedPerson = Component('ChangedUser', {
  ...PersonView.properties,
  ignored: Type.Optional(Ignored),
});

export const ImportResult = Component('UserImport', {
  dry_run: Type.Boolean(),
  created: Type.Integer(),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
  changes: Type.Array(
    Component('UserImportChange', {
      line: Type.Integer(),
      email: Type.String(),
      action: Type.Enum(['created', 'updated', 'unchanged'], {
        description: 'A row that changes nothing is listed only if it has `ignored`.',
      }),
      changes: Type.Array(FieldChange, { description: 'Of a new user, the values, as changes from null.' }),
      succeeds: Type.Optional(
        Type.Object(
          { external_uuid: Uuid, email: Type.String() },
          { description: 'The former user whose email passes to the new one. Only then present.' },
        ),
      ),
      ignored: Type.Optional(Ignored),
    }),
    { description: 'The first 1,000 changes.' },
  ),
});

export const AbsenceKind = Type.Enum(['away', 'leave'], {
  title: 'AbsenceKind',
  description:
    'A leave can have no end and no deputy. It is not an end of the employment: nothing is suspended.',
});
/** A time during which a person is away or on leave, and others decide for them. */
export const AbsenceView = Component('Absence', {
  external_uuid: Uuid,
  user: PersonEmail,
  kind: AbsenceKind,
  deputy: Nullable({
    ...PersonEmail,
    description: 'Null for a leave without one: the next in line decides.',
  }),
  starts_at: Timestamp,
  ends_at: Nullable({ ...Timestamp, description: 'Null for a leave whose end nobody knows.' }),
  reason: Nullable(
    Type.String({ description: 'For owners, administrators and the user. For all others it is null.' }),
  ),
  created_by: Uuid,
  created_at: Timestamp,
});
export type Absence = Static<typeof AbsenceView>;

export const GROUP_ROLES = ['admin', 'auditor', 'member'] as const;
export type GroupRole = (typeof GROUP_ROLES)[number];
export const GroupRoleName = Type.Enum([...GROUP_ROLES]);
export const PersonGroupView = Component('GroupOfUser', {
  id: Uuid,
  display_name: Type.String(),
  external_id: Nullable(Type.String({ description: "The identity provider's id of the group." })),
  role: Nullable(GroupRoleName),
  created_at: Timestamp,
  updated_at: Timestamp,
});
/** A group of people that an identity provider keeps (D50). */
export interface PersonGroup extends Static<typeof PersonGroupView> {
  version: number;
  /** The client that keeps it. Null: it was released. */
  key_id: string | null;
}
export const GroupView = Component('UserGroup', {
  ...PersonGroupView.properties,
  members: Type.Integer({ description: 'The number of members.' }),
});
export type ListedGroup = PersonGroup & Pick<Static<typeof GroupView>, 'members'>;
export const GroupMemberView = Component('UserGroupMember', {
  external_uuid: Uuid,
  email: Type.String(),
  username: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  role: PersonRole,
  status: PersonStatus,
});
export type GroupMember = Static<typeof GroupMemberView>;
