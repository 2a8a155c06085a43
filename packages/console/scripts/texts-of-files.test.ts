import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { firstCards, firstPage } from './first-page.ts';
import {
  APP,
  filesBefore,
  firstFiles,
  showServerText,
  translationsByFile,
  translationsOf,
} from './texts-of-files.ts';

const ROOT = join(import.meta.dirname, '..');
const STYLES = join(ROOT, '../../node_modules/@mantine/core/styles');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const german = translationsByFile(
  'de',
  ['frame', 'pages'].map((catalog) => join(ROOT, `src/language/${catalog}/de.po`)),
);
const textsBefore = async (file: string) => translationsOf(filesBefore(file), await german);

describe('the first page in another language', () => {
  test('loads the texts of the frame, the page and its cards', async () => {
    const texts = Object.values(await textsBefore(APP));
    expect(texts).toEqual(expect.arrayContaining(['Wartet auf Sie', 'Behalten']));
    expect(firstCards.length).toBeGreaterThan(2);
    for (const file of [firstPage, ...firstCards]) expect(await textsBefore(file)).toEqual({});
  });

  test('loads few of the texts of all pages', async () => {
    const all = new Set([...(await german).values()].flatMap((texts) => [...texts.keys()]));
    const first = Object.keys(await textsBefore(APP));
    expect(first.length).toBeLessThan(all.size / 5);
  });

  test('loads no file of a page that opens on demand, and no dialog', () => {
    const files = [...firstFiles()];
    expect(files.filter((file) => /-(page|dialog)\.tsx$/.test(file) && file !== firstPage)).toEqual([]);
  });

  test('waits for no translations to show sentences of the server', () => {
    // They load these words themselves.
    expect(showServerText('src/server-words.ts')).toEqual([]);
    for (const file of [firstPage, ...firstCards]) expect(showServerText(file)).toEqual([]);
  });
});

test('a page has its texts, those of what it imports, and no others', async () => {
  const texts = Object.values(await textsBefore('src/pages/policies/policies-page.tsx'));
  expect(texts).toContain('Richtlinie erstellen');
  expect(Object.keys(await textsBefore('src/pages/team/team-page.tsx')).length).toBeLessThan(120);
  expect(showServerText('src/pages/tasks/task-page.tsx')).toContain('src/pages/tasks/explanation.ts');
});

test('the first style sheet has each component of Mantine that the first page imports', () => {
  const styles = read('src/theme/styles.ts');
  const imported = [...firstFiles()].flatMap((file) =>
    [...read(file).matchAll(/import \{([^}]+)\} from '@mantine\/core'/g)].flatMap(([, names = '']) =>
      names.split(',').map((name) => name.trim()),
    ),
  );
  const withStyles = globSync('*.css', { cwd: STYLES }).map((file) => file.replace('.css', ''));
  const needed = new Set(imported.filter((name) => withStyles.includes(name)));
  expect(needed.size).toBeGreaterThan(5);
  expect([...needed].filter((name) => !styles.includes(`/${name}.css`))).toEqual([]);
});
