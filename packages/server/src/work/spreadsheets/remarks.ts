import { type Static, Type } from 'typebox';
import { counted } from '#kit/counted.ts';
import { nfc } from '#kit/nfc.ts';
import { Component, Nullable } from '#kit/schemas.ts';
import { withCodes } from '../../../../protocol/src/hidden-characters.ts';
import { lookOf } from '../../../../protocol/src/look-alikes.ts';
import type { Column } from './guess.ts';
import type { Mapping } from './mapping.ts';
import type { Layout } from './read/sheet.ts';
import { uploadRefusals } from './sentences.ts';

const CODES = ['cut_off', 'hidden_rows', 'hidden_columns', 'hidden_sheet', 'lookalikes'] as const;
export const RemarkCode = Type.Enum([...CODES]);

/** A remark that people should read before they apply a file. */
export const Remark = Component('UploadRemark', {
  code: {
    ...RemarkCode,
    description:
      'cut_off: only accounts at the end of the last applied upload are missing. hidden_rows, hidden_columns, hidden_sheet: the workbook hides them. lookalikes: names of groups or licenses that look alike.',
  },
  message: Type.String(),
  confirm: Type.Boolean({
    description: 'Whether applying the upload needs the code in `confirm`.',
  }),
  count: Nullable(Type.Integer({ description: 'The number of accounts or rows.' })),
  names: Type.Array(Type.String(), { description: 'The columns, the sheet, or the names that look alike.' }),
});
export type Remark = Static<typeof Remark>;

/** Returns a remark about accounts at the end of the last applied upload that are missing, as if the file was cut off. */
export const cutOff = (missing: number): Remark[] =>
  missing === 0
    ? []
    : [
        {
          code: 'cut_off',
          message: `The file has ${counted(missing, 'account')} fewer than the last applied upload, all from its end, as if it was cut off. Applying it removes these accounts.`,
          confirm: true,
          count: missing,
          names: [],
        },
      ];

/** Returns remarks about what the workbook hides. Somebody has to choose what happens with hidden rows. */
export function hidden(
  { columns, hidden_sheets = [], sheet }: Layout & { columns: Column[] },
  mapping: Mapping,
  rows: number,
): Remark[] {
  const remarks: Remark[] = [];
  const choice = mapping.hidden_rows;
  const [is, count] = [rows === 1 ? 'is' : 'are', counted(rows, 'hidden row')];
  if (rows > 0)
    remarks.push({
      code: 'hidden_rows',
      message:
        choice === 'leave_out'
          ? `${count} ${is} left out.`
          : `${count} ${is} imported like the others.${choice === undefined ? ' Confirm this, or check the rows again and leave them out.' : ''}`,
      confirm: choice === undefined,
      count: rows,
      names: [],
    });
  const used = columns.filter(
    ({ name, hidden: isHidden }) =>
      isHidden === true && mapping.columns.some(({ column }) => column === name),
  );
  if (used.length > 0)
    remarks.push({
      code: 'hidden_columns',
      message: `The sheet hides ${counted(used.length, 'column')} that the mapping uses.`,
      confirm: false,
      count: used.length,
      names: used.map(({ name }) => name),
    });
  if (sheet !== null && hidden_sheets.includes(sheet))
    remarks.push({
      code: 'hidden_sheet',
      message: 'The workbook hides the sheet that is imported.',
      confirm: false,
      count: null,
      names: [sheet],
    });
  return remarks;
}

/** A file with more of them has other reasons to be looked at. */
const MOST_LOOKALIKES = 100;

/**
 * Returns a remark for names of one type that differ in what people hardly see: case, hidden characters, spaces, or letters that look
 * alike. `known` are the names of the app, of which those that the file names in the same way are not mentioned twice.
 */
export function lookalikes(
  named: Readonly<Record<string, readonly string[]>>,
  known: readonly { slug: string; name: string }[],
): Remark[] {
  const remarks: Remark[] = [];
  for (const [slug, names] of Object.entries(named)) {
    const ofApp = known.filter((one) => one.slug === slug).map(({ name }) => name);
    const inFile = new Set(names.map(nfc));
    const all = new Set([...inFile, ...ofApp.map(nfc)]);
    for (const alike of Map.groupBy(all, lookOf).values())
      if (alike.length > 1 && alike.some((name) => inFile.has(name)))
        remarks.push({
          code: 'lookalikes',
          message: `These names look alike, and are different groups or licenses: ${alike.map(quoted).join(', ')}.`,
          confirm: false,
          count: null,
          names: alike,
        });
  }
  return remarks.slice(0, MOST_LOOKALIKES);
}

const quoted = (name: string) => `"${withCodes(name)}"`;

/** Throws 409 if a remark needs a confirmation that is missing. */
export function requireConfirmed(remarks: readonly Remark[], confirmed: readonly string[]): void {
  const open = remarks.filter(({ code, confirm }) => confirm && !confirmed.includes(code));
  if (open.length === 0) return;
  const codes = open.map(({ code }) => `"${code}"`).join(', ');
  throw uploadRefusals.upload_unconfirmed({
    remarks: open.map(({ message }) => message).join(' '),
    body: `{"confirm": [${codes}]}`,
  });
}
