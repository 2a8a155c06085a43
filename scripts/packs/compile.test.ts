import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { compile, compileFolder, importByPath } from './compile.ts';

const SOURCE = `import type { Row } from './row.ts';
import { type Call, send } from '#kit/send.ts';

interface Answer {
  row: Row;
}

const FILE = new URL('./read.worker.ts', import.meta.url);
export const ask = async (call: Call): Promise<Answer> => (await send(call, FILE)) as Answer;
`;

test('types become spaces, so each word keeps its line and column', () => {
  const code = compile(SOURCE);
  const placeOf = (text: string, word: string) => {
    const line = text.split('\n').findIndex((one) => one.includes(word));
    return [line, text.split('\n')[line]?.indexOf(word)];
  };
  for (const word of ['send', 'FILE', 'ask', 'await'])
    expect(placeOf(code, word)).toEqual(placeOf(SOURCE, word));
  expect(code).not.toMatch(/interface|Promise|type/);
});

test('paths of sources, also of workers, name the compiled files', () => {
  const code = compile(SOURCE);
  expect(code).toContain(`'#kit/send.js'`);
  expect(code).toContain(`new URL('./read.worker.js', import.meta.url)`);
  expect(code).not.toContain(`.ts'`);
});

test('a folder is compiled without its tests, and imports packages by their places', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-compile-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'from/app/test'), { recursive: true });
  const write = (file: string, code: string) => writeFileSync(join(folder, 'from/app', file), code);
  write('main.ts', `import { x } from '@gatehouse/connector';\nimport y from '@gatehouse/other';\n`);
  write('main.test.ts', '');
  write('test/help.ts', '');

  const files = compileFolder(join(folder, 'from'), join(folder, 'to'), 'app');
  importByPath(files, { '@gatehouse/connector': join(folder, 'to/sdk/index.js') });
  expect(files).toEqual([join(folder, 'to/app/main.js')]);
  expect(readFileSync(files[0] as string, 'utf8')).toBe(
    `import { x } from '../sdk/index.js';\nimport y from '@gatehouse/other';\n`,
  );
});
