import type { Static } from 'typebox';
import { ATTRIBUTES, FIELDS, type Field, isSortable } from './fields.ts';
import { operatorsOf, takes } from './operators.ts';
import type { QueryField } from './schemas.ts';

/** Lists the fields, with what clients need to offer conditions. */
export const listFields = (): Static<typeof QueryField>[] =>
  Object.entries<Field>({ ...FIELDS, ...ATTRIBUTES }).map(([name, field]) => ({
    name,
    type: field.type,
    description: field.description,
    subjects: [...field.subjects],
    operators: operatorsOf(field).map((operator) => ({
      name: operator,
      takes: takes(field, operator) ?? 'nothing',
    })),
    values: field.values === undefined ? null : [...field.values],
    names: field.names ?? null,
    sortable: isSortable(field),
  }));
