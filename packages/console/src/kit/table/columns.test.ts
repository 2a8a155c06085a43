import { expect, test } from 'vitest';
import { type Column, idOf } from './column.ts';
import * as column from './columns.tsx';

interface Row {
  status: 'on' | 'off';
  note: string | null;
  uses: number;
  app: { name: string };
}

const columns: Column<Row>[] = [
  column.code('status', 'Status', { on: 'Switched on', off: 'Switched off' }),
  column.text('note', 'Note', { none: 'None', phone: 'detail' }),
  column.count('uses', 'Uses'),
  column.text('app', 'App', ({ app }) => app.name, { csv: ({ app }) => app.name.toLowerCase() }),
];
const row: Row = { status: 'on', note: null, uses: 1204, app: { name: 'Payroll' } };

test('a declaration gives the cell and the exported value', () => {
  expect(columns.map(({ cell }) => cell(row))).toEqual(['Switched on', 'None', '1,204', 'Payroll']);
  expect(columns.map(({ csv }) => csv?.(row))).toEqual(['on', null, 1204, 'payroll']);
});

test('only columns that say so are on the right and on a phone', () => {
  expect(columns.map(({ right, phone }) => [right, phone])).toEqual([
    [undefined, undefined],
    [undefined, 'detail'],
    [true, undefined],
    [undefined, undefined],
  ]);
});

test('a row has the id that the API gives it', () => {
  expect(idOf({ external_uuid: 'a' })).toBe('a');
  expect(idOf({ id: 'b' })).toBe('b');
  expect(() => idOf({ name: 'c' })).toThrow('A table needs the id of each row.');
});
