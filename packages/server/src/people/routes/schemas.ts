import { Type } from 'typebox';
import { ROLES } from '../../identity/principal.ts';
import { Nullable, Timestamp, Uuid } from '../../platform/http/schemas.ts';
import { DOMAIN_TYPES, IDENTITY_TYPES, PERSON_STATUSES } from '../person.ts';

export const tags = ['People'];
export const read = { scope: 'govern' } as const;
export const write = { scope: 'govern', roles: ['owner', 'admin'] } as const;

const Text = Type.String({ maxLength: 255 });
const Email = Type.String({ maxLength: 320, format: 'email' });
const Day = Type.String({ format: 'date' });

export const PersonStatus = Type.Enum([...PERSON_STATUSES]);
export const IdentityType = Type.Enum([...IDENTITY_TYPES]);
export const PersonRole = Type.Enum([...ROLES]);
const DomainType = Type.Enum([...DOMAIN_TYPES]);

export const PersonParams = Type.Object({ user_id: Uuid });

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
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Merged by name with the existing attributes. Null removes an attribute.',
    }),
  ),
  start_date: Type.Optional(Nullable(Day)),
  end_date: Type.Optional(Nullable(Day)),
};

export const NewPerson = Type.Object({ email: Email, ...optional });
export const PersonChange = Type.Object({ email: Type.Optional(Email), ...optional });

/** The body of deactivate and reactivate. A POST without a body is null. */
export const Reason = Nullable(Type.Object({ reason: Type.Optional(Nullable(Type.String())) }));

export const PersonView = Type.Object({
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
  attributes: Type.Record(Type.String(), Type.Unknown()),
  start_date: Nullable(Day),
  end_date: Nullable(Day),
  created_at: Timestamp,
  updated_at: Timestamp,
});

/** The additional fields are present with `as_of` only. `updated_at` is then when the state began. */
export const PersonAsOfView = Type.Object({
  ...PersonView.properties,
  as_of: Type.Optional(Timestamp),
  ended_at: Type.Optional(Nullable(Timestamp)),
});

const FieldChange = Type.Object({ field: Type.String(), from: Type.Unknown(), to: Type.Unknown() });

export const PersonPeriodView = Type.Object({
  since: Timestamp,
  ended_at: Nullable(Timestamp),
  began: Nullable(
    Type.Enum(['created', 'changed'], { description: 'Null if earlier states are not on record.' }),
  ),
  ended: Nullable(Type.Enum(['changed', 'deleted'])),
  changes: Type.Array(FieldChange, { description: 'The changes at the beginning of the period.' }),
  person: PersonView,
});

export const ImportResult = Type.Object({
  dry_run: Type.Boolean(),
  created: Type.Integer(),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
  changes: Type.Array(
    Type.Object({
      line: Type.Integer(),
      email: Type.String(),
      action: Type.Enum(['created', 'updated']),
      changes: Type.Array(FieldChange),
    }),
    { description: 'The first 1,000 changes.' },
  ),
});
