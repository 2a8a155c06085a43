import { type RawBuilder, sql } from 'kysely';
import { type Fields, plainFields } from '../platform/cel-fields.ts';

const DAYS = new Set(['start_date', 'end_date']);

/**
 * The columns of a person as conditions see them (`user` in CEL), for a select list: the fields of the API, with the
 * id as `id`. `person` is the alias of platform_user. The type of a row is Profile (people/person.ts), or a part of it if
 * `only` names the fields.
 */
export const personFields = (
  person: string,
  only: readonly string[] = Object.keys(PERSON_FIELDS),
): RawBuilder<unknown> => {
  const column = (name: string) => sql.ref(`${person}.${name}`);
  return sql.join(
    only.map((name) => {
      if (name === 'manager') return sql`${column('manager_id')} as manager`;
      return DAYS.has(name) ? sql`to_char(${column(name)}, 'YYYY-MM-DD') as ${sql.id(name)}` : column(name);
    }),
  );
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
