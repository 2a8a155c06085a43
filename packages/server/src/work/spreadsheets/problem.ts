import type { Sentence } from '#kit/sentences.ts';

/** A sentence as it is stored and shown. */
export interface Said {
  message: string;
  code: string;
  values: Sentence['values'];
}

export const said = ({ text: message, code, values }: Sentence): Said => ({ message, code, values });
export const sentenceIn = ({ message: text, code, values }: Said): Sentence => ({ text, code, values });

/** Why a row cannot be used. */
export interface Problem extends Said {
  row: number;
  column: string;
  value: string;
}

const LONGEST_VALUE = 200;

export const storable = ({ value, column, ...problem }: Problem): Problem => ({
  ...problem,
  column: clean(column),
  value: clean(value),
});

/** Shortens a cell, which may be as long as a row, and replaces characters that the database cannot store. */
export const clean = (text: string) => text.slice(0, LONGEST_VALUE).replaceAll('\0', '\uFFFD').toWellFormed();
