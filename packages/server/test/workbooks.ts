import { writeXlsx } from '#work/spreadsheets/write-xlsx.ts';

const cell = (text: string) => `<c t="str"><v>${text.replace('&', '&amp;')}</v></c>`;

/** Writes a workbook that hides its last column, its third row, and its fourth row by a height of 0. */
export function hiding(rows: string[][]): Buffer {
  const width = rows[0]?.length ?? 0;
  const hides: Record<number, string> = { 1: ' hidden="1"', 2: ' ht="0" customHeight="1"' };
  const following = rows.slice(2).map((cells, n) => {
    const number = n + 3;
    return `</row><row r="${number}"${hides[n + 1] ?? ''}>${cells.map(cell).join('')}`;
  });
  const [header = [], first = []] = rows;
  const columns = `<cols><col min="${width}" max="${width}" width="9" hidden="1"/></cols>`;
  return writeXlsx('S', [
    header.map((text, n) => ({ xml: `${cell(text)}${n === 0 ? columns : ''}` })),
    first.map((text, n) => ({ xml: `${cell(text)}${n === width - 1 ? following.join('') : ''}` })),
  ]);
}
