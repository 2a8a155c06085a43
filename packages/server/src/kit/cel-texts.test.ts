import { expect, test } from 'vitest';
import { canName, usesAnyName } from './cel-texts.ts';

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
  ['"Pr\u00fcfung" in user.groups', 'Pru\u0308fung', true],
  ['"Pru\u0308fung" in user.groups', 'Pr\u00fcfung', true],
])('%s can name %s: %s', (condition, name, expected) => {
  expect(canName(condition, name)).toBe(expected);
});

test.each([
  ['user.attributes.department in user.groups', true],
  ['user.groups.exists(g, g == user.attributes.department)', true],
  ['user.groups.exists(g, user.username.startsWith(g))', true],
  ['user.groups.exists(g, g in user.attributes.teams)', true],
  ['user.attributes.teams.exists(t, t in user.groups)', true],
  ['user.groups[0] == "Finance"', true],
  ['user["groups"] == user.attributes.teams', true],
  ['"Fin" + user.attributes.region in user.groups', true],
  ['[user].exists(u, u.email in u.groups)', true],
  ['"Finance" in user.groups', false],
  ['user.groups.exists(g, g.startsWith("Fin") || g in ["IT", "HR"])', false],
  ['user.groups == ["Finance"] || user.groups == null', false],
  ['size(user.groups) == 0 && has(user.groups)', false],
  ['user.attributes.groups.exists(g, g == user.email)', false],
  ['user != null && "Finance" in user.groups && user["email"] != account.email', false],
])('%s uses any name: %s', (condition, expected) => {
  expect(usesAnyName(condition, 'user', 'groups')).toBe(expected);
});
