/** Why a row cannot be used. */
export interface Problem {
  row: number;
  column: string;
  value: string;
  message: string;
}

const LONGEST_VALUE = 200;

export const storable = ({ value, column, ...problem }: Problem): Problem => ({
  ...problem,
  column: clean(column),
  value: clean(value),
});

/** Shortens a cell, which may be as long as a row, and replaces characters that the database cannot store. */
export const clean = (text: string) => text.slice(0, LONGEST_VALUE).replaceAll('\0', '\uFFFD').toWellFormed();
