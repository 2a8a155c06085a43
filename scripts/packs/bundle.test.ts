import { expect, test } from 'vitest';
import { isNeeded, peersAmong, placesOf } from './bundle.ts';

const needs = (...names: string[]) => ({
  dependencies: Object.fromEntries(names.map((name) => [name, '*'])),
});
const lock = {
  packages: {
    '': { version: '0.1.0' },
    'packages/server': needs('a', 'b', '@gatehouse/sdk'),
    'packages/server/node_modules/b': { version: '2.0.0', ...needs('c') },
    'packages/sdk': needs('c'),
    'node_modules/@gatehouse/sdk': { link: true, resolved: 'packages/sdk' },
    'node_modules/a': { version: '1.0.0', ...needs('b', 'c') },
    'node_modules/b': { version: '1.0.0', optionalDependencies: { native: '*' } },
    'node_modules/c': {
      version: '3.0.0',
      peerDependencies: { d: '*', e: '*' },
      peerDependenciesMeta: { e: { optional: true } },
    },
    'node_modules/d': { version: '4.0.0' },
    'node_modules/e': { version: '5.0.0' },
  },
};

test('a package goes to the top, and another version of it below the package that needs it', () => {
  expect(Object.fromEntries(placesOf(lock, ['packages/server']))).toEqual({
    'node_modules/a/': 'node_modules/a',
    'node_modules/b/': 'packages/server/node_modules/b',
    'node_modules/@gatehouse/sdk/': 'packages/sdk',
    'node_modules/a/node_modules/b/': 'node_modules/b',
    'node_modules/c/': 'node_modules/c',
    'node_modules/d/': 'node_modules/d',
  });
});

test('leaves out the packages that are compiled into the new one', () => {
  const places = placesOf(lock, ['packages/server', 'packages/sdk'], (name) =>
    name.startsWith('@gatehouse/'),
  );
  expect([...places.keys()]).not.toContain('node_modules/@gatehouse/sdk/');
  expect([...places.keys()]).toContain('node_modules/c/');
});

test('says which packages others expect beside them', () => {
  expect(peersAmong(lock, placesOf(lock, ['packages/server']))).toEqual({ d: '4.0.0' });
});

test('a package that the lock file does not have is an error that names it', () => {
  const packages = { 'packages/server': needs('gone') };
  expect(() => placesOf({ packages }, ['packages/server'])).toThrow(
    'has no gone, which packages/server needs',
  );
});

test('licenses stay, and what only authors of a package need goes', () => {
  const files = ['index.js', 'LICENSE.md', 'dist/NOTICE', 'data.json', 'lib/test/run.js', 'LICENSE'];
  expect(files.filter(isNeeded)).toEqual(files);
  const unused = [
    'README.md',
    'index.d.ts',
    'a.js.map',
    'test/run.js',
    'node_modules/x/index.js',
    'src/a.mts',
  ];
  expect(unused.filter(isNeeded)).toEqual([]);
});
