import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { column, type Format, type Row, rows } from './rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-rows-'));
afterAll(() => rmSync(folder, { recursive: true }));
const plain: Format = { encoding: 'utf-8', columnSeparator: ',' };

async function read(name: string, content: string | Buffer, format: Partial<Format> = {}): Promise<Row[]> {
  const file = join(folder, name);
  writeFileSync(file, content);
  return Array.fromAsync(rows(file, ['id'], { ...plain, ...format }));
}

test('reads a BOM, CRLF, quotes, blank lines and capitals in the header', async () => {
  const [row] = await read('a.csv', '\uFEFFID,Email\r\n\r\n"1","a,b@x"\r\n');
  expect(row).toEqual({ id: '1', email: 'a,b@x' });
});

test.each(['id\r\n1\n2\r\n3\r4\n', 'id\n1\r\n2\n3\n4\r\n'])('reads mixed line ends', async (content) => {
  expect((await read('mixed.csv', content)).map(({ id }) => id)).toEqual(['1', '2', '3', '4']);
});

test('reads exported cells as they were before the export', async () => {
  const [row] = await read('export.csv', `id,"'=Name",email\r\n''=x,"'-OU=b;'=SUM(1)",-1001\r\n`);
  expect(row).toEqual({ id: "'=x", '=name': '-OU=b;=SUM(1)', email: '-1001' });
});

test('reads JSON lines', async () => {
  const [row = {}] = await read('a.jsonl', '{"id":1,"groups":["a","b"]}\n\n');
  expect([column(row, 'id'), row.groups]).toEqual(['1', ['a', 'b']]);
});

test.each([
  ['a missing column', 'b.csv', 'name\nx\n', /b.csv has no column "id"$/],
  ['no content', 'c.csv', '', /no column "id"/],
  ['a truncated row', 'd.csv', 'id,email\n1,a@x\n2\n', /d.csv: Invalid Record Length/],
  ['a truncated field', 'e.csv', 'id,email\n1,"a@x\n', /e.csv: Quote Not Closed/],
  ['a truncated line', 'f.jsonl', '{"id":"1"}\n{"id":\n', /line 2 is not a JSON object/],
  ['a truncated cell', 'g.csv', 'id,email\n1,a@x\n2,b', /g.csv does not end with a line break/],
  [
    'a last line of JSON without an end',
    'g.jsonl',
    '{"id":"1"}\n{"id":"2"}',
    /does not end with a line break/,
  ],
  ['two columns of one name', 'h.csv', 'id,email,Email\n1,a@x,\n', /two columns "email"/],
  ['a NUL character', 'i.csv', 'id,email\n1,a@x\n2,\0\n', /i.csv, line 3: it has a NUL character/],
])('throws for a file with %s', async (_, name, content, message) => {
  await expect(read(name, content)).rejects.toThrow(message);
});

test.each(['none.csv', 'none.jsonl'])('throws if %s does not exist', async (name) => {
  await expect(Array.fromAsync(rows(join(folder, name), ['id'], plain))).rejects.toThrow(/ENOENT/);
});

test.each([
  ['windows-1252', Buffer.from('id,name\n1,J\xfcrg \x80\n', 'latin1'), 'Jürg €'],
  ['ISO-8859-1', Buffer.from('id,name\n1,J\xfcrg\n', 'latin1'), 'Jürg'],
  ['utf-16le', Buffer.from('id,name\n1,Jürg \u010A\u0A00\n', 'utf16le'), 'Jürg \u010A\u0A00'],
  ['utf-16be', Buffer.from('id,name\n1,Jürg\u0A00\n', 'utf16le').swap16(), 'Jürg\u0A00'],
  ['utf-8', Buffer.from('\uFEFFid,name\n1,Jürg\n', 'utf16le'), 'Jürg'],
  ['windows-1252', Buffer.from('\uFEFFid,name\n1,Jürg\n'), 'Jürg'],
])('reads %s, unless a byte order mark says otherwise', async (encoding, content, name) => {
  expect(await read('encoded.csv', content, { encoding })).toEqual([{ id: '1', name }]);
});

test('reads characters that lie across the pieces of a large file', async () => {
  const lines = Array.from({ length: 40_000 }, (_, n) => `${n},${'ü'.repeat((n % 7) + 1)}`);
  expect(await read('large.csv', `id,name\n${lines.join('\n')}\n`)).toHaveLength(40_000);
});

test.each(['bytes.csv', 'bytes.jsonl'])('names the line that is not UTF-8 in %s', async (name) => {
  const rest = name.endsWith('csv')
    ? 'id,name\n1,a\n2,J\xfcrg\n3,b\n'
    : '{"id":1}\n{"id":2}\n{"id":"\xfc"}\n';
  const content = Buffer.from(rest, 'latin1');
  await expect(read(name, content)).rejects.toThrow(/line 3: it is not valid utf-8; set the encoding/);
});

test('refuses UTF-8 that is declared as another encoding', async () => {
  const content = 'id,name\n1,Jürg\n2,b\n';
  await expect(read('a.csv', content, { encoding: 'windows-1252' })).rejects.toThrow(
    /a.csv is UTF-8, not windows-1252/,
  );
});

test('refuses an unknown encoding', async () => {
  await expect(read('a.csv', 'id\n1\n', { encoding: 'klingon' })).rejects.toThrow(/"klingon" is not known/);
});

test.each([
  [';', ';'],
  ['semicolon', ';'],
  ['tab', '\t'],
  ['|', '|'],
])('separates columns by %j', async (separator, used) => {
  const content = `id${used}name\n1${used}"a${used}b"\n2${used}\n`;
  expect(await read('separated.csv', content, { columnSeparator: separator })).toEqual([
    { id: '1', name: `a${used}b` },
    { id: '2', name: '' },
  ]);
});

test.each([
  [';', ',', /separated by ";", not by ","; set columnSeparator to semicolon/],
  ['\t', ',', /separated by tabs, not by ","; set columnSeparator to tab/],
  [',', ';', /separated by ",", not by ";"; set columnSeparator to comma/],
])('says that a file is separated by %j, not by %j', async (used, separator, message) => {
  await expect(
    read('other.csv', `id${used}name\n1${used}a\n`, { columnSeparator: separator }),
  ).rejects.toThrow(message);
});

const replace = (file: string) => {
  writeFileSync(`${file}.new`, readFileSync(file));
  renameSync(`${file}.new`, file);
};
test.each<[string, (file: string) => void]>([
  ['truncated', (file) => truncateSync(file, readFileSync(file).lastIndexOf('\n', 600_000) + 1)],
  ['replaced', replace],
  ['removed', (file) => rmSync(file)],
  ['continued', (file) => appendFileSync(file, file.endsWith('csv') ? '0,x\n' : '{"id":"0"}\n')],
])('throws if the file is %s while it is read', async (_, change) => {
  for (const name of ['changing.csv', 'changing.jsonl']) {
    const file = join(folder, name);
    const isJson = name.endsWith('jsonl');
    const lines = Array.from({ length: 50_000 }, (_, n) => (isJson ? `{"id":"${n}"}` : `${n},person ${n}`));
    writeFileSync(file, `${isJson ? '' : 'id,name\n'}${lines.join('\n')}\n`);
    const reading = rows(file, ['id'], plain);
    await reading.next();
    change(file);
    await expect(Array.fromAsync(reading)).rejects.toThrow(/changed while it was read/);
  }
});
