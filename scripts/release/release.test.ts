import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { licenseProblems, licenseTable } from './licenses.ts';
import { problemsOf } from './lock-file.ts';

const lockFile = (packages: object) => ({ packages: packages as Record<string, object> });

test('the lock file of the repository has no problems', async () => {
  const lock = await readFile(new URL('../../package-lock.json', import.meta.url), 'utf8');
  expect(problemsOf(JSON.parse(lock))).toEqual([]);
});

test('reports new and unused install scripts, and packages without a checksum', () => {
  const packages = {
    '': { hasInstallScript: true },
    'packages/server': {},
    'node_modules/@gatehouse/server': { link: true },
    'node_modules/known': { integrity: 'sha512-x', hasInstallScript: true },
    'node_modules/a/node_modules/@b/new': { integrity: 'sha512-x', hasInstallScript: true },
    'node_modules/from-git': {},
  };
  expect(problemsOf(lockFile(packages), { known: 'why', former: 'why' })).toEqual([
    expect.stringMatching(/^@b\/new runs a script when it is installed\./),
    expect.stringMatching(/^former has no install script any more\./),
    expect.stringMatching(/^from-git has no checksum/),
  ]);
});

const component = (name: string, license?: string) => ({
  name,
  version: '1.0.0',
  ...(license === undefined
    ? {}
    : { licenses: [license.includes(' ') ? { expression: license } : { license: { id: license } }] }),
});

test('reports packages whose license is missing or not allowed', () => {
  const components = [
    component('fine', 'MIT'),
    component('either', '(MIT OR GPL-3.0-only)'),
    component('both', '(Apache-2.0 AND BSD-3-Clause)'),
    component('copyleft', 'AGPL-3.0-only'),
    component('part', 'MIT AND GPL-2.0-only'),
    component('silent'),
  ];
  expect(licenseProblems({ components }).map((problem) => problem.split(' ')[0])).toEqual([
    'copyleft',
    'part',
    'silent',
  ]);
  expect(licenseTable({ components })).toContain('| both | 1.0.0 | (Apache-2.0 AND BSD-3-Clause) |');
});
