import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { VERSION } from '../../packages/protocol/src/version.ts';
import { withVersion, withVersionAt, withVersionInLock } from './version.ts';

test('a manifest gets the version, and exactly this version of the own packages', () => {
  const manifest = {
    name: 'gatehouse-cli',
    version: '1.0.0',
    dependencies: { '@gatehouse/connector': '^1.0.0', yaml: '2.9.1' },
  };
  expect(withVersion(manifest, '1.1.0')).toEqual({
    name: 'gatehouse-cli',
    version: '1.1.0',
    dependencies: { '@gatehouse/connector': '1.1.0', yaml: '2.9.1' },
  });
});

test('a lock file gets the version in the own packages only', () => {
  const packages = {
    '': { version: '1.0.0' },
    'packages/cli': { version: '1.0.0', dependencies: { '@gatehouse/connector': '1.0.0' } },
    'packages/cli/node_modules/yaml': { version: '1.0.0' },
  };
  expect(withVersionInLock({ version: '1.0.0', packages }, '1.1.0')).toEqual({
    version: '1.1.0',
    packages: {
      '': { version: '1.1.0' },
      'packages/cli': { version: '1.1.0', dependencies: { '@gatehouse/connector': '1.1.0' } },
      'packages/cli/node_modules/yaml': { version: '1.0.0' },
    },
  });
});

test('a text gets the version at its place, and must have this place', () => {
  expect(withVersionAt("VERSION = '1.0.0';", /(VERSION = ')[^']*(')/, '1.1.0')).toBe("VERSION = '1.1.0';");
  expect(() => withVersionAt('none', /(VERSION = ')[^']*(')/, '1.1.0')).toThrow('does not match');
});

test('every file of the repository has the version of package.json', () => {
  const script = fileURLToPath(new URL('../version.ts', import.meta.url));
  expect(execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8' })).toBe('');
});

test('each connector has the version of the release', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(VERSION).toBe(version);
  for (const name of ['csv', 'ldap', 'linux', 'postgres', 'scim']) {
    const { connector } = await import(`../../connectors/${name}/connector.ts`);
    expect(connector.version, name).toBe(version);
  }
  const types: { version: string }[] = JSON.parse(
    readFileSync(new URL('../../connectors/types.json', import.meta.url), 'utf8'),
  );
  expect(new Set(types.map((type) => type.version))).toEqual(new Set([version]));
});
