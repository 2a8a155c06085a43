import { Type } from 'typebox';
import { invalidInput } from '#kit/errors.ts';
import { type Issue, issue, MOST_ISSUES } from '#kit/issues.ts';
import { Component } from '#kit/schemas.ts';
import {
  DEFAULT_COLUMNS,
  fieldOf,
  isSortable,
  type NamedField,
  namesOf,
  SUBJECTS,
  type Subject,
} from './fields.ts';
import { checkValue, OPERATOR_NAMES, type Operator, operatorsOf, type Value } from './operators.ts';

const MOST_CONDITIONS = 50;
const MOST_COLUMNS = 30;
/** Node.js refuses longer addresses. */
const LONGEST_QUERY = 12_000;

const QueryCondition = Component('QueryCondition', {
  field: Type.String({ maxLength: 150, description: 'The name of a field.' }),
  operator: Type.Enum([...OPERATOR_NAMES]),
  value: Type.Optional(
    Type.Unknown({
      description:
        'A text, a number, true or false, or for `is` and `is_not` a list of texts of which one fits. Absent for `is_empty` and `is_not_empty`.',
    }),
  ),
});

/** The subject, the conditions and the columns of a query, as requests have them. */
export const QueryDefinition = Component('QueryDefinition', {
  subject: Type.Enum([...SUBJECTS], {
    description: '`access` has a row for each group or license of an account.',
  }),
  conditions: Type.Optional(
    Type.Array(QueryCondition, {
      maxItems: MOST_CONDITIONS,
      default: [],
      description: 'All of them have to hold.',
    }),
  ),
  columns: Type.Optional(
    Type.Array(Type.String({ maxLength: 150 }), {
      minItems: 1,
      maxItems: MOST_COLUMNS,
      description: 'The names of the fields that rows have. Without them, a few of the subject.',
    }),
  ),
  sort: Type.Optional(
    Type.String({
      maxLength: 151,
      description:
        'The name of a field, with a minus before it for the reverse order. By default, the first column.',
    }),
  ),
});

export interface Condition {
  field: string;
  operator: Operator;
  value?: unknown;
}

/** A query in its stored form. */
export interface Definition {
  subject: Subject;
  conditions: Condition[];
  columns: string[];
  sort: string;
}

/** A condition that fits its field. */
export interface CheckedCondition {
  field: NamedField;
  operator: Operator;
  value: Value;
  path: string;
}

/** A query whose fields exist and whose values fit. */
export interface Question {
  subject: Subject;
  conditions: CheckedCondition[];
  columns: NamedField[];
  sort: { field: NamedField; isDown: boolean };
  definition: Definition;
}

/** Reads the query of an address, which is JSON. Throws 400 with each wrong place. */
export function readQuery(text: string): Question {
  if (text.length > LONGEST_QUERY) throw invalidInput([issue('query', 'string_too_long', LONGEST_QUERY)]);
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw invalidInput([issue('query', 'string_format', 'JSON')]);
  }
  return checkQuery(given);
}

/** Checks a query. Throws 400 with each wrong place. */
export function checkQuery(given: unknown): Question {
  const issues: Issue[] = [];
  const question = questionOf(given, issues);
  if (question === undefined || issues.length > 0) throw invalidInput(issues.slice(0, MOST_ISSUES));
  return question;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const KNOWN = ['subject', 'conditions', 'columns', 'sort'];

function questionOf(given: unknown, issues: Issue[]): Question | undefined {
  if (!isObject(given)) {
    issues.push(issue('query', 'object_type'));
    return undefined;
  }
  for (const name of Object.keys(given).filter((one) => !KNOWN.includes(one)))
    issues.push(issue(`query.${name}`, 'unknown_parameter', KNOWN.join(', ')));
  const subject = SUBJECTS.find((one) => one === given.subject);
  if (subject === undefined) {
    issues.push(issue('query.subject', 'enum', SUBJECTS.join(', ')));
    return undefined;
  }
  const conditions = listIn(given.conditions ?? [], 'query.conditions', MOST_CONDITIONS, issues).flatMap(
    (one, index) => conditionOf(subject, one, `query.conditions[${index}]`, issues) ?? [],
  );
  const columns = columnsOf(subject, given.columns, issues);
  const sort = sortOf(subject, given.sort ?? columns.find(isSortable)?.name, issues);
  if (sort === undefined) return undefined;
  const definition = {
    subject,
    conditions: conditions.map(({ field: { name: field }, operator, value }) =>
      operator === 'is_empty' || operator === 'is_not_empty'
        ? { field, operator }
        : { field, operator, value },
    ),
    columns: columns.map(({ name }) => name),
    sort: `${sort.isDown ? '-' : ''}${sort.field.name}`,
  };
  return { subject, conditions, columns, sort, definition };
}

function listIn(given: unknown, path: string, most: number, issues: Issue[]): unknown[] {
  if (!Array.isArray(given)) {
    issues.push(issue(path, 'list_type'));
    return [];
  }
  if (given.length > most) {
    issues.push(issue(path, 'too_long', most));
    return [];
  }
  return given;
}

function conditionOf(
  subject: Subject,
  given: unknown,
  path: string,
  issues: Issue[],
): CheckedCondition | undefined {
  if (!isObject(given)) {
    issues.push(issue(path, 'object_type'));
    return undefined;
  }
  const field = fieldAt(subject, given.field, `${path}.field`, issues);
  if (field === undefined) return undefined;
  const operator = operatorsOf(field).find((one) => one === given.operator);
  if (operator === undefined) {
    issues.push(issue(`${path}.operator`, 'enum', operatorsOf(field).join(', ')));
    return undefined;
  }
  const checked = checkValue(field, operator, given.value, `${path}.value`);
  if ('value' in checked) return { field, operator, value: checked.value, path };
  issues.push(...checked.issues);
  return undefined;
}

function fieldAt(subject: Subject, name: unknown, path: string, issues: Issue[]): NamedField | undefined {
  const field = typeof name === 'string' && isPlain(name) ? fieldOf(subject, name) : undefined;
  if (field === undefined) issues.push(issue(path, 'enum', namesOf(subject).join(', ')));
  return field;
}

/** A name that PostgreSQL can hold. */
const isPlain = (name: string) => !name.includes('\0') && name.isWellFormed();

function columnsOf(subject: Subject, given: unknown, issues: Issue[]): NamedField[] {
  const names =
    given === undefined ? DEFAULT_COLUMNS[subject] : listIn(given, 'query.columns', MOST_COLUMNS, issues);
  if (names.length === 0 && Array.isArray(given) && given.length === 0)
    issues.push(issue('query.columns', 'too_short', 1));
  const fields = names.flatMap(
    (name, index) => fieldAt(subject, name, `query.columns[${index}]`, issues) ?? [],
  );
  return [...new Map(fields.map((one) => [one.name, one])).values()];
}

function sortOf(subject: Subject, given: unknown, issues: Issue[]): Question['sort'] | undefined {
  const text = given ?? DEFAULT_COLUMNS[subject][0];
  const isDown = typeof text === 'string' && text.startsWith('-');
  const field = fieldAt(subject, isDown ? text.slice(1) : text, 'query.sort', issues);
  if (field === undefined) return undefined;
  if (isSortable(field)) return { field, isDown };
  const sortable = namesOf(subject).filter((name) => isSortable(fieldOf(subject, name) ?? field));
  issues.push(issue('query.sort', 'enum', sortable.join(', ')));
  return undefined;
}
