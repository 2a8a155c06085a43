import { t } from '@lingui/core/macro';
import type { Mapping, Upload } from './upload.ts';

/** The columns of the grid, in their order. */
export const COLUMNS = ['name', 'email', 'groups', 'licenses'] as const;
export type GridColumn = (typeof COLUMNS)[number];

export type GridRow = Record<GridColumn, string> & { key: number };

export const TITLES: Record<GridColumn, string> = {
  name: t`Name`,
  email: t`Email`,
  groups: t`Groups`,
  licenses: t`Licenses`,
};

/** More rows are a file: it can be corrected and uploaded again. */
export const MOST_ROWS = 200;
const SEPARATOR = ';';

let keys = 0;
export const emptyRow = (): GridRow => ({ key: keys++, name: '', email: '', groups: '', licenses: '' });

const isEmpty = (row: GridRow) => COLUMNS.every((column) => row[column].trim() === '');

/** Returns the rows that have a value, with their places in the grid. */
export const filledRows = (rows: readonly GridRow[]): { row: GridRow; at: number }[] =>
  rows.map((row, at) => ({ row, at })).filter(({ row }) => !isEmpty(row));

/** Keeps an empty row at the end, to type into. */
export function withEmptyRow(rows: readonly GridRow[]): GridRow[] {
  const last = rows.at(-1);
  return rows.length < MOST_ROWS && (last === undefined || !isEmpty(last))
    ? [...rows, emptyRow()]
    : [...rows];
}

/** Reads cells as spreadsheet programs copy them: tabs between cells, line breaks between rows, quotes around cells that have either. */
export function cellsIn(text: string): string[][] {
  const rows: string[][] = [[]];
  const cell = /("(?:[^"]|"")*"(?=[\t\r\n]|$)|[^\t\r\n]*)(\t|\r\n|\r|\n|$)/gy;
  for (;;) {
    const [match, value = '', end = ''] = cell.exec(text) ?? [];
    if (match === undefined) break;
    const plain = value.startsWith('"') && value.endsWith('"') && value.length > 1;
    rows
      .at(-1)
      ?.push((plain ? value.slice(1, -1).replaceAll('""', '"') : value).replaceAll(/\s+/g, ' ').trim());
    if (end === '') break;
    if (end !== '\t') rows.push([]);
  }
  return rows.filter((row) => row.some((value) => value !== ''));
}

const HEADERS =
  /^(?:full |display )?name$|^e-?mail(?:-adresse| address)?$|^groups?$|^gruppen?$|^licen[cs]es?$|^lizenz(?:en)?$/i;

interface Place {
  at: number;
  column: GridColumn;
}

/**
 * Returns the rows after a paste. The cells are written from the place on. A first row of headers is left out, and a single column
 * of emails goes to the emails. Undefined: there are too many rows.
 */
export function pasted(rows: readonly GridRow[], { at, column }: Place, text: string): GridRow[] | undefined {
  const cells = cellsIn(text);
  if (cells[0]?.every((cell) => HEADERS.test(cell))) cells.shift();
  const areEmails = column === 'name' && cells.every((row) => row.length === 1 && row[0]?.includes('@'));
  const first = COLUMNS.indexOf(areEmails ? 'email' : column);
  if (at + cells.length > MOST_ROWS) return undefined;
  const next = [...rows];
  for (const [down, values] of cells.entries()) {
    const row = { ...(next[at + down] ?? emptyRow()) };
    for (const [right, value] of values.entries()) {
      const name = COLUMNS[first + right];
      if (name !== undefined) row[name] = value;
    }
    next[at + down] = row;
  }
  return withEmptyRow(next);
}

/** The email, or else the name, identifies an account. */
const idOf = ({ name, email }: GridRow) => (email.trim() || name.trim()).normalize('NFC');

const quoted = (value: string) => `"${value.trim().replaceAll('"', '""')}"`;

/** Returns the filled rows as a CSV file that an upload takes, and the mapping of its columns. */
export function fileOf(rows: readonly GridRow[], fileName: string): { file: File; mapping: Mapping } {
  const filled = filledRows(rows).map(({ row }) => row);
  const columns = [
    { column: 'id', field: 'id', of: idOf },
    { column: 'name', field: 'display_name', of: ({ name }: GridRow) => name },
    { column: 'email', field: 'email', of: ({ email }: GridRow) => email },
    {
      column: 'username',
      field: 'username',
      of: (row: GridRow) => (row.email.trim() === '' ? idOf(row) : ''),
    },
    ...(['groups', 'licenses'] as const).flatMap((field) =>
      filled.some((row) => row[field].trim() !== '')
        ? [{ column: field, field, of: (row: GridRow) => row[field], separator: SEPARATOR }]
        : [],
    ),
  ];
  const lines = [
    columns.map(({ column }) => column),
    ...filled.map((row) => columns.map(({ of }) => quoted(of(row)))),
  ];
  // The mark at the beginning says that it is UTF-8.
  const text = `\uFEFF${lines.map((line) => line.join(',')).join('\r\n')}`;
  return {
    file: new File([text], fileName, { type: 'text/csv' }),
    mapping: { columns: columns.map(({ of: _, ...column }) => column) },
  };
}

type Problem = Upload['problems'][number];

/** Returns the problems of an upload by the cell of the grid: its first row is the second of the file. */
export function problemsByCell(rows: readonly GridRow[], problems: readonly Problem[]): Map<string, Problem> {
  const filled = filledRows(rows);
  const found = new Map<string, Problem>();
  for (const problem of problems) {
    const { row, at } = filled[problem.row - 2] ?? {};
    if (row === undefined || at === undefined) continue;
    const column =
      COLUMNS.find((one) => one === problem.column) ??
      (problem.column === 'id' && row.email.trim() !== '' ? 'email' : 'name');
    const cell = cellKey(at, column);
    if (!found.has(cell)) found.set(cell, problem);
  }
  return found;
}

export const cellKey = (at: number, column: GridColumn) => `${at}:${column}`;
