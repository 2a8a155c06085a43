import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { VERSION } from '@gatehouse/connector';
import { type ScriptedService, startScriptedService } from '@gatehouse/connector/conformance';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runGatehouse } from '../test/gatehouse.ts';

const csv = resolve(fileURLToPath(import.meta.url), '../../../../connectors/csv/connector.ts');
let service: ScriptedService;
let folder: string;

beforeAll(async () => {
  service = await startScriptedService();
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-cli-'));
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

const gatehouse = (args: string[], options?: { env?: Record<string, string>; stdin?: string }) =>
  runGatehouse(folder, args, options);

const connection = () => ({ GATEHOUSE_URL: service.url, GATEHOUSE_API_KEY: service.key });

/** Creates an app and a file with this many accounts. */
async function place(accounts: number) {
  const { stdout } = await gatehouse(['apps', 'create', 'People'], { env: connection() });
  const app = stdout.trim();
  const file = join(folder, `${app}.csv`);
  const write = (count: number) => {
    const rows = Array.from({ length: count }, (_, n) => `a${n},person${n}@acme.example,red;blue`);
    writeFileSync(file, ['id,email,groups', ...rows, ''].join('\n'));
  };
  write(accounts);
  const env = { ...connection(), GATEHOUSE_APP: app, CSV_ACCOUNTS: file };
  return { app, env, write, file };
}

describe('sync', () => {
  test('writes data to standard output and everything else to standard error', async () => {
    const { app, env } = await place(120);
    const { stdout, stderr, code } = await gatehouse(['sync', csv, '--json'], { env });
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'completed', pushed: { account: 120 } });
    expect(stderr).toContain('Accounts: 120');
    expect(service.world.inventory(app).account).toHaveLength(120);
  });

  test('exits with 5 and advice if the guard stops it', async () => {
    const { app, env, write } = await place(120);
    await gatehouse(['sync', csv], { env });
    write(10);
    const { stderr, code } = await gatehouse(['sync', csv], { env });
    expect(code).toBe(5);
    expect(stderr).toMatch(/110 of 120 accounts.*--guard off/);
    expect(service.world.inventory(app).account).toHaveLength(120);
    expect((await gatehouse(['sync', csv, '--guard', 'off'], { env })).code).toBe(0);
    expect(service.world.inventory(app).account).toHaveLength(10);
  });

  test('prefers a flag over the environment, and the environment over a file', async () => {
    const { env, file } = await place(3);
    writeFileSync(join(folder, 'settings.json'), JSON.stringify({ accounts: '/nowhere', separator: '|' }));
    const list = (args: string[]) => gatehouse(['list', csv, '--config', 'settings.json', ...args], { env });
    expect((await list([])).stdout).toContain('"id":"red;blue"');
    expect((await list(['--set', 'separator=;'])).stdout).toContain('"id":"blue"');
    expect((await list(['--set', `accounts=${file}.not`])).code).toBe(1);
  });

  test.each([
    ['no service is set', [], { GATEHOUSE_API_KEY: 'x' }, 2, 'no service address'],
    ['no key is set', [], { GATEHOUSE_URL: 'http://127.0.0.1:9/org/a' }, 2, 'no API key'],
    ['a flag is unknown', ['--nonsense'], {}, 2, 'unknown option'],
    ['a setting is missing', [], { CSV_ACCOUNTS: '' }, 2, 'set CSV_ACCOUNTS'],
  ])('exits with 2 if %s', async (_, args, env, code, message) => {
    const result = await gatehouse(['sync', csv, ...args], { env: { CSV_ACCOUNTS: '/dev/null', ...env } });
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toContain(message);
  });

  test('exits with 4 if the key is rejected, without showing it', async () => {
    const { env } = await place(1);
    const key = 'gh_a-key-that-is-not-the-one';
    const { code, stderr } = await gatehouse(['sync', csv], { env: { ...env, GATEHOUSE_API_KEY: key } });
    expect(code).toBe(4);
    expect(stderr).not.toContain(key);
  });
});

describe('login', () => {
  test('saves the key for later commands in a file for its owner only; --forget deletes it', async () => {
    const login = await gatehouse(['login', service.url, '--no-keyring'], { stdin: `${service.key}\n` });
    expect(login.code, login.stderr).toBe(0);
    const file = join(folder, 'gatehouse', 'login.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await gatehouse(['apps', 'list'])).code).toBe(0);
    const elsewhere = await gatehouse(['apps', 'list'], {
      env: { GATEHOUSE_URL: 'http://127.0.0.1:9/org/other' },
    });
    expect(elsewhere).toMatchObject({ code: 2, stderr: expect.stringContaining('no API key') });
    await gatehouse(['login', '--forget']);
    expect(existsSync(file)).toBe(false);
  });

  test('does not save an invalid key', async () => {
    const { code } = await gatehouse(['login', service.url, '--no-keyring'], { stdin: 'gh_wrong' });
    expect(code).toBe(4);
    expect(existsSync(join(folder, 'gatehouse', 'login.json'))).toBe(false);
  });
});

test('prints its version', async () => {
  expect(await gatehouse(['--version'])).toMatchObject({ stdout: `${VERSION}\n`, code: 0 });
});

test('push sends the given records and removes nothing', async () => {
  const { app, env } = await place(5);
  await gatehouse(['sync', csv], { env });
  const stdin = '{"type":"account","id":"extra","email":"extra@acme.example"}\n';
  expect(await gatehouse(['push', csv], { env, stdin })).toMatchObject({
    code: 0,
    stdout: 'pushed 1 account\n',
  });
  expect(service.world.inventory(app).account).toHaveLength(6);
  const wrong = await gatehouse(['push', csv], { env, stdin: '{"type":"account","id":"nameless"}\n' });
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('email or username is required') });
});

test('accounts lists the accounts of an app', async () => {
  const { app, env } = await place(3);
  await gatehouse(['sync', csv], { env });
  const { stdout } = await gatehouse(['accounts', '--app', app, '--status', 'ACTIVE', '--json'], { env });
  const emails = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).email);
  expect(emails).toEqual(['person0@acme.example', 'person1@acme.example', 'person2@acme.example']);
});

test('doctor names the problem, and passes without one', async () => {
  const { env } = await place(1);
  const well = await gatehouse(['doctor', csv], { env });
  expect(well.code, well.stdout).toBe(0);
  const ill = await gatehouse(['doctor', csv, '--json'], {
    env: { ...env, CSV_ACCOUNTS: '/nowhere/at/all' },
  });
  expect(ill.code).toBe(1);
  const failing = JSON.parse(ill.stdout).filter(({ ok }: { ok: boolean }) => !ok);
  expect(failing).toEqual([
    expect.objectContaining({ what: 'connector', detail: expect.stringContaining('/nowhere/at/all') }),
  ]);
});

test('conformance exits with 6 if a requirement is not met', async () => {
  const { env } = await place(3);
  const passed = await gatehouse(['conformance', csv, '--only', 'static', 'read.stable', '--json'], { env });
  expect(passed.code, passed.stdout).toBe(0);
  const failed = await gatehouse(['conformance', csv, '--only', 'read.pages', '--junit'], { env });
  expect(failed.code).toBe(6);
  expect(failed.stdout).toContain('<failure message="the largest list has 3 records');
});

test('init writes a connector and never overwrites one', async () => {
  const { code, stdout } = await gatehouse(['init', 'my-app', '--tasks']);
  expect(code).toBe(0);
  expect(stdout).toContain('node connector.ts list');
  const files = ['.gitignore', 'README.md', 'connector.test.ts', 'connector.ts', 'package.json'];
  expect(readdirSync(join(folder, 'my-app')).sort()).toEqual(files);
  expect(readFileSync(join(folder, 'my-app', 'connector.ts'), 'utf8')).toContain("name: 'my-app'");
  expect(await gatehouse(['init', 'my-app'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('nothing was written'),
  });
});

test('bash completes commands and flags', async () => {
  const { stdout } = await gatehouse(['completion', 'bash']);
  const complete = (...words: string[]) => {
    const script = `${stdout}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _gatehouse; echo "\${COMPREPLY[@]}"`;
    return new Promise<string>((done) => {
      const child = spawn('bash', ['-c', script]);
      text(child.stdout).then((out) => done(out.trim()));
    });
  };
  expect(await complete('gatehouse', 'conf')).toBe('conformance');
  expect(await complete('gatehouse', 'connector', 'ch')).toBe('check');
  expect(await complete('gatehouse', 'connector', 'try', '--li')).toBe('--limit');
  expect(await complete('gatehouse', 'sync', './x.ts', '--dr')).toBe('--dry-run');
  expect(await complete('gatehouse', 'events', 'ta')).toBe('tail');
  expect(await complete('gatehouse', 'events', 'tail', '--cur')).toBe('--cursor-file');
});

test.each(['zsh', 'fish'])('%s completion names every command', async (shell) => {
  const { stdout, code } = await gatehouse(['completion', shell]);
  expect(code).toBe(0);
  for (const command of ['login', 'init', 'sync', 'watch', 'tail', 'conformance', 'doctor'])
    expect(stdout).toContain(command);
});
