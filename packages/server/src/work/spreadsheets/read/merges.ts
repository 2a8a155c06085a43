import { uploadRefusals } from '../sentences.ts';
import { type Fault, MOST_COLUMNS, MOST_ROWS, type SheetRow } from './sheet.ts';
import { damaged } from './zip.ts';

/** The merged cells of a sheet that reach over several rows: the last row, by the first row and the column. */
export class Merges {
  readonly #bottoms = new Map<number, number>();
  readonly #columns = new Set<number>();

  add(range: string) {
    const [, letters = '', first, , last] = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/.exec(range) ?? [];
    if (first === undefined) throw damaged();
    const column = columnOf(letters);
    if (Number(last) <= Number(first) || column > MOST_COLUMNS) return;
    this.#bottoms.set(keyOf(Number(first), column), Number(last));
    this.#columns.add(column);
    if (this.#bottoms.size > MOST_ROWS) throw uploadRefusals.too_many_merged_cells({ most: MOST_ROWS });
  }

  /**
   * Returns a function that takes the rows in their order, and gives each the values of the cells that it shares with a row above.
   * Merges that begin in the first row name columns. A row that has nothing else stays empty.
   */
  filler(): (row: SheetRow) => void {
    const open = new Map<number, { bottom: number; value: string; fault: Fault | undefined }>();
    let isHeader = true;
    return (row) => {
      const hasOwn = row.cells.some((cell) => cell !== '') || row.faults.length > 0;
      for (const column of this.#columns) {
        const bottom = this.#bottoms.get(keyOf(row.number, column));
        if (bottom !== undefined && !isHeader) {
          const fault = row.faults.find((each) => each.column === column);
          open.set(column, { bottom, value: row.cells[column] ?? '', fault });
          continue;
        }
        const above = open.get(column);
        if (above === undefined) continue;
        if (row.number > above.bottom) open.delete(column);
        else if (hasOwn) fill(row, column, above);
      }
      if (hasOwn) isHeader = false;
    };
  }
}

function fill(row: SheetRow, column: number, { value, fault }: { value: string; fault: Fault | undefined }) {
  while (row.cells.length < column) row.cells.push('');
  row.cells[column] = value;
  // A program may have left another value below the merged one, which it does not show.
  row.faults = row.faults.filter((each) => each.column !== column);
  if (fault !== undefined) row.faults.push({ ...fault, column });
}

const keyOf = (row: number, column: number) => row * (MOST_COLUMNS + 1) + column;

export function columnOf(address: string): number {
  let column = 0;
  for (const letter of address) {
    const value = letter.charCodeAt(0) - 64;
    if (value < 1 || value > 26) break;
    column = column * 26 + value;
  }
  return column - 1;
}
