import { type TSchema, Type } from 'typebox';
import { sentenceOf } from '#kit/issues.ts';
import { issuesOf, validatorCompiler } from '#kit/validation.ts';
import type { Row } from './csv.ts';
import { type Line, requireMatchable } from './identify.ts';
import type { ProfileChange } from './person.ts';
import { AnyEmail, NewPerson } from './schemas.ts';
import { personRefusals, rowSentences } from './sentences.ts';
import type { Left } from './settle.ts';

/* Reads the rows of an import: columns become fields, and cells that do not fit are named. */

// An empty cell clears a field of the first two lists, and leaves a field of the third unchanged.
const CLEARED_TO_EMPTY = ['first_name', 'last_name'];
const CLEARED_TO_NULL = ['manager', 'start_date', 'end_date', 'leave_from', 'leave_until'];
const NEVER_CLEARED = ['username', 'email', 'identity_type', 'domain_type', 'status', 'role'];
export const MANAGER_EMAIL = 'manager_email';
const FIELDS = [...CLEARED_TO_EMPTY, ...CLEARED_TO_NULL, ...NEVER_CLEARED, MANAGER_EMAIL];

/** The columns are named as fields, in any case, or as attributes. */
export function lineReader(columns: string[], match: string): (row: Row) => Line {
  const names = new Map(columns.map((column) => [column, fieldOrAttribute(column)]));
  requireMatchable(match, columns, FIELDS);
  if (match === 'email' && ![...names.values()].includes('email')) {
    throw personRefusals.people_file_without_email({ columns });
  }
  for (const name of ['external_uuid', 'attributes']) {
    if (columns.includes(name)) throw personRefusals.people_file_column_not_imported({ name, match });
  }
  const validate = match === 'email' ? validateNew : validateChange;
  return (row) => readRow(row, names, validate);
}

function fieldOrAttribute(column: string): string {
  const field = column.toLowerCase();
  return FIELDS.includes(field) ? field : column;
}

function readRow(
  { line, cells, problem }: Row,
  names: Map<string, string>,
  validate: typeof validateNew,
): Line {
  const fields: Record<string, unknown> = {};
  const attributes: [string, string | null][] = [];
  let managerEmail: string | undefined;
  for (const [column, cell] of cells) {
    const name = names.get(column) as string;
    if (name === MANAGER_EMAIL) {
      if (cell === '') fields.manager = null;
      else managerEmail = cell;
    } else if (!FIELDS.includes(name)) attributes.push([name, cell === '' ? null : cell]);
    else if (cell !== '' || CLEARED_TO_EMPTY.includes(name)) fields[name] = cell;
    else if (CLEARED_TO_NULL.includes(name)) fields[name] = null;
  }
  const change = { ...fields, attributes: Object.fromEntries(attributes) } as ProfileChange;
  const read = { line, change, managerEmail };
  // Without columns there is no email to look up.
  if (problem !== undefined) return { ...read, email: '', problems: [problem], unfit: [] };
  return { ...read, email: change.email ?? '', problems: [], unfit: unfitIn(change, validate) };
}

const validatorOf = (schema: TSchema) => validatorCompiler({ schema, method: '', url: '', httpPart: 'body' });
const ImportedPerson = Type.Object({ ...NewPerson.properties, email: AnyEmail });
const validateNew = validatorOf(ImportedPerson);
/** Rows that are found by an attribute may lack an email. */
const validateChange = validatorOf(Type.Partial(ImportedPerson));

/** Spreadsheets show an empty or wrong cell with the format of a date as a day around 1900. */
const FIRST_DAY = '1950-01-01';
const DAYS = ['start_date', 'end_date', 'leave_from', 'leave_until'] as const;

function unfitIn(change: ProfileChange, validate: typeof validateNew): Left[] {
  const { error } = validate(change) as { error?: Parameters<typeof issuesOf>[0] };
  const issues = error === undefined ? [] : issuesOf(error);
  const early = DAYS.filter(
    (day) => !issues.some(({ path }) => path === day) && (change[day] ?? FIRST_DAY) < FIRST_DAY,
  );
  return [
    ...issues.map((issue) => ({
      attribute: issue.path,
      reason: DAYS.some((day) => day === issue.path)
        ? rowSentences.row_not_a_day()
        : rowSentences.row_issue({ problem: sentenceOf([{ ...issue, path: '' }]) }),
    })),
    ...early.map((day) => ({
      attribute: day,
      reason: rowSentences.row_day_too_early({ day: String(change[day]) }),
    })),
  ];
}
