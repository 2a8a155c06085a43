import { sql } from 'kysely';
import { type Fields, plainFields } from '../platform/cel-fields.ts';

/**
 * The columns of a person as conditions see them (`user` in CEL), for a select list: the fields of the API, with the
 * id as `id`. `person` is the alias of platform_user. The type of a row is Profile (people/person.ts).
 */
export const personFields = (person: string) => {
  const column = (name: string) => sql.ref(`${person}.${name}`);
  return sql`
    ${column('id')}, ${column('username')}, ${column('email')}, ${column('first_name')}, ${column('last_name')},
    ${column('identity_type')}, ${column('domain_type')}, ${column('manager_id')} as manager, ${column('status')},
    ${column('role')}, ${column('attributes')}, to_char(${column('start_date')}, 'YYYY-MM-DD') as start_date,
    to_char(${column('end_date')}, 'YYYY-MM-DD') as end_date`;
};

/** The same fields, for the check of a condition. Attributes can have any name. */
export const PERSON_FIELDS: Fields = {
  ...plainFields(
    'id',
    'username',
    'email',
    'first_name',
    'last_name',
    'identity_type',
    'domain_type',
    'manager',
  ),
  ...plainFields('status', 'role', 'start_date', 'end_date'),
  attributes: 'any',
};
