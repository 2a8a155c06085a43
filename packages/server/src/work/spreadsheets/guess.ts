import { resemblesEmail } from '#kit/email.ts';
import { ACCOUNT_FIELDS, ATTRIBUTE, PERSON_FIELDS } from './fields.ts';
import type { Mapping } from './mapping.ts';

/** A column with the first of its values. */
export interface Column {
  name: string;
  samples: string[];
  /** Whether the sheet hides the column. */
  hidden?: boolean;
}

/** Guesses which column of an app's file holds what, by the names of the columns and by their values. */
export function guessAccounts(columns: Column[]): Mapping {
  const guessed = withEmail(byName(columns, ACCOUNT_FIELDS), columns);
  return {
    columns: withId(guessed).map((one) =>
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

/** Without a column of IDs, the username identifies an account, or else the email: one of them is required anyway. */
function withId(guessed: Mapping['columns']): Mapping['columns'] {
  if (guessed.some(({ field }) => field === 'id')) return guessed;
  const named =
    guessed.find(({ field }) => field === 'username') ?? guessed.find(({ field }) => field === 'email');
  return named === undefined ? guessed : [...guessed, { column: named.column, field: 'id' }];
}

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
