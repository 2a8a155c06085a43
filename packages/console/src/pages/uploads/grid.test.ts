import { expect, test } from 'vitest';
import { cellsIn, emptyRow, fileOf, filledRows, MOST_ROWS, pasted, problemsByCell } from './grid.ts';

const START = [emptyRow(), emptyRow()];
const paste = (text: string, column: 'name' | 'email' = 'name', rows = START) =>
  filledRows(pasted(rows, { at: 0, column }, text) ?? []).map(({ row: { key: _, ...row } }) => row);

test('reads cells with tabs, line breaks and quotes', () => {
  expect(cellsIn('a\tb\r\n"c ""d"""\t"e\nf"\r\n\r\n')).toEqual([
    ['a', 'b'],
    ['c "d"', 'e f'],
  ]);
  expect(cellsIn('5" disk\n"')).toEqual([['5" disk'], ['"']]);
});

test('pastes names and what stands beside them, without headers', () => {
  expect(paste('Name\tE-Mail\tGroups\nAda\tada@x.example\tSales; Admins\nAlan')).toEqual([
    { name: 'Ada', email: 'ada@x.example', groups: 'Sales; Admins', licenses: '' },
    { name: 'Alan', email: '', groups: '', licenses: '' },
  ]);
});

test('pastes a column of emails as emails', () => {
  expect(paste('ada@x.example\nalan@x.example')).toMatchObject([
    { name: '', email: 'ada@x.example' },
    { name: '', email: 'alan@x.example' },
  ]);
});

test('keeps the other cells, and an empty row at the end', () => {
  const rows = [{ ...emptyRow(), name: 'Ada' }];
  const next = pasted(rows, { at: 0, column: 'email' }, 'ada@x.example\nbob@x.example') ?? [];
  expect(next).toMatchObject([{ name: 'Ada', email: 'ada@x.example' }, { name: '' }, { email: '' }]);
});

test('refuses more rows than the grid holds', () => {
  const text = Array.from({ length: MOST_ROWS + 1 }, (_, at) => `P${at}`).join('\n');
  expect(pasted(START, { at: 0, column: 'name' }, text)).toBeUndefined();
});

test('makes a file, and finds the cell of a problem in it', async () => {
  const ada = { ...emptyRow(), name: 'Ada "A"', email: 'ada@x.example', groups: 'Sales' };
  const alan = { ...emptyRow(), name: 'Alan' };
  const rows = [emptyRow(), ada, emptyRow(), alan];
  const { file, mapping } = fileOf(rows, 'x.csv');

  expect((await file.text()).replace('\uFEFF', '').split('\r\n')).toEqual([
    'id,name,email,username,groups',
    '"ada@x.example","Ada ""A""","ada@x.example","","Sales"',
    '"Alan","Alan","","Alan",""',
  ]);
  expect(mapping.columns).toContainEqual({ column: 'groups', field: 'groups', separator: ';' });
  const problem = { value: '', message: 'Wrong.', code: 'x', values: {} };
  const found = problemsByCell(rows, [
    { ...problem, row: 2, column: 'id' },
    { ...problem, row: 3, column: 'id' },
    { ...problem, row: 3, column: 'groups' },
  ]);
  expect([...found.keys()]).toEqual(['1:email', '3:name', '3:groups']);
});
