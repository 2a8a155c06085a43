import { expect, test } from 'vitest';
import { changelogProblems, chosen, tableOf, treeProblems } from './state.ts';

const tree = { status: [] as string[], branch: 'main', tags: [] as string[], version: '1.0.0' };

test('a release is made of a clean tree, on main, on a branch of the release or at the tag', () => {
  expect(treeProblems(tree)).toEqual([]);
  expect(treeProblems({ ...tree, branch: 'release/1.0' })).toEqual([]);
  expect(treeProblems({ ...tree, branch: '', tags: ['v1.0.0'] })).toEqual([]);
  expect(treeProblems({ ...tree, status: [' M README.md'] })).toEqual(['README.md is not committed.']);
  expect(treeProblems({ ...tree, branch: 'fix' })).toEqual([expect.stringContaining('neither main')]);
  expect(treeProblems({ ...tree, tags: ['v1.0.1'] })).toEqual(['The tag v1.0.1 is of another version.']);
});

test('the changelog begins with the version and its date', () => {
  expect(changelogProblems('# Changelog\n\n## 1.0.0 (2026-12-01)\n\n## 0.9.0', '1.0.0')).toEqual([]);
  for (const heading of [
    '1.0.0',
    '1.0.0 (unreleased)',
    '1.0.0 (2026-13-40)',
    '0.9.0 (2026-12-01)',
    'Unreleased',
  ])
    expect(changelogProblems(`## ${heading}\n\n## 1.0.0 (2026-12-01)`, '1.0.0'), heading).toEqual([
      `CHANGELOG.md begins with "${heading}" instead of "1.0.0 (year-month-day)".`,
    ]);
  expect(changelogProblems('', '1.0.0')).toHaveLength(1);
});

test('prints a line for each check, and what was skipped', () => {
  const outcomes = [
    { name: 'tree', problems: [], seconds: 0.2 },
    { name: 'version', problems: ['no'], seconds: 1.6 },
    { name: 'suite', problems: undefined, seconds: 0 },
  ];
  expect(tableOf(outcomes)).toEqual([
    'tree        ok            0 s',
    'version     FAILED        2 s',
    'suite       skipped       0 s',
    '',
    '1 of 3 checks failed.',
    '1 of 3 checks were skipped. A release skips none.',
  ]);
  expect(tableOf(outcomes.slice(0, 1)).at(-1)).toBe('No check failed.');
});

test('runs what the arguments say', () => {
  const names = ['tree', 'version', 'suite'];
  expect([...chosen(names, [])]).toEqual(names);
  expect([...chosen(names, ['--skip', 'suite', '--skip', 'tree'])]).toEqual(['version']);
  expect([...chosen(names, ['--only', 'tree', '--only', 'suite'])]).toEqual(['tree', 'suite']);
  for (const wrong of [['--only'], ['--only', 'sweet'], ['tree'], ['--skip', 'tree', '--only']])
    expect(() => chosen(names, wrong), wrong.join(' ')).toThrow('Usage');
});
