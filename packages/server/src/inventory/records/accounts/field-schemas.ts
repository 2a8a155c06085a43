import { type TSchema, type TUnsafe, Type } from 'typebox';
import { MapOf, Nullable } from '#kit/schemas.ts';
import {
  DETAILS,
  fieldsOf,
  LONGEST_TEXT,
  type RecordField,
  type RecordFields,
} from '../../../../../protocol/src/records.ts';
import type { AccountDetails } from './detail-facts.ts';

/** Schemas of the fields of records, for pushed pages and for views. */

/** The schema of a field that has a value. */
export function fieldSchema(field: RecordField): TSchema {
  const { type, longest = LONGEST_TEXT, values = [] } = field;
  const description = `${field.description.charAt(0).toUpperCase()}${field.description.slice(1)}.`;
  const limit = longest === Number.POSITIVE_INFINITY ? {} : { maxLength: longest };
  switch (type) {
    case 'text':
    case 'email':
      return Type.String({ ...limit, description });
    case 'time':
      return Type.String({ format: 'date-time', description });
    case 'flag':
      return Type.Boolean({ description });
    case 'count':
      return Type.Integer({ minimum: 0, description });
    case 'choice':
      return Type.Enum([...values], { description });
    case 'attributes':
      return MapOf(Type.Union([Type.String(limit), Type.Number(), Type.Boolean()]), { description });
  }
}

/** The schemas of the fields of pushed records. */
export const pushedSchemas = (table: RecordFields): Record<string, TSchema> =>
  Object.fromEntries(
    fieldsOf(table).map(([name, field]) => [
      name,
      field.required === true
        ? Type.String({ minLength: 1, maxLength: field.longest ?? LONGEST_TEXT })
        : Type.Optional(Nullable(fieldSchema(field))),
    ]),
  );

/** The schemas of the details of accounts by column, as the app says. Null: the app does not say. */
export const DETAIL_SCHEMAS = Object.fromEntries(
  DETAILS.map((field) => {
    const schema = fieldSchema({ ...field, longest: Number.POSITIVE_INFINITY });
    const isNeverNull = field.type === 'attributes' || field.absent !== undefined;
    return [field.column, isNeverNull ? schema : Nullable(schema)];
  }),
) as unknown as { [C in keyof AccountDetails]: TUnsafe<AccountDetails[C]> };
