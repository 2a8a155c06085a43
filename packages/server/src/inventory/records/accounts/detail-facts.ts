import { type RawBuilder, sql } from '#kit/sql.ts';
import { DETAILS, type DetailColumn, type Details } from '../../../../../protocol/src/records.ts';

/** The fields of accounts that give no access (D54), in SQL. The columns of account_detail follow packages/protocol/src/records.ts. */

type ValueOf<F extends { type: string }> = F extends { type: 'time' }
  ? Date | null
  : F extends { type: 'attributes' }
    ? Record<string, string | number | boolean>
    : F extends { absent: false }
      ? boolean
      : F extends { type: 'flag' }
        ? boolean | null
        : string | null;

/** The details of an account, by column. Attributes that it does not have are an empty object. */
export type AccountDetails = { [C in DetailColumn]: ValueOf<Details[C]> };

const SQL_TYPES = {
  text: 'text',
  email: 'text',
  choice: 'text',
  time: 'timestamptz',
  count: 'bigint',
} as const;

type SqlType = 'text' | 'timestamptz' | 'bigint' | 'boolean' | 'boolean not null' | 'jsonb';

/** The SQL types of the columns. */
export const DETAIL_TYPES = Object.fromEntries(
  DETAILS.map(({ column, type, absent }): [string, SqlType] => [
    column,
    type === 'attributes'
      ? 'jsonb'
      : type !== 'flag'
        ? SQL_TYPES[type]
        : absent === undefined
          ? 'boolean'
          : 'boolean not null',
  ]),
) as Readonly<Record<DetailColumn, SqlType>>;

/** The columns in their order, of the relation with this alias. */
export const detailColumns = (alias?: string): RawBuilder<unknown> =>
  sql.join(DETAILS.map(({ column }) => sql.ref(alias === undefined ? column : `${alias}.${column}`)));

/** The value of the column for an account without details: null, or the meaning of its absence. */
const absentIn = (column: DetailColumn) => {
  const field = DETAILS.find((one) => one.column === column);
  if (field?.type === 'attributes') return sql`'{}'::jsonb`;
  return field?.absent === undefined ? undefined : sql.lit(field.absent);
};

/** A detail as views show it. `value` is an expression for its column, null if the account has no row. */
export function shownDetail(column: DetailColumn, value: RawBuilder<unknown>): RawBuilder<unknown> {
  const absent = absentIn(column);
  return absent === undefined ? value : sql`coalesce(${value}, ${absent})`;
}

/** The columns of AccountDetails, or only these, from the row of account_detail with this alias, which may be missing. */
export const accountDetailView = (
  alias: string,
  columns: readonly DetailColumn[] = DETAILS.map(({ column }) => column),
): RawBuilder<unknown> =>
  sql.join(
    columns.map((column) => sql`${shownDetail(column, sql.ref(`${alias}.${column}`))} as ${sql.ref(column)}`),
  );
