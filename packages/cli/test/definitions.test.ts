import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { startScriptedService } from '@gatehouse/connector/conformance';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runGatehouse } from './gatehouse.ts';

const root = resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-definitions-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const gatehouse = (args: string[], env: Record<string, string> = {}) => runGatehouse(folder, args, { env });

const write = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return name;
};
const broken = `app_name: Broken
connect: { dsn: 'sqlite:x.db' }
resource_types:
  person:
    name: People
    list: { query: SELECT 1, map: { id: .id + nothing } }
`;

describe('connector check', () => {
  test('accepts every shipped definition', async () => {
    const shipped = ['rest/definitions', 'sql/examples'].flatMap((each) =>
      readdirSync(join(root, 'connectors', each)).map((name) => join(root, 'connectors', each, name)),
    );
    const { code, stdout, stderr } = await gatehouse(['connector', 'check', ...shipped]);
    expect(code, stderr).toBe(0);
    expect(stdout.trim().split('\n')).toHaveLength(shipped.length);
    expect(stdout).toContain(
      'rabbitmq.yml is valid: accounts user; groups tag, vhost; actions create, update, delete, resetPassword',
    );
    for (const file of shipped)
      expect(readFileSync(file, 'utf8')).toMatch(
        /^# yaml-language-server: \$schema=\.\.\/definition\.schema\.json\n/,
      );
  });

  test.each([
    ['an expression', broken, '6:47: the variable nothing does not exist'],
    [
      'a missing key',
      'app_name: A\nresource_types:\n  x: {}\n',
      '3:6: resource_types.x lacks "name", "list"',
    ],
    ['syntax', 'base_url: [', '1:12: '],
    ['REST', 'base_url: https://x\nname: 1\naccounts: {}\n', '2:7: name must be string'],
    ['another format', 'hello: world\n', '1:1: the file has neither "resource_types"'],
  ])('names line and column of a mistake in %s', async (_, content, message) => {
    const file = write('mistake.yml', content);
    const { code, stdout, stderr } = await gatehouse(['connector', 'check', file]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`mistake.yml:${message}`);
  });

  test('warns of ids that look like names', async () => {
    const definition = (id: string) =>
      `name: app\nbase_url: https://x\naccounts:\n  user:\n    name: Users\n    list: { get: /users }\n    record: { id: ${id}, username: item.login }\n`;
    const files = [write('slug.yml', definition('item.slug')), write('id.yml', definition('item.id'))];
    const { code, stdout, stderr } = await gatehouse(['connector', 'check', ...files]);
    expect({ code, lines: stdout.trim().split('\n').length }).toEqual({ code: 0, lines: 2 });
    expect(stderr).toMatch(/^warning: slug.yml:7:19: the id item.slug looks like a name/);
    expect(stderr).not.toContain('id.yml');
    const { stdout: json } = await gatehouse(['connector', 'check', 'slug.yml', '--json']);
    expect(JSON.parse(json)).toMatchObject({
      mistakes: [],
      warnings: [{ line: 7, column: 19, message: expect.stringContaining('looks like a name') }],
    });
  });

  test('prints JSON for each file, and a file that does not exist is a mistake', async () => {
    const files = [write('a.yml', broken), 'none.yml', join(root, 'connectors/sql/examples/members.yml')];
    const { code, stdout } = await gatehouse(['connector', 'check', ...files, '--json']);
    expect(code).toBe(2);
    const [first, second, third] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const message = 'the variable nothing does not exist, in: .id + nothing';
    expect(first.mistakes).toEqual([{ line: 6, column: 47, message }]);
    expect(second.mistakes).toEqual([
      { line: null, column: null, message: expect.stringContaining('none.yml cannot be read') },
    ]);
    expect(third).toMatchObject({
      kind: 'sql',
      mistakes: [],
      types: { accounts: ['member'], groups: ['team'], licenses: [] },
      settings: expect.arrayContaining([{ name: 'DB_PASSWORD', secret: true, required: true }]),
    });
  });
});

describe('with a database', () => {
  const database = join(folder, 'app.db');
  const definition = 'app.yml';
  beforeAll(async () => {
    const db = new DatabaseSync(database);
    db.exec(`
      create table users (id integer primary key, login text, email text, disabled integer);
      create table teams (id integer primary key, name text);
      create table team_members (team_id integer, user_id integer);
      insert into teams values (1, 'Red'), (2, 'Blue');`);
    for (let id = 1; id <= 30; id++)
      db.exec(
        `insert into users values (${id}, 'p${id}', 'p${id}@acme.example', 0); insert into team_members values (${1 + (id % 2)}, ${id})`,
      );
    db.close();
    const { code, stderr } = await gatehouse(['init', '.', '--name', 'app', '--engine', 'sqlite']);
    expect(code, stderr).toBe(0);
  });

  test('try lists the first records of each type', async () => {
    const { code, stdout, stderr } = await gatehouse(
      ['connector', 'try', definition, '--set', `DB_FILE=${database}`, '--limit', '2'],
      {},
    );
    expect(code, stderr).toBe(0);
    expect(stdout).toBe(
      [
        'Teams (team): 2',
        '1  Red',
        '2  Blue',
        '',
        'Users (user): 2',
        '1  p1  p1@acme.example  active  team: 2',
        '2  p2  p2@acme.example  active  team: 1',
        '',
        '',
      ].join('\n'),
    );
    expect(stderr).toBe('Only the first 2 records of user are listed. --limit lists more.\n');
  });

  test('try prints JSON lines of one type, with settings from the environment', async () => {
    const args = ['connector', 'try', definition, '--type', 'team', '--json'];
    const { code, stdout } = await gatehouse(args, { SQL_DB_FILE: database });
    expect(code).toBe(0);
    const [first = ''] = stdout.split('\n');
    expect(JSON.parse(first)).toMatchObject({ type: 'team', id: '1', name: 'Red' });
  });

  test.each([
    [['--limit', '0'], {}, '--limit takes a number from 1 to 10000', 2],
    [[], {}, 'set SQL_DB_FILE', 2],
    [[], { SQL_DB_FILE: '/nowhere.db' }, 'the SQLite file /nowhere.db does not exist', 2],
    [['--type', 'nobody'], { SQL_DB_FILE: database }, 'unknown resource type "nobody"', 2],
  ])('try %j explains a mistake', async (flags, env, message, exit) => {
    const { code, stdout, stderr } = await gatehouse(['connector', 'try', definition, ...flags], env);
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
    expect(stderr).toContain(message);
  });

  test('sync and conformance take the file, too', { tags: ['long'], timeout: 240_000 }, async () => {
    const service = await startScriptedService();
    const app = service.world.createApp('App').id;
    const env = {
      SQL_DB_FILE: database,
      GATEHOUSE_URL: service.url,
      GATEHOUSE_API_KEY: service.key,
      GATEHOUSE_APP: app,
    };
    const synced = await gatehouse(['sync', definition], env);
    await service.close();
    expect(synced.code, synced.stderr).toBe(0);
    expect(service.world.inventory(app).user).toHaveLength(30);
    const only = ['--only', 'static', 'protocol.clean-run', 'protocol.sigkill', 'read.stable'];
    const checked = await gatehouse(['conformance', definition, ...only, '--json'], env);
    expect(checked.code, checked.stdout).toBe(0);
  });
});

test('conformance checks a definition with a fixture, and changes accounts there', async () => {
  const rest = join(root, 'connectors/rest');
  const args = [
    '--fixture',
    join(rest, 'test/conformance.ts'),
    '--write',
    '--json',
    '--only',
    'read.stable',
    'write.create',
  ];
  const { code, stdout } = await gatehouse(['conformance', join(rest, 'test/conformance.yml'), ...args]);
  expect(code, stdout).toBe(0);
  const outcomes = JSON.parse(stdout).map(({ outcome }: { outcome: string }) => outcome);
  expect(new Set(outcomes)).toEqual(new Set(['passed']));
});

describe('init', () => {
  test('writes a valid definition of each type and engine, with and without actions', async () => {
    const choices = [
      ['--type', 'rest'],
      ...['postgres', 'mysql', 'sqlite', 'sqlserver', 'oracle'].map((engine) => ['--engine', engine]),
    ];
    const made = async (name: string, ...flags: string[]) => {
      const { code, stdout, stderr } = await gatehouse(['init', name, ...flags]);
      expect(code, stderr).toBe(0);
      expect(stdout).toContain(`gatehouse connector check ${name}.yml`);
      const files = ['README.md', 'definition.schema.json', `${name}.yml`];
      expect(readdirSync(join(folder, name)).sort()).toEqual(files);
      return join(name, `${name}.yml`);
    };
    const files: string[] = [];
    for (const choice of choices)
      files.push(
        await made(`x${choice[1]}`, ...choice),
        await made(`x${choice[1]}tasks`, ...choice, '--tasks'),
      );

    const checked = await gatehouse(['connector', 'check', ...files]);

    expect(checked.code, checked.stderr).toBe(0);
    const lines = checked.stdout.trim().split('\n');
    expect(lines.map((line) => line.includes('actions'))).toEqual(choices.flatMap(() => [false, true]));
  });

  test('rejects an engine for another type', async () => {
    expect(await gatehouse(['init', 'y', '--type', 'rest', '--engine', 'mysql'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--engine is for --type sql'),
    });
  });
});

test('the documented command of a checkout uses the pinned Node.js, whichever one the system has', async () => {
  const guide = readFileSync(join(root, 'docs/guides/connect-your-app.md'), 'utf8');
  const [definition = ''] = /^gatehouse\(\) \{.*\}$/m.exec(guide) ?? [];
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((each) => !each.includes('node_modules'))
    .join(delimiter);
  write('pinned.mjs', 'export const connector = { connect() {} };\nconsole.log(process.version);\n');
  const command = `checkout=${root}; ${definition}; gatehouse describe ${join(folder, 'pinned.mjs')}`;
  const run = promisify(execFile)('sh', ['-c', command], {
    env: { HOME: folder, PATH: path },
  });
  const { stdout } = await run.catch((error) => error);
  expect(stdout).toContain(process.version);
});
