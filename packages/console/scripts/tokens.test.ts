import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '../src');
const read = (file: string) => readFileSync(join(SOURCES, file), 'utf8');
const theme = read('theme/theme.css');
const sheets = globSync('**/*.module.css', { cwd: SOURCES });
const parts = globSync('**/*.{ts,tsx}', { cwd: SOURCES });
/** Some variables are set while the console runs. */
const code = parts.map(read).join('');

const COLOR = /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\((?!var\()|\b(?:white|black)\b/;
/** Mantine's shades, such as `--mantine-color-red-9`, do not follow the color scheme. */
const SHADE = /--mantine-color-[a-z]+-\d|'(?:blue|red|green|yellow|orange|teal|gray)\.\d'/;
const ALLOWED: Record<string, RegExp> = {
  'font-size': /^(var\(--gh-text-(s|m|l|xl|xxl|initials)\)|inherit)$/,
  'font-weight': /^(var\(--gh-weight-\w+\)|inherit)$/,
  'font-family': /^(var\(--mantine-font-family(-monospace)?\)|inherit)$/,
  font: /^inherit$/,
};
/** Danger, attention, good, and what has none of these meanings. */
const COLORS = ['red', 'yellow', 'green', 'blue', 'gray'];

/** Returns what is wrong with a style sheet. */
function problemsOf(css: string): string[] {
  const problems: string[] = [];
  const plain = css.replace(/\/\*.*?\*\//gs, '');
  for (const [, name = '', value = ''] of plain.matchAll(/^\s*([\w-]+):\s*([^;]+);/gm)) {
    const allowed = ALLOWED[name];
    const isAllowed = allowed === undefined ? !COLOR.test(value) && !SHADE.test(value) : allowed.test(value);
    if (!isAllowed) problems.push(`${name}: ${value}`);
  }
  return problems;
}

test('has five sizes of text', () => {
  const sizes = [...theme.matchAll(/--gh-text-(\w+): ([\d.]+)rem;/g)]
    .filter(([, name]) => name !== 'initials')
    .map(([, , size]) => Number(size) * 16);
  expect(sizes).toEqual([12, 13, 15, 20, 28]);
});

describe('a style sheet uses the tokens of theme.css', () => {
  test.each(sheets)('%s', (sheet) => {
    const css = read(sheet);
    expect(problemsOf(css)).toEqual([]);
    const used = [...css.matchAll(/var\((--gh-[\w-]+)\)/g)].map(([, name = '']) => name);
    const isSet = (name: string) => `${theme}${css}`.includes(`${name}:`) || code.includes(`'${name}'`);
    expect(used.filter((name) => !isSet(name))).toEqual([]);
  });
});

test('the parts use only colors with a meaning', () => {
  const wrong = parts.flatMap((part) => {
    const code = read(part);
    const colors = [...code.matchAll(/\scolor="(\w+)"/g)].map(([, color = '']) => color);
    const others = colors.filter((color) => !COLORS.includes(color));
    return others.length > 0 || SHADE.test(code) ? [`${part}: ${others}`] : [];
  });
  expect(wrong).toEqual([]);
});

test('finds sizes and colors of a style sheet of its own', () => {
  const css =
    '.a {\n  font-size: 14px;\n  color: #fff;\n  border: 1px solid rgb(0 0 0 / 10%);\n  font: 600 14px serif;\n}\n';
  expect(problemsOf(css)).toEqual([
    'font-size: 14px',
    'color: #fff',
    'border: 1px solid rgb(0 0 0 / 10%)',
    'font: 600 14px serif',
  ]);
  expect(problemsOf('.a {\n  background: var(--mantine-color-red-9);\n}\n')).toHaveLength(1);
  expect(problemsOf('.a {\n  font-size: var(--gh-text-m);\n  color: var(--gh-bad);\n}\n')).toEqual([]);
});
