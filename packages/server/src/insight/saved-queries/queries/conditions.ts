import { todayOf } from '#kit/identity.ts';
import { instantForSql } from '#kit/instants.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';
import type { CheckedCondition } from '../definition.ts';
import type { Operator } from '../operators.ts';
import { type Asked, comparedValue, holds, isUngranted } from './values.ts';

type Condition = (value: RawBuilder<unknown>, given: CheckedCondition, asked: Asked) => RawBuilder<unknown>;

const not = (condition: RawBuilder<unknown>) => sql`(${condition}) is not true`;
const pattern = (text: unknown) => String(text).replace(/[\\%_]/g, '\\$&');
const keys = (given: unknown) => sql`array(select name_key(one) from unnest(${given}::text[]) one)`;

const isEmpty: Condition = (value, { field }, asked) => {
  const { type } = field;
  if (type === 'choices' || type === 'texts')
    return isUngranted(asked, field) ?? sql`cardinality(${value}) = 0`;
  return type === 'text' ? sql`coalesce(${value}, '') = ''` : sql`${value} is null`;
};

/** Whether the value is one of the given ones, or has one of them. */
const isOneOf: Condition = (value, { field, value: given }, asked) => {
  switch (field.type) {
    case 'text':
      return field.known === 'user.email'
        ? sql`email_key(${value}) = any(array(select email_key(one) from unnest(${given}::text[]) one))`
        : sql`name_key(${value}) = any(${keys(given)})`;
    case 'texts':
      return sql`${keys(value)} && ${keys(given)}`;
    case 'choices':
      return sql`${value} && ${given}::text[]`;
    case 'choice':
      return sql`${value} = any(${given}::text[])`;
    case 'id':
      return sql`${value} = any(${given}::uuid[])`;
    case 'flag':
      return (given === true ? holds(asked, field) : undefined) ?? sql`${value} = ${given}::boolean`;
    default:
      return sql`${value} = ${given}::bigint`;
  }
};

const contains: Condition = (value, { value: given }) =>
  sql`name_key(${value}) like name_key(${`%${pattern(given)}%`})`;

/** A time, or a day in the organization's time zone (D67). */
const moment = ({ field: { type }, value }: CheckedCondition) =>
  type === 'day' ? sql`${value}::date` : sql`${instantForSql(String(value))}::timestamptz`;
/** The moment or day that lies so many days away. */
const away = ({ field: { type }, value }: CheckedCondition, asked: Asked, sign: 1 | -1) => {
  const days = sign * Number(value);
  return type === 'day'
    ? sql`(${todayOf(asked)} + ${days}::integer)`
    : sql`(clock_now() + make_interval(days => ${days}::integer))`;
};
const now = ({ field: { type } }: CheckedCondition, asked: Asked) =>
  type === 'day' ? todayOf(asked) : sql`clock_now()`;

const CONDITIONS: Record<Operator, Condition> = {
  is: isOneOf,
  is_not: (...given) => not(isOneOf(...given)),
  is_empty: isEmpty,
  is_not_empty: (...given) => not(isEmpty(...given)),
  contains,
  does_not_contain: (...given) => not(contains(...given)),
  starts_with: (value, { value: given }) => sql`name_key(${value}) like name_key(${`${pattern(given)}%`})`,
  before: (value, given) => sql`${value} < ${moment(given)}`,
  after: (value, given) => sql`${value} > ${moment(given)}`,
  more_than_days_ago: (value, given, asked) => sql`${value} < ${away(given, asked, -1)}`,
  in_last_days: (value, given, asked) =>
    sql`(${value} >= ${away(given, asked, -1)} and ${value} <= ${now(given, asked)})`,
  in_next_days: (value, given, asked) =>
    sql`(${value} >= ${now(given, asked)} and ${value} <= ${away(given, asked, 1)})`,
  at_least: (value, { value: given }) => sql`${value} >= ${given}::bigint`,
  at_most: (value, { value: given }) => sql`${value} <= ${given}::bigint`,
};

/** The operators that hold for a value only. */
const NEEDS_VALUE = new Set<Operator>([
  ...(['is', 'contains', 'starts_with', 'before', 'after', 'at_least', 'at_most'] as const),
  ...(['more_than_days_ago', 'in_last_days', 'in_next_days'] as const),
]);

/** A condition of a query in SQL. */
export function conditionOf(asked: Asked, given: CheckedCondition): RawBuilder<unknown> {
  const { field, operator, value } = given;
  const condition = CONDITIONS[operator](comparedValue(asked, field), given, asked);
  // Rows without a person are left out in the words that let PostgreSQL begin with the people.
  const needsPerson = field.name.startsWith('user.') && NEEDS_VALUE.has(operator) && value !== false;
  return needsPerson ? sql`u.id is not null and ${condition}` : condition;
}
