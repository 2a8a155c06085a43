import { Type } from 'typebox';
import { Nullable, Timestamp, Uuid } from '../platform/http/schemas.ts';

const Text = Type.String({ maxLength: 255 });
const Email = Type.String({ maxLength: 320, pattern: '^[^@\\s]+@[^@\\s]+$' });
const Day = Type.String({ format: 'date' });

export const PersonStatus = Type.Enum(['active', 'deactivated']);
export const IdentityType = Type.Enum(['human', 'service_account']);
export const PersonRole = Type.Enum(['owner', 'admin', 'auditor', 'member']);

const optional = {
  username: Type.Optional(
    Type.String({ minLength: 1, maxLength: 320, description: 'The email, where none is given.' }),
  ),
  first_name: Type.Optional(Text),
  last_name: Type.Optional(Text),
  identity_type: Type.Optional(IdentityType),
  domain_type: Type.Optional(Type.Enum(['internal', 'external'])),
  manager: Type.Optional(Nullable(Uuid)),
  status: Type.Optional(PersonStatus),
  role: Type.Optional(PersonRole),
  attributes: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'Merged by name; null takes one away.' }),
  ),
  start_date: Type.Optional(Nullable(Day)),
  end_date: Type.Optional(Nullable(Day)),
};

export const NewPerson = Type.Object({ email: Email, ...optional });
export const PersonChange = Type.Object({ email: Type.Optional(Email), ...optional });

/** governance.md "People". */
export const PersonView = Type.Object({
  external_uuid: Uuid,
  username: Type.String(),
  email: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  identity_type: Type.String({ description: 'human or service_account.' }),
  domain_type: Type.String({ description: 'internal or external.' }),
  manager: Nullable(Uuid),
  status: Type.String({ description: 'active or deactivated.' }),
  role: Type.String({ description: 'owner, admin, auditor or member.' }),
  attributes: Type.Record(Type.String(), Type.Unknown()),
  start_date: Nullable(Day),
  end_date: Nullable(Day),
  created_at: Timestamp,
  updated_at: Timestamp,
});

const FieldChange = Type.Object({ field: Type.String(), from: Type.Unknown(), to: Type.Unknown() });

export const ImportResult = Type.Object({
  dry_run: Type.Boolean(),
  created: Type.Integer(),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
  changes: Type.Array(
    Type.Object({
      line: Type.Integer(),
      email: Type.String(),
      action: Type.String({ description: 'created or updated.' }),
      changes: Type.Array(FieldChange),
    }),
    { description: 'The first 1,000 of them.' },
  ),
});
