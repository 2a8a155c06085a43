// @module-tag long
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { startScriptedService } from '@gatehouse/connector/conformance';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

// Each test starts many processes.
vi.setConfig({ testTimeout: 180_000 });

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-packed-'));
const project = join(folder, 'project');
const mine = join(project, 'mine');
const platform = `node-${process.platform}-${process.arch}`;
/** Other releases of Node.js, from the npm packages of their binaries. */
const releases = { 22: '22.23.3', 24: '24.21.0' };

beforeAll(async () => {
  const build = async (path: string) => {
    const dist = join(folder, basename(path));
    await run(process.execPath, [join(root, 'packages/connector/scripts/build.ts'), join(root, path), dist]);
    return dist;
  };
  const built = await Promise.all(
    ['packages/connector', 'packages/cli', 'connectors/rest', 'connectors/sql'].map(build),
  );
  await run('npm', ['pack', ...built, '--silent'], { cwd: folder });
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}');
  const packed = readdirSync(folder)
    .filter((file) => file.endsWith('.tgz'))
    .map((file) => `../${file}`);
  const nodes = Object.entries(releases).map(([major, version]) => `node${major}@npm:${platform}@${version}`);
  const types = ['typescript@7.0.2', '@types/node@26.6.6'];
  const quick = ['--no-audit', '--no-fund', '--prefer-offline'];
  await run('npm', ['install', ...quick, ...packed, ...nodes, ...types], { cwd: project });
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const gatehouse = join(project, 'node_modules/gatehouse-cli/main.js');
const binaries: [string, string][] = [
  ...Object.keys(releases).map((major): [string, string] => [
    major,
    join(project, `node_modules/node${major}/bin/node`),
  ]),
  [process.versions.node.split('.')[0] ?? '', process.execPath],
];

describe.each(binaries)('installed into an empty project, under Node %s', (major, node) => {
  test('init writes a connector that lists, syncs and type-checks', async () => {
    rmSync(mine, { recursive: true, force: true });
    const { stdout: version } = await run(node, ['--version']);
    expect(version).toMatch(new RegExp(`^v${major}\\.`));
    await run(node, [gatehouse, 'init', 'mine'], { cwd: project });

    const { stdout, stderr } = await run(node, ['connector.ts', 'list'], { cwd: mine });
    expect(stdout.trim().split('\n')).toHaveLength(4);
    expect(stderr.replace(/^.*(Type Stripping is an experimental|node --trace-warnings).*\n/gm, '')).toBe('');

    const service = await startScriptedService();
    const app = service.world.createApp('mine').id;
    const env = {
      PATH: process.env.PATH,
      GATEHOUSE_URL: service.url,
      GATEHOUSE_API_KEY: service.key,
      GATEHOUSE_APP: app,
      HOME: join(folder, `home-${major}`),
    };
    const synced = await run(node, [gatehouse, 'sync', './mine', '--json'], { cwd: project, env });
    await service.close();
    expect(JSON.parse(synced.stdout)).toMatchObject({ outcome: 'completed', pushed: { team: 2, person: 2 } });
    await run(node, ['--test', 'connector.test.ts'], { cwd: mine });
  });

  test('definitions are checked, tried and synced', async () => {
    const installed = join(project, 'node_modules/@gatehouse');
    const definitions = join(installed, 'connector-rest/definitions');
    const shipped = readdirSync(definitions).map((name) => join(definitions, name));
    const checked = await run(node, [gatehouse, 'connector', 'check', ...shipped], { cwd: project });
    expect(checked.stdout.match(/is valid/g)).toHaveLength(shipped.length);
    const made = join(project, `made-${major}`);
    await run(node, [gatehouse, 'init', made, '--name', 'app', '--engine', 'sqlite', '--tasks']);
    const database = new DatabaseSync(join(made, 'app.db'));
    database.exec(`
      create table users (id integer primary key, login text, email text, disabled integer);
      create table teams (id integer primary key, name text);
      create table team_members (team_id integer, user_id integer);
      insert into users values (1, 'ada', 'ada@acme.example', 0), (2, 'bob', 'bob@acme.example', 1);
      insert into teams values (1, 'Red');
      insert into team_members values (1, 1)`);
    database.close();
    const service = await startScriptedService();
    const app = service.world.createApp('app').id;
    const env = {
      PATH: process.env.PATH,
      SQL_DB_FILE: join(made, 'app.db'),
      GATEHOUSE_URL: service.url,
      GATEHOUSE_API_KEY: service.key,
      GATEHOUSE_APP: app,
      HOME: join(folder, `home-${major}`),
    };
    const file = join(made, 'app.yml');
    const gate = (...args: string[]) => run(node, [gatehouse, ...args], { cwd: project, env });
    const tried = await gate('connector', 'try', file);
    expect(tried.stdout).toMatch(/^1 {2}ada {2}ada@acme.example {2}active +team: 1$/m);
    expect((await gate('check', file)).stdout).toContain('sql is reachable');
    expect((await gate('sync', file, '--help')).stdout).toContain('--guard');
    const { stdout, stderr } = await gate('sync', file, '--json');
    await service.close();
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'completed', pushed: { team: 1, user: 2 } });
    expect(stderr).not.toContain('ExperimentalWarning');
    const program = join(installed, 'connector-sql/connector.js');
    const listed = await run(node, [program, 'list'], { env: { ...env, SQL_DEFINITION: file } });
    expect(listed.stdout.trim().split('\n')).toHaveLength(3);
  });

  test('the types are included', async () => {
    const use = `
      import { defineConnector, secret, TaskError } from '@gatehouse/connector';
      import { runConformance } from '@gatehouse/connector/conformance';
      defineConnector({
        name: 'typed', version: '1.0.0', config: { token: secret('token') },
        connect: ({ token }) => ({ length: token.length }),
        groups: { team: { name: 'Teams', list: () => [] } },
        accounts: {
          person: {
            name: 'People',
            *list(system) {
              yield { id: String(system.length), username: 'x', memberships: { team: [{ id: '1' }] } };
            },
          },
        },
        // @ts-expect-error: a code that the protocol does not have
        mapError: () => new TaskError('GONE', 'x'),
      });
      defineConnector({
        name: 'wrong', version: '1.0.0', config: {}, connect: () => null,
        groups: { team: { name: 'Teams', list: () => [] } },
        accounts: {
          person: {
            name: 'People',
            // @ts-expect-error: a slug that is not one of the groups
            *list() {
              yield { id: '2', username: 'y', memberships: { tea: [{ id: '1' }] } };
            },
          },
        },
      });
      export const use = runConformance;`;
    writeFileSync(join(project, 'use.ts'), use);
    const options = { module: 'nodenext', target: 'es2023', strict: true, noEmit: true, types: ['node'] };
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, files: ['use.ts'] }),
    );
    const checked = await run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.'], {
      cwd: project,
    }).catch((error) => error);
    expect(checked.stdout).toBe('');
  });
});
