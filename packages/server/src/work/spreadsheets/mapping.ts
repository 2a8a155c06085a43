import { type Static, Type } from 'typebox';
import { nfc } from '#kit/nfc.ts';
import { Component, MapOf } from '#kit/schemas.ts';
import { STATUSES } from './fields.ts';

const Slug = Type.String({ maxLength: 64 });

/** Which column holds what. */
export const Mapping = Component('SpreadsheetMapping', {
  columns: Type.Array(
    Type.Object({
      column: Type.String({ maxLength: 4096, description: 'As the first row names it.' }),
      field: Type.String({
        maxLength: 64,
        description: 'A field of the records, or `attribute`. Several columns can be attributes.',
      }),
      slug: Type.Optional({
        ...Slug,
        description: 'For groups and licenses: their resource type. Defaults to the first of the app.',
      }),
      separator: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 3,
          description: 'Between several groups or licenses of one cell. Without it, a cell names one.',
        }),
      ),
    }),
    { maxItems: 250 },
  ),
  account_type: Type.Optional({
    ...Slug,
    description: 'The resource type of the accounts. Defaults to the first of the app.',
  }),
  merge_rows: Type.Optional(
    Type.Boolean({
      description: 'Rows with the same id are one account, whose groups and licenses are those of all rows.',
    }),
  ),
  match: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'For people: by what they are found, `email` (default) or an attribute that says who somebody is, such as employee_number.',
    }),
  ),
  hidden_rows: Type.Optional(
    Type.Enum(['import', 'leave_out'], {
      description:
        'Whether to import rows that the sheet hides, by hand or by a filter. Without it, they are imported once somebody has confirmed that.',
    }),
  ),
  statuses: Type.Optional(
    MapOf(Type.Enum([...STATUSES]), {
      description:
        'The status that each value of the status column stands for, without regard to case. A person with `inactive` is deactivated.',
    }),
  ),
});
export type Mapping = Static<typeof Mapping>;
export type MappedColumn = Mapping['columns'][number];

/** Returns a mapping with the names of columns in NFC, as a file's are (D89). */
export const withNames = ({ columns, match, ...mapping }: Mapping): Mapping => ({
  ...mapping,
  columns: columns.map((column) => ({ ...column, column: nfc(column.column) })),
  ...(match === undefined ? {} : { match: nfc(match) }),
});
