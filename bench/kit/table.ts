/** Prints a title, headings and rows. All columns except the first are right-aligned. */
export function printTable(title: string, headings: string[], rows: (string | number)[][]) {
  const cells = [headings, ...rows.map((row) => row.map(format))];
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ');
  console.log(`\n${title}`);
  console.log(line(cells[0] ?? []));
  console.log(widths.map((width) => '-'.repeat(width)).join('  '));
  for (const row of cells.slice(1)) console.log(line(row));
}

const format = (cell: string | number) =>
  typeof cell === 'string' ? cell : cell >= 100 ? Math.round(cell).toLocaleString('en-US') : cell.toFixed(2);
