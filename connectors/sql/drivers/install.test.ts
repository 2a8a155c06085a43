import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installCommand } from './install.ts';

const ROOT = join(import.meta.dirname, '../../..');
const DRIVERS = [
  { engine: 'sqlserver', name: 'mssql', folder: 'sqlserver' },
  { engine: 'oracle', name: 'oracledb', folder: 'oracle' },
] as const;

/** A checkout without the two packages: the connector is a copy, and its packages are links. */
const checkout = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-drivers-')));
beforeAll(() => {
  const link = (path: string) => symlinkSync(join(ROOT, path), join(checkout, path));
  mkdirSync(join(checkout, 'node_modules'));
  const missing: readonly string[] = DRIVERS.map(({ name }) => name);
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (!missing.includes(name)) link(`node_modules/${name}`);
  cpSync(join(ROOT, 'connectors/sql'), join(checkout, 'connectors/sql'), {
    recursive: true,
    filter: (path) => !path.endsWith('/node_modules'),
  });
});
afterAll(() => rmSync(checkout, { recursive: true, force: true }));

describe.each(DRIVERS)('without $name', ({ engine, name, folder }) => {
  const sentence = `The package ${name} is not installed. In the folder of Gatehouse, run: npm ci --prefix connectors/sql/drivers/${folder}`;
  const definition = () => {
    const file = join(checkout, `${engine}.yml`);
    writeFileSync(
      file,
      `app_name: App
connect: { dsn: "${engine}://user:\${DB_PASSWORD}@127.0.0.1:1/app" }
resource_types:
  person: { name: People, list: { query: SELECT * FROM users, map: { id: .id, display_name: .name, traits: { user: { login: .name } } } } }
`,
    );
    return file;
  };
  const run = (options: string[], command: string) =>
    new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      const env = {
        ...process.env,
        SQL_DEFINITION: definition(),
        SQL_DB_PASSWORD: 'x',
        NODE_NO_WARNINGS: '1',
      };
      const program = join(checkout, 'connectors/sql/connector.ts');
      execFile(process.execPath, [...options, program, command], { env }, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, stdout, stderr }),
      );
    });

  test('a connector ends with the command that installs it', async () => {
    expect(await run([], 'list')).toMatchObject({ code: 2, stderr: `error: ${sentence}\n` });
  });

  test('so does a connector that may read its code only, as on the server', async () => {
    const readable = [
      checkout,
      ...['node_modules', 'packages/connector', 'packages/protocol'].map((name) => join(ROOT, name)),
    ];
    const options = ['--permission', '--allow-net', ...readable.map((path) => `--allow-fs-read=${path}`)];
    expect(await run(options, 'list')).toMatchObject({ code: 2, stderr: `error: ${sentence}\n` });
  });

  test('the command installs the version that the tests use', () => {
    const read = (path: string) => JSON.parse(readFileSync(join(ROOT, 'connectors/sql', path), 'utf8'));
    const { devDependencies, peerDependencies } = read('package.json');
    expect(read(`drivers/${folder}/package.json`).dependencies).toEqual({ [name]: devDependencies[name] });
    expect(peerDependencies[name]).toBe(devDependencies[name]);
    const locked = read(`drivers/${folder}/package-lock.json`).packages[`node_modules/${name}`];
    expect(locked.version).toBe(devDependencies[name]);
    expect(locked.resolved).toBeUndefined();
  });
});

test('names the folder of the driver in the installed server', () => {
  const here = join(checkout, 'lib/node_modules/@gatehouse/server/connectors/sql/drivers');
  cpSync(
    join(ROOT, 'connectors/sql/drivers/oracle/package-lock.json'),
    join(here, 'oracle/package-lock.json'),
  );
  expect(installCommand('oracledb', here)).toBe(`Run: npm ci --prefix ${join(here, 'oracle')}`);
});

test('names the place where the command line was installed from npm', () => {
  const project = join(checkout, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{}');
  const { peerDependencies } = JSON.parse(readFileSync(join(ROOT, 'connectors/sql/package.json'), 'utf8'));
  const inside = 'node_modules/@gatehouse/connector-sql/drivers';
  expect(installCommand('mssql', join(project, inside))).toBe(
    `Run: npm install --prefix ${project} mssql@${peerDependencies.mssql}`,
  );
  expect(installCommand('oracledb', join(checkout, 'lib/node_modules/gatehouse-cli', inside))).toBe(
    `Run: npm install --global oracledb@${peerDependencies.oracledb}`,
  );
});
