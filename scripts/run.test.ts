import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

/** Records its arguments, and installs one package for a lean installation and another for a full one. */
const NPM = `#!/bin/sh
echo "$@" >> calls
if [ "$1" = ci ]; then rm -rf node_modules; fi
mkdir -p node_modules/node-here/bin node_modules/server node_modules/a
mkdir -p node_modules/server/test node_modules/@ours packages/ours/test
ln -sf ../../packages/ours node_modules/@ours/ours
ln -sf ../packages/ours node_modules/ours
touch packages/ours/test/ours.ts
touch node_modules/server/package.json node_modules/server/index.js node_modules/server/index.js.map
ln -sf "$RUNTIME" node_modules/node-here/bin/node
until [ ! -e hold ]; do sleep 0.05; done
case "$*" in *--omit=dev*) ;; *) mkdir -p node_modules/vitest ;; esac
[ ! -e fail ]
`;
const LEAN = 'ci --omit=dev';
const FULL = 'ci --include=dev';
const ADD = 'install --no-save --include=dev';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-run-'));
  mkdirSync(join(folder, 'scripts'));
  copyFileSync(join(import.meta.dirname, 'run'), join(folder, 'scripts/run'));
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/npm'), NPM);
  chmodSync(join(folder, 'bin/npm'), 0o755);
  lock('first');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = (name: string) => join(folder, name);
const lock = (content: string) => writeFileSync(path('package-lock.json'), content);
const has = (name: string) => existsSync(path(`node_modules/${name}`));
/** The calls of npm so far, without the options that are always the same. */
const calls = () =>
  existsSync(path('calls'))
    ? readFileSync(path('calls'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.replace(/ --no-audit.*/, ''))
    : [];

const environment = () => ({ PATH: `${path('bin')}:${process.env.PATH}`, RUNTIME: process.execPath });
const start = (...args: string[]) =>
  spawn('sh', [path('scripts/run'), ...args], { env: environment(), stdio: 'ignore' });
const ended = async (child: ChildProcess) => (await once(child, 'exit'))[0] as number | null;
const run = (...args: string[]) => ended(start(...args));
const lean = () => run('--lean', '-e', '0');
const full = () => run('-e', '0');

test('a lean run installs what running needs, once', async () => {
  lock('    "node_modules/a": {\n      "devOptional": true,\n    },\n    "node_modules/server": {\n');
  expect(await lean()).toBe(0);
  expect(await lean()).toBe(0);

  expect(calls()).toEqual([LEAN]);
  expect(has('vitest') || has('a')).toBe(false);
  expect(has('server/index.js')).toBe(true);
  expect(has('server/index.js.map') || has('server/test')).toBe(false);
  expect(existsSync(path('packages/ours/test/ours.ts'))).toBe(true);
});

test('any other run adds the rest and removes nothing, and a lean run then has what it needs', async () => {
  await lean();
  writeFileSync(path('node_modules/in-use'), '');
  await full();
  await lean();
  await full();

  expect(calls()).toEqual([LEAN, ADD]);
  expect(has('vitest') && has('in-use')).toBe(true);
});

test('installs again if only the lock file has changed', async () => {
  await full();
  lock('second');
  await lean();
  lock('third');
  await full();
  lock('third');
  await full();

  expect(calls()).toEqual([FULL, LEAN, FULL]);
});

test('installs again after npm failed, and runs nothing before', async () => {
  await lean();
  writeFileSync(path('fail'), '');
  expect(await run('-e', 'require("fs").writeFileSync("ran", "")')).not.toBe(0);
  expect(existsSync(path('ran'))).toBe(false);
  rmSync(path('fail'));
  expect(await lean()).toBe(0);

  expect(calls()).toEqual([LEAN, ADD, LEAN]);
});

test('a run that is killed leaves nothing that counts as installed, and the next one waits for its npm', async () => {
  await lean();
  writeFileSync(path('hold'), '');
  const killed = start('-e', '0');
  await expect.poll(() => calls().length).toBe(2);
  killed.kill('SIGKILL');
  await ended(killed);
  const next = lean();
  // Its npm goes on, and holds the lock.
  expect(calls()).toEqual([LEAN, ADD]);
  rmSync(path('hold'));
  expect(await next).toBe(0);

  expect(calls()).toEqual([LEAN, ADD, LEAN]);
});

test('of two runs at the same time, one installs', async () => {
  writeFileSync(path('hold'), '');
  const both = [full(), lean()];
  await expect.poll(() => calls().length).toBe(1);
  rmSync(path('hold'));
  expect(await Promise.all(both)).toEqual([0, 0]);

  expect(calls()).toSatisfy((all: string[]) => all.length === 1 || (all[0] === LEAN && all[1] === ADD));
});

test('passes on arguments and the exit code, and is quiet without a terminal', async () => {
  const args = [path('scripts/run'), '--lean', '-e', 'console.log(process.argv[1]); process.exit(7)', 'a b'];
  const { code, stdout, stderr } = await new Promise<{ code: unknown; stdout: string; stderr: string }>(
    (resolve) => {
      execFile('sh', args, { env: environment() }, (error, out, err) =>
        resolve({ code: error?.code, stdout: out, stderr: err }),
      );
    },
  );
  expect({ code, stdout, stderr }).toEqual({
    code: 7,
    stdout: 'a b\n',
    stderr: 'Installing packages (once)...\n',
  });
});

// The `script` of other systems has other options.
test.runIf(process.platform === 'linux')('shows progress on a terminal', async () => {
  writeFileSync(
    path('package-lock.json'),
    '    "node_modules/a": {\n    "node_modules/b": {\n      "dev": true,\n',
  );
  writeFileSync(path('hold'), '');
  const child = spawn('script', ['-qfec', `sh ${path('scripts/run')} --lean -e 0`, '/dev/null'], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let shown = '';
  child.stdout.on('data', (chunk) => {
    shown += chunk;
  });
  await expect.poll(() => shown).toContain('Installing packages (once): 1 of about 1');
  rmSync(path('hold'));
  expect(await ended(child)).toBe(0);
});
