import { isUuid } from '#kit/ids.ts';
import { isInstant } from '#kit/instants.ts';
import { type Issue, issue } from '#kit/issues.ts';
import type { Field, FieldType } from './fields.ts';

/** A condition has no value, one, one or several, or a number of days. */
type Takes = 'nothing' | 'one' | 'several' | 'days';

const EMPTY = { is_empty: 'nothing', is_not_empty: 'nothing' } as const;
const EQUAL = { is: 'several', is_not: 'several', ...EMPTY } as const;
const TIMES = {
  before: 'one',
  after: 'one',
  more_than_days_ago: 'days',
  in_last_days: 'days',
  in_next_days: 'days',
  ...EMPTY,
} as const;

/** The operators of each type of fields. */
const OPERATORS = {
  text: {
    ...{ is: 'several', is_not: 'several', contains: 'one', does_not_contain: 'one', starts_with: 'one' },
    ...EMPTY,
  },
  choice: EQUAL,
  choices: EQUAL,
  texts: EQUAL,
  id: EQUAL,
  flag: { is: 'one', ...EMPTY },
  time: TIMES,
  day: TIMES,
  count: { is: 'one', at_least: 'one', at_most: 'one', ...EMPTY },
} as const satisfies Record<FieldType, Record<string, Takes>>;

type OperatorsOf<T> = T extends FieldType ? keyof (typeof OPERATORS)[T] : never;
export type Operator = OperatorsOf<FieldType>;
export const OPERATOR_NAMES = [
  ...new Set(Object.values(OPERATORS).flatMap((operators) => Object.keys(operators))),
] as Operator[];

export const operatorsOf = ({ type }: Field): Operator[] => Object.keys(OPERATORS[type]) as Operator[];
export const takes = ({ type }: Field, operator: Operator): Takes | undefined =>
  (OPERATORS[type] as Record<string, Takes>)[operator];

export type Value = string | number | boolean | readonly string[];

const MOST_VALUES = 50;
const LONGEST_TEXT = 512;
const MOST_DAYS = 36_500;
const MOST_COUNTED = 1_000_000_000;

/** Checks the value of a condition. Returns it as statements take it, or what is wrong with it. */
export function checkValue(
  field: Field,
  operator: Operator,
  value: unknown,
  path: string,
): { value: Value } | { issues: Issue[] } {
  const taken = takes(field, operator);
  if (taken === 'nothing') return { value: '' };
  if (value === undefined || value === null) return { issues: [issue(path, 'missing')] };
  if (taken === 'days') return checkNumber(value, path, 1, MOST_DAYS);
  if (taken === 'one' || !Array.isArray(value)) {
    const checked = checkOne(field, value, path);
    return 'issues' in checked || taken === 'one' ? checked : { value: [String(checked.value)] };
  }
  if (value.length === 0) return { issues: [issue(path, 'too_short', 1)] };
  if (value.length > MOST_VALUES) return { issues: [issue(path, 'too_long', MOST_VALUES)] };
  const each = value.map((one, index) => checkOne(field, one, `${path}[${index}]`));
  const issues = each.flatMap((one) => ('issues' in one ? one.issues : []));
  return issues.length > 0
    ? { issues }
    : { value: each.map((one) => String((one as { value: Value }).value)) };
}

type Checked = { value: Value } | { issues: Issue[] };

function checkOne(field: Field, value: unknown, path: string): Checked {
  if (field.type === 'flag')
    return typeof value === 'boolean' ? { value } : { issues: [issue(path, 'bool_type')] };
  if (field.type === 'count') return checkNumber(value, path, 0, MOST_COUNTED);
  if (typeof value !== 'string') return { issues: [issue(path, 'string_type')] };
  return checkText(field, value, path);
}

function checkNumber(value: unknown, path: string, least: number, most: number): Checked {
  if (typeof value !== 'number' || !Number.isInteger(value)) return { issues: [issue(path, 'int_type')] };
  if (value < least) return { issues: [issue(path, 'too_small', least)] };
  return value > most ? { issues: [issue(path, 'too_large', most)] } : { value };
}

function checkText({ type, values }: Field, value: string, path: string): Checked {
  if (value.includes('\0') || !value.isWellFormed()) return { issues: [issue(path, 'string_unicode')] };
  if (values !== undefined)
    return values.includes(value) ? { value } : { issues: [issue(path, 'enum', values.join(', '))] };
  if (type === 'id')
    return isUuid(value)
      ? { value: value.toLowerCase() }
      : { issues: [issue(path, 'string_format', 'uuid')] };
  if (type === 'time')
    return isInstant(value) ? { value } : { issues: [issue(path, 'string_format', 'date-time')] };
  if (type === 'day')
    return isInstant(value) && value.length === 10
      ? { value }
      : { issues: [issue(path, 'string_format', 'date')] };
  if (value === '') return { issues: [issue(path, 'string_too_short', 1)] };
  return value.length > LONGEST_TEXT ? { issues: [issue(path, 'string_too_long', LONGEST_TEXT)] } : { value };
}
