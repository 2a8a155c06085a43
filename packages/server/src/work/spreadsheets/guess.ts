import { resemblesEmail } from '#kit/email.ts';
import { ACCOUNT_FIELDS, ATTRIBUTE, PERSON_FIELDS } from './fields.ts';
import type { Mapping } from './mapping.ts';

/** A column with the first of its values. */
export interface Column {
  name: string;
  samples: string[];
  /** Whether the sheet hides the column. */
  hidden?: boolean;
  /** Whether cells are empty, or equal regardless of case, in the rows that were compared. Absent: there are none. */
  values?: 'distinct' | 'repeated' | 'missing';
}

export const ID_REASONS = ['named', 'only_named', 'distinct', 'needed'] as const;

/** The column that is suggested as the ID of accounts, and why. */
export interface IdChoice {
  column: string;
  /**
   * - named: the file calls it an ID, and its values are distinct
   * - only_named: the file calls it an ID, although cells are empty or equal
   * - distinct: no cell is empty, and no two are equal
   * - needed: no column is, but accounts need a username or an email anyway
   */
  why: (typeof ID_REASONS)[number];
}

/** Guesses which column of an app's file holds what, by the names of the columns and by their values. */
export function guessAccounts(columns: Column[]): Mapping {
  const guessed = withEmail(byName(columns, ACCOUNT_FIELDS), columns);
  return {
    columns: withId(guessed, chooseId(columns)).map((one) =>
      one.field === 'groups' || one.field === 'licenses'
        ? { ...one, ...separatorIn(columns.find(({ name }) => name === one.column)) }
        : one,
    ),
  };
}

/** Adds the first other column whose values all resemble emails, if no column has the name of one. */
function withEmail(guessed: Mapping['columns'], columns: Column[]): Mapping['columns'] {
  if (guessed.some(({ field }) => field === 'email')) return guessed;
  const column = columns.find(
    ({ name, samples }) =>
      !guessed.some((one) => one.column === name) && samples.length > 0 && samples.every(resemblesEmail),
  );
  return column === undefined ? guessed : [...guessed, { column: column.name, field: 'email' }];
}

function withId(guessed: Mapping['columns'], chosen: IdChoice | null): Mapping['columns'] {
  if (chosen === null || chosen.why === 'named' || chosen.why === 'only_named') return guessed;
  const others = guessed.filter(({ field }) => field !== 'id');
  return [...others, { column: chosen.column, field: 'id' }];
}

/**
 * Returns the column that identifies the accounts: one that the file calls an ID, or else one with distinct values. Without any, the
 * username or the email. Null if nothing does. Files with one row for each group of an account repeat its ID, so repeated values do not
 * speak against a column that is called an ID.
 */
export function chooseId(columns: Column[]): IdChoice | null {
  const guessed = withEmail(byName(columns, ACCOUNT_FIELDS), columns);
  const heldBy = (field: string) => guessed.find((one) => one.field === field)?.column;
  const valuesOf = (column: string) => columns.find(({ name }) => name === column)?.values ?? 'distinct';
  const named = heldBy('id');
  if (named !== undefined && valuesOf(named) === 'distinct') return { column: named, why: 'named' };
  const held = [heldBy('username'), heldBy('email')];
  const free = columns.filter(({ name }) => !guessed.some(({ column }) => column === name));
  const candidates = [
    ...namesOf(free, isCalledId),
    ...held,
    ...namesOf(free, holdsCodes),
    heldBy('display_name'),
  ];
  const distinct = candidates.find((name) => name !== undefined && valuesOf(name) === 'distinct');
  if (distinct !== undefined && (named === undefined || valuesOf(named) === 'missing'))
    return { column: distinct, why: 'distinct' };
  if (named !== undefined) return { column: named, why: 'only_named' };
  const needed = heldBy('username') ?? heldBy('email');
  return needed === undefined ? null : { column: needed, why: 'needed' };
}

const namesOf = (columns: Column[], fits: (column: Column) => boolean) =>
  columns.filter(fits).map(({ name }) => name);

/** "Personalnummer", "employeeId", "Badge no", but neither a phone number nor the number of the row. */
const isCalledId = (column: Column): boolean =>
  /(?:^| )(?:id|uid|uuid|guid|identifier|number|no|nr|kennung|schlussel)$|nummer$/.test(
    plainName(column.name),
  ) && !isOtherNumber(column);

/** Whether the column numbers the rows, or holds numbers of something else. */
const isOtherNumber = (column: Column): boolean =>
  /phone|mobil|cell|fax|tele|handy|room|raum|zimmer|cost|kosten/.test(plainName(column.name)) ||
  isRunning(column);

/** Whether the values are codes, such as "B-104". */
const holdsCodes = (column: Column): boolean =>
  column.samples.length > 0 &&
  column.samples.every((sample) => /^(?=.*\d)[\p{L}\d._-]{2,64}$/u.test(sample) && !isDate(sample)) &&
  !isOtherNumber(column);

const isDate = (sample: string) => /^\d{1,4}[.-]\d{1,2}[.-]\d{1,4}/.test(sample);

/** Whether the column numbers the rows. The next file may number them in another way. */
const isRunning = ({ samples }: Column) =>
  samples.length > 1 &&
  samples.every((sample, at) => /^\d+$/.test(sample) && Number(sample) === Number(samples[0]) + at) &&
  Number(samples[0]) <= 1;

/** Guesses for a file of people: columns that match no field become attributes, unless the sheet hides them. */
export function guessPeople(columns: Column[]): Mapping {
  const guessed = withEmail(byName(columns, PERSON_FIELDS), columns);
  const rest = columns.filter(
    ({ name, hidden }) => hidden !== true && !guessed.some(({ column }) => column === name),
  );
  return { columns: [...guessed, ...rest.map(({ name }) => ({ column: name, field: ATTRIBUTE }))] };
}

function byName(columns: Column[], fields: Record<string, readonly string[]>): Mapping['columns'] {
  const taken = new Set<string>();
  const guessed: Mapping['columns'] = [];
  for (const { name } of columns) {
    const plain = plainName(name);
    const field = Object.entries(fields).find(
      ([id, names]) => !taken.has(id) && (plainName(id) === plain || names.includes(plain)),
    )?.[0];
    if (field === undefined) continue;
    taken.add(field);
    guessed.push({ column: name, field });
  }
  return guessed;
}

/** Lower case, without accents, and with spaces for other signs and between the words of `jobTitle`. */
const plainName = (name: string) =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Cells that name several groups separate them by one of these. */
function separatorIn(column: Column | undefined): { separator?: string } {
  const separator = [';', '|', '\n', ','].find((one) =>
    column?.samples.some((sample) => sample.includes(one)),
  );
  return separator === undefined ? {} : { separator };
}
