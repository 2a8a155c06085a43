import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { writeXlsx } from '../write-xlsx.ts';
import { openSpreadsheet } from './open.ts';
import type { SheetRow } from './sheet.ts';

/** Reads a file of test/workbooks, or a workbook. */
async function read(file: string | Buffer, sheet?: string) {
  const bytes =
    typeof file === 'string'
      ? await readFile(new URL(`../../../../test/workbooks/${file}.xlsx`, import.meta.url))
      : file;
  const opened = await openSpreadsheet(
    async function* () {
      yield bytes;
    },
    sheet === undefined ? {} : { sheet },
  );
  const rows: SheetRow[] = [];
  for await (const row of opened.rows) rows.push(row);
  return { ...opened, rows, cells: rows.map(({ cells }) => cells) };
}

const workbook = (...cells: { xml: string }[]) =>
  writeXlsx('S', [['id', ...cells.slice(1).map((_, n) => `c${n}`)], cells], FORMATS);
const code = (id: number, format: string) => `<numFmt numFmtId="${id}" formatCode="${format}"/>`;
const FORMATS =
  `<numFmts>${code(164, '[Magenta]0.00')}${code(165, '_-* 0.00 &quot;days&quot;_d')}${code(166, '[h]:mm')}` +
  `${code(167, '0000')}</numFmts>` +
  `<cellXfs>${[0, 164, 165, 166, 167, 30].map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs>`;

describe('a workbook', () => {
  /** Both have a hidden first sheet, a chart, merged cells, an error, a formula, and dates that start in 1904. */
  test.each([
    ['openpyxl', ''],
    ['libreoffice', '8'],
  ])('of %s gives what it shows', async (file, calculated) => {
    const { layout, headers, rows, cells } = await read(file);

    expect(layout.sheet).toBe('Users');
    expect(layout.sheets).toEqual(expect.arrayContaining(['Notes', 'Users']));
    expect(headers).toEqual([
      'id',
      'email',
      'first_name',
      'active',
      'joined',
      'share',
      'formula',
      'error',
      'team',
    ]);
    expect(cells).toEqual([
      ['00007', 'a@x.example', 'Ada', 'true', '2026-11-23', '0.5', calculated, '', 'A & B <C>'],
      ['0042', 'b@x.example', 'Zoë', 'false', '2026-11-23T14:30:00Z', '0.3', '', '', 'one'],
      ['1001', 'c@x.example', '', 'true', '2026-11-23', '1', '', '', 'one'],
    ]);
    expect(rows[0]?.faults.at(-1)?.message).toBe('Cell H2 shows the error #N/A. Correct it.');
    expect((await read(file, 'Notes')).headers).toEqual(['not this one']);
  });

  test('of XlsxWriter has no values of formulas, long numbers, or columns that only have a format', async () => {
    const { headers, rows, cells } = await read('xlsxwriter');

    expect(headers).toEqual(['id', 'email', 'name', 'joined', 'amount', 'computed']);
    expect(cells).toEqual([
      ['00017', 'a@x.example', 'Ada Lovelace', '2026-11-23', '12.5', ''],
      ['', 'b@x.example', 'a\rb _x0041_ c'],
    ]);
    expect(rows.map(({ faults }) => faults.map(({ message }) => message))).toEqual([
      [expect.stringContaining('Cell F2 has a formula that was never calculated.')],
      [expect.stringContaining('Cell A3 has a number of more than 15 digits')],
    ]);
  });

  test('that declares entities is refused', async () => {
    await expect(read('entities')).rejects.toThrow('damaged');
  });

  test.each([
    ['a color that begins like a month', '<c s="1"><v>3</v></c>', '3'],
    ['a letter as wide as another', '<c s="2"><v>3</v></c>', '3'],
    ['elapsed hours', '<c s="3"><v>46349.5</v></c>', '2026-11-23T12:00:00Z'],
    ['four digits', '<c s="4"><v>12</v></c>', '0012'],
    ['an East Asian date', '<c s="5"><v>46349</v></c>', '2026-11-23'],
    ['15 digits', '<c><v>123456789012345</v></c>', '123456789012345'],
    ['a rounded fraction', '<c><v>0.30000000000000004</v></c>', '0.3'],
    ['an ISO date', '<c t="d"><v>2026-11-23T00:00:00</v></c>', '2026-11-23'],
    ['CDATA', '<c t="inlineStr"><is><t><![CDATA[a<b]]></t></is></c>', 'a<b'],
    ['a reading', '<c t="inlineStr"><is><t>東京</t><rPh><t>トウキョウ</t></rPh></is></c>', '東京'],
  ])('reads %s', async (_, xml, text) => {
    const { cells } = await read(workbook({ xml: '<c t="str"><v>1</v></c>' }, { xml }));

    expect(cells[0]).toEqual(['1', text]);
  });

  test.each([
    ['the date zero', '<c s="5"><v>0</v></c>', /Cell B2 has the date zero, which is before 1950/],
    ['a time without a day', '<c s="3"><v>0.5</v></c>', /the day 1899-12-30T12:00:00Z, which is before 1950/],
    ['the last day before 1950', '<c s="5"><v>18263</v></c>', /1949-12-31/],
    ['an early ISO date', '<c t="d"><v>1900-01-05T00:00:00</v></c>', /1900-01-05/],
    ['a day before all', '<c s="5"><v>-700000</v></c>', /before 1950/],
  ])('reports %s', async (_, xml, message) => {
    const { rows } = await read(workbook({ xml: '<c t="str"><v>1</v></c>' }, { xml }));

    expect(rows[0]?.faults).toEqual([
      {
        column: 1,
        message: expect.stringMatching(message),
        code: expect.any(String),
        values: expect.objectContaining({ cell: 'B2' }),
      },
    ]);
  });

  test('reads the first day of 1950', async () => {
    const { rows } = await read(workbook({ xml: '<c s="5"><v>18264</v></c>' }));

    expect(rows[0]).toMatchObject({ cells: ['1950-01-01'], faults: [] });
  });

  test.each([
    ['a text that it lacks', '<c t="s"><v>7</v></c>'],
    ['an endless text', `<c t="inlineStr"><is><t>${'0'.repeat(3 * 1024 * 1024)}</t></is></c>`],
    [
      'an endless text in parts',
      `<c t="inlineStr"><is>${`<t>${'0'.repeat(60_000)}</t>`.repeat(20)}</is></c>`,
    ],
  ])('with %s is damaged', async (_, xml) => {
    await expect(read(workbook({ xml }))).rejects.toThrow('damaged');
  });

  /** A workbook with the given elements in the place of its only sheet. Its archive keeps its length. */
  const sheets = (elements: string) => {
    const name = 'x'.repeat(elements.length - '<sheet name="" sheetId="1" r:id="r1"/>'.length);
    const bytes = writeXlsx(name, [['id'], ['1']]);
    bytes.write(elements, bytes.indexOf(`<sheet name="${name}"`));
    return bytes;
  };

  test.each(['hidden', 'veryHidden'])(
    'whose sheets are all %s is read only if a sheet is chosen',
    async (state) => {
      const bytes = sheets(`<sheet name="Old" state="${state}" sheetId="1" r:id="r1"/>`);
      await expect(read(bytes)).rejects.toThrow('All sheets of the workbook are hidden.');
      expect((await read(bytes, 'Old')).cells).toEqual([['1']]);
    },
  );

  test('without the data of a visible sheet is damaged, and the next sheet is not taken instead', async () => {
    const lost = (state: string) =>
      `<sheet name="Users"${state} sheetId="2" r:id="r9"/><sheet name="Old" sheetId="1" r:id="r1"/>`;
    await expect(read(sheets(lost('')))).rejects.toThrow('damaged');
    expect((await read(sheets(lost(' state="hidden"')))).layout).toMatchObject({
      sheet: 'Old',
      sheets: ['Old'],
    });
  });

  test('with a byte that is not UTF-8 is damaged', async () => {
    const bytes = workbook({ xml: '<c t="str"><v>Jrg</v></c>' });
    // Behind the name, whose checksum the reader does not compare.
    bytes[bytes.indexOf('Jrg') + 1] = 0xfc;
    await expect(read(bytes)).rejects.toThrow('damaged');
  });

  test('does not grow with a range of hidden columns that begins before the first', async () => {
    const columns = '<cols><col min="-30000000" max="1" hidden="1"/></cols>';
    const bytes = writeXlsx('S', [[{ xml: `<c t="str"><v>id</v></c>${columns}` }], ['1']]);
    const { cells, hiddenColumns } = await read(bytes);
    expect(cells).toEqual([['1']]);
    expect([...hiddenColumns]).toEqual([0]);
  });

  /** Writes the list of merged cells behind the rows, as spreadsheet programs do. */
  const merging = (rows: (string | { xml: string })[][], ranges: string[]) =>
    writeXlsx('S', [
      ...rows,
      [
        {
          xml: `<c/></row></sheetData><mergeCells>${ranges.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells><sheetData><row>`,
        },
      ],
    ]);

  test('gives each row the value of a merged cell', async () => {
    const { cells, rows } = await read(
      merging(
        [
          ['email', 'Department', 'Site'],
          ['a@x.example', 'Finance', 'Bern'],
          ['b@x.example', '', ''],
          ['c@x.example', 'hidden'],
          ['d@x.example', ''],
          ['e@x.example', { xml: '<c t="e"><v>#N/A</v></c>' }, 'Ulm'],
          ['f@x.example'],
        ],
        ['B2:B4', 'C2:C3', 'B6:B7'],
      ),
    );
    expect(cells).toEqual([
      ['a@x.example', 'Finance', 'Bern'],
      ['b@x.example', 'Finance', 'Bern'],
      ['c@x.example', 'Finance'],
      ['d@x.example'],
      ['e@x.example', '', 'Ulm'],
      ['f@x.example', ''],
    ]);
    expect(rows.map(({ faults }) => faults.length)).toEqual([0, 0, 0, 0, 1, 1]);
  });

  test('keeps names of columns, cells merged across columns, and empty rows as they are', async () => {
    const { headers, cells } = await read(
      merging(
        [
          ['id', 'role'],
          ['', 'admin'],
          ['1', 'reader', 'x'],
          ['', 'writer'],
          ['', ''],
        ],
        ['A1:A2', 'B3:C3', 'A3:A5'],
      ),
    );
    expect(headers).toEqual(['id', 'role']);
    expect(cells).toEqual([
      ['', 'admin'],
      ['1', 'reader', 'x'],
      ['1', 'writer'],
    ]);
  });

  test('does not grow with merged cells of any size', async () => {
    const rows = [['id', 'a'], ...Array.from({ length: 20 }, (_, n) => [`${n}`, ''])];
    const { cells } = await read(merging(rows, ['B2:XFD1048576', 'XFC1:XFD1048576', 'A1000000:B1048576']));
    expect(cells).toHaveLength(20);
    await expect(read(merging(rows, ['B2:C0000000009']))).rejects.toThrow('damaged');
    const many = Array.from({ length: 500_001 }, (_, n) => `B${2 * n + 2}:B${2 * n + 3}`);
    await expect(read(merging(rows, many))).rejects.toThrow('more than 500000 merged cells');
  });
});
