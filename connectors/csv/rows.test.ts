import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { column, type Row, rows } from './rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-rows-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function read(name: string, content: string): Promise<Row[]> {
  const file = join(folder, name);
  writeFileSync(file, content);
  return Array.fromAsync(rows(file, ['id']));
}

test('reads a BOM, CRLF, quotes, blank lines and capitals in the header', async () => {
  const [row] = await read('a.csv', '\uFEFFID,Email\r\n\r\n"1","a,b@x"\r\n');
  expect(row).toEqual({ id: '1', email: 'a,b@x' });
});

test('reads JSON lines with lists', async () => {
  const [row = {}] = await read('a.jsonl', '{"id":"1","groups":["a","b"]}\n\n');
  expect(column(row, 'groups')).toBe('a;b');
});

test.each([
  ['a missing column', 'b.csv', 'name\nx\n', /no value for "id"|no column "id"/],
  ['no content', 'c.csv', '', /no column "id"/],
  ['a truncated row', 'd.csv', 'id,email\n1,a@x\n2\n', /Invalid Record Length/],
  ['a truncated field', 'e.csv', 'id,email\n1,"a@x\n', /Quote Not Closed/],
  ['a truncated line', 'f.jsonl', '{"id":"1"}\n{"id":', /line 2 is not a JSON object/],
])('throws for a file with %s', async (_, name, content, message) => {
  await expect(read(name, content)).rejects.toThrow(message);
});

test.each(['none.csv', 'none.jsonl'])('throws if %s does not exist', async (name) => {
  await expect(Array.fromAsync(rows(join(folder, name), ['id']))).rejects.toThrow(/ENOENT/);
});
