import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openTestApp } from '#test/app.ts';
import { runChild } from './child.ts';
import { candidates, strongestIsolation, works } from './isolate.ts';
import { activeIsolation, CONNECTORS, type Isolation, permissionOnly } from './isolation.ts';

/** The attempts of an attacker. Each entry is `done` if the attempt succeeded. */
const ATTACKS = `
  import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
  import { DatabaseSync } from 'node:sqlite';
  const attempt = (work) => { try { return work() ?? 'done'; } catch { return 'refused'; } };
  const [data, server] = JSON.parse(process.env.TARGETS);
  const results = {
    database: attempt(() => new DatabaseSync(data + '/stolen.db').exec('create table t (x)')),
    file: attempt(() => writeFileSync(data + '/stolen', '')),
    secret: attempt(() => readFileSync(data + '/secret.key') && 'done'),
    other: attempt(() => readdirSync(data + '/connectors/other') && 'done'),
    environment: attempt(() => readFileSync('/proc/' + server + '/environ') && 'done'),
    parent: attempt(() => { process.kill(process.ppid, 0); readFileSync('/proc/' + process.ppid + '/environ'); }),
    server: attempt(() => { process.kill(server, 0); }),
    processes: attempt(() => { readFileSync('/proc/' + server + '/cmdline'); }),
    own: attempt(() => { writeFileSync('own', ''); new DatabaseSync('own.db').exec('create table t (x)'); }),
  };
  console.log(JSON.stringify(results));`;
const ALL = ['database', 'file', 'secret', 'other', 'environment', 'parent', 'server', 'processes'];
const HELD = Object.fromEntries(ALL.map((name) => [name, 'refused']));

let data: string;
let available: Isolation[];

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'gatehouse-data-'));
  await writeFile(join(data, 'secret.key'), 'secret', { mode: 0o600 });
  await mkdir(join(data, 'connectors/other'), { recursive: true, mode: 0o700 });
  available = candidates(join(data, 'connectors'));
});
afterAll(() => rm(data, { recursive: true, force: true }));

/** A folder as that of an app. */
async function ownFolder() {
  const folder = await mkdtemp(join(data, 'connectors/own-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const MISSING = {
  bubblewrap: 'needs bubblewrap, and the right to create user namespaces',
  user: 'needs root',
};

async function find(level: 'user' | 'bubblewrap', skip: (condition: boolean, note: string) => void) {
  const isolation = available.find((one) => one.level === level);
  const isHere = isolation !== undefined && (await works(join(data, 'connectors'), isolation));
  skip(!isHere, MISSING[level]);
  return isolation as Isolation;
}

const targets = () => ({ TARGETS: JSON.stringify([data, process.pid]) });

async function run(isolation: Isolation, text: string) {
  const folder = await ownFolder();
  const program = join(folder, 'program.ts');
  await writeFile(program, text);
  return runChild(requestIn(folder, program, isolation));
}

const requestIn = (folder: string, program: string, isolation: Isolation) => ({
  program: relative(CONNECTORS, program),
  args: [],
  input: {},
  env: targets(),
  folder,
  memory: 300,
  limitMs: 120_000,
  signal: new AbortController().signal,
  secrets: [],
  isolation,
});

/** Runs a program that has escaped from Node's permission model and from guard.ts. */
async function escaped(isolation: Isolation): Promise<Record<string, string>> {
  const folder = await ownFolder();
  await writeFile(join(folder, 'program.mjs'), ATTACKS);
  const { wrapper, ids } = await isolation.prepare(folder);
  const [command = '', ...words] = [...wrapper, process.execPath, 'program.mjs'];
  const { stdout } = await promisify(execFile)(command, words, { ...ids, cwd: folder, env: targets() });
  return JSON.parse(stdout);
}

test("Node's permission model, with guard.ts, holds a hostile connector", async () => {
  const { output, log } = await run(permissionOnly, ATTACKS);

  expect(JSON.parse(output || log)).toEqual({ ...HELD, own: 'done' });
  // The case for the other levels: a program past both of them.
  expect(await escaped(permissionOnly)).toMatchObject({ database: 'done', secret: 'done', server: 'done' });
});

test('bubblewrap holds a connector that has escaped from Node.js, in namespaces without other processes', async ({
  skip,
}) => {
  const isolation = await find('bubblewrap', skip);

  expect(await escaped(isolation)).toEqual({ ...HELD, own: 'done' });
  expect(JSON.parse((await run(isolation, ATTACKS)).output ?? '')).toEqual({ ...HELD, own: 'done' });
});

test('a user of its own holds a connector that has escaped from Node.js, which sees that processes exist', async ({
  skip,
}) => {
  const isolation = await find('user', skip);

  expect(await escaped(isolation)).toEqual({ ...HELD, processes: 'done', own: 'done' });
  expect(JSON.parse((await run(isolation, ATTACKS)).output ?? '')).toEqual({ ...HELD, own: 'done' });
});

test('a connector in namespaces gets SIGTERM, and is told apart from one that exits', async ({ skip }) => {
  const isolation = await find('bubblewrap', skip);
  const stopping = new AbortController();
  const folder = await ownFolder();
  const program = join(folder, 'program.ts');
  await writeFile(
    program,
    `import { writeFileSync } from 'node:fs';
    process.on('SIGTERM', () => { console.log('abandoned'); process.exit(5); });
    setInterval(() => {}, 1000);
    writeFileSync('ready', '');`,
  );
  const running = runChild({ ...requestIn(folder, program, isolation), signal: stopping.signal });
  await expect.poll(() => existsSync(join(folder, 'ready')), { timeout: 60_000 }).toBe(true);

  stopping.abort();

  expect(await running).toMatchObject({ ending: 'stopped', code: 5, killedBy: null, output: 'abandoned\n' });
  expect(await run(isolation, 'process.kill(process.pid, "SIGKILL")')).toMatchObject({
    ending: 'exited',
    code: null,
    killedBy: 'SIGKILL',
  });
});

test('ends a connector in namespaces that needs too much memory, and one whose server was killed', async ({
  skip,
}) => {
  const isolation = await find('bubblewrap', skip);
  const leak = 'const all = []; setInterval(() => all.push(Buffer.alloc(5e7, 1)), 10);';

  expect(await run(isolation, leak)).toMatchObject({ ending: 'out_of_memory' });

  const { wrapper } = await isolation.prepare(await ownFolder());
  const text = `const { spawn } = require('node:child_process');
    const [command, ...words] = ${JSON.stringify([...wrapper, process.execPath, '-e', 'console.log(1); for (;;) {}'])};
    spawn(command, words, { detached: true, stdio: ['ignore', 'pipe', 'ignore'] }).stdout.once('data', () => {
      console.log('runs');
    });`;
  const server = spawn(process.execPath, ['-e', text], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(server.stdout, 'data');
  const connector = await lastChild(Number(server.pid));
  expect(connector).not.toBe(server.pid);

  server.kill('SIGKILL');

  await expect.poll(() => existsSync(`/proc/${connector}`), { timeout: 60_000 }).toBe(false);
});

async function lastChild(pid: number): Promise<number> {
  const [child] = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ');
  return child ? lastChild(Number(child)) : pid;
}

test('a user of its own may enter the folders of the server, whose owner has all other rights', async ({
  skip,
}) => {
  const isolation = await find('user', skip);
  await chmod(data, 0o700);
  const folder = await ownFolder();
  await writeFile(join(folder, 'definition.yml'), '', { mode: 0o600 });
  await symlink(join(data, 'secret.key'), join(folder, 'link'));

  const { ids } = await isolation.prepare(folder);
  const again = await isolation.prepare(folder);

  const ownerOf = async (path: string) => (await stat(path)).uid;
  expect(again.ids).toEqual(ids);
  expect(ids.uid).toBeGreaterThan(1_000_000_000);
  expect(await ownerOf(folder)).toBe(ids.uid);
  expect(await ownerOf(join(folder, 'definition.yml'))).toBe(ids.uid);
  expect(await ownerOf(join(data, 'secret.key'))).toBe(0);
  expect(((await stat(data)).mode & 0o777).toString(8)).toBe('701');
  expect((await (await find('user', skip)).prepare(await ownFolder())).ids.uid).not.toBe(ids.uid);
});

describe('the choice', () => {
  const withoutPrograms = () => {
    const { PATH } = process.env;
    onTestFinished(() => {
      process.env.PATH = PATH;
    });
    process.env.PATH = '';
  };

  test('is the strongest level that works', async () => {
    const { level } = await strongestIsolation(join(data, 'connectors'));
    const working: string[] = [];
    for (const isolation of [...available, permissionOnly])
      if (await works(join(data, 'connectors'), isolation)) working.push(isolation.level);

    expect(level).toBe(working[0]);
    withoutPrograms();
    expect((await strongestIsolation(join(data, 'connectors'))).level).not.toBe('bubblewrap');
  });

  test('is refused if it is weaker than the operator demands', async () => {
    withoutPrograms();

    await expect(strongestIsolation(join(data, 'connectors'), 'bubblewrap')).rejects.toThrow(
      /^GATEHOUSE_CONNECTOR_ISOLATION demands the level bubblewrap, but this machine offers (user|permission) only\. Install bubblewrap, /,
    );
  });

  test('is a metric', async () => {
    const service = await openTestApp({ connectors: { folder: data, runs: 0, allowPrivateAddresses: [] } });
    onTestFinished(() => service.close());

    const { payload } = await service.app.http.inject('/metrics');

    expect(payload).toContain(`gatehouse_connector_isolation{level="${activeIsolation().level}"} 1`);
  });
});
