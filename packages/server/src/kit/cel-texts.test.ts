import { expect, test } from 'vitest';
import { canName } from './cel-texts.ts';

test.each([
  ['"Finance" in user.groups', 'Finance', true],
  ['"finance" in user.groups', 'Finance', true],
  ['"IT" in user.groups', 'Kitchen', false],
  ['user.groups.exists(g, g == "Finance")', 'Finance', true],
  ['user.groups.exists(g, g.startsWith("fin"))', 'Finance', true],
  ['user.groups.exists(g, g.contains("nan"))', 'Finance', true],
  ['user.groups.exists(g, g.endsWith("x"))', 'Finance', false],
  ['user.groups.exists(g, g.matches("^F.*e$"))', 'Finance', true],
  ['size(user.groups) == 0', 'Finance', false],
])('%s can name %s: %s', (condition, name, expected) => {
  expect(canName(condition, name)).toBe(expected);
});
