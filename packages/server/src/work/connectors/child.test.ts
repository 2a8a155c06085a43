import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { bridgeVariables } from './bridge.ts';
import { runChild } from './child.ts';
import { CONNECTORS } from './isolation.ts';

let folder: string;
let server: Server;
let url: string;
const hosts: (string | undefined)[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-child-'));
  server = createServer((request, response) => {
    hosts.push(request.headers.host);
    response.end('reached');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/org/acme`;
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

let programs = 0;
async function programOf(text: string): Promise<string> {
  programs += 1;
  const file = join(folder, `program${programs}.ts`);
  await writeFile(file, text);
  return relative(CONNECTORS, file);
}

const child = async (text: string, more: object = {}) =>
  runChild({
    program: await programOf(text),
    args: [],
    input: {},
    env: {},
    folder,
    memory: 300,
    limitMs: 120_000,
    signal: new AbortController().signal,
    secrets: [],
    ...more,
  });

const attempts = `
  const causeOf = (error) => error.cause?.message ?? error.message;
  const fetched = (address) => fetch(address).then((reply) => reply.text(), causeOf);`;

test('a process reaches the bridge API under the name of its run only', async () => {
  const env = bridgeVariables(url);
  const { port } = new URL(url);
  const { output } = await child(
    `${attempts}
    console.log(JSON.stringify([
      await fetched(process.env.GATEHOUSE_URL), await fetched('${url}'), await fetched('http://localhost:${port}/metrics'),
      await fetched(process.env.GATEHOUSE_URL.replace(':${port}', ':65000')),
    ]));`,
    { env },
  );

  const [named, ...others] = JSON.parse(output ?? '') as string[];
  expect(named).toBe('reached');
  expect(others).toEqual([
    expect.stringContaining('not public'),
    expect.stringContaining('not public'),
    expect.stringContaining('could not be resolved'),
  ]);
  expect(hosts).toEqual([new URL(env.GATEHOUSE_URL as string).host]);
  expect(bridgeVariables(url).GATEHOUSE_URL).not.toBe(env.GATEHOUSE_URL);
});

test('a process does not reach addresses that are not public, however they are written', async () => {
  const hosts = [
    '127.0.0.2',
    '127.1',
    '0x7f000001',
    '2130706433',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '0.0.0.0',
    '[::]',
    '10.1.2.3',
    '169.254.169.254',
  ];
  const { port } = new URL(url);
  const { output } = await child(`${attempts}
    import { connect } from 'node:net';
    import { connect as connectTls } from 'node:tls';
    const ended = (socket) => new Promise((resolve) =>
      socket.on('connect', () => resolve('connected')).on('error', (error) => resolve(error.message)));
    const results = {};
    for (const host of ${JSON.stringify(hosts)}) {
      const bare = host.replace(/[[\\]]/g, '');
      results[host] = [
        await fetched('http://' + host + ':${port}/'), await ended(connect(${port}, bare)), await ended(connectTls(${port}, bare)),
      ];
    }
    console.log(JSON.stringify(results));`);

  const refused = Array(3).fill(expect.stringMatching(/is not public|could not be resolved/));
  expect(JSON.parse(output ?? '')).toEqual(Object.fromEntries(hosts.map((host) => [host, refused])));
});

test('a process has no way out other than TCP connections', async () => {
  const { output } = await child(`
    import { createSocket } from 'node:dgram';
    import { createServer } from 'node:net';
    import { readFileSync, readdirSync, symlinkSync } from 'node:fs';
    import inspector from 'node:inspector';
    const attempt = async (work) => { try { await work(); return 'done'; } catch (error) { return error.code; } };
    const udp = createSocket('udp4').unref();
    console.log(JSON.stringify([
      await attempt(() => udp.send('x', 9, '127.0.0.1')), await attempt(() => udp.bind(0)),
      await attempt(() => udp.connect(9, '127.0.0.1')), await attempt(() => createServer().listen(0)),
      await attempt(() => inspector.open(0)), await attempt(() => process.binding('tcp_wrap')),
      await attempt(() => readFileSync('/proc/self/environ')), await attempt(() => readdirSync('/')),
      await attempt(() => symlinkSync('/etc/passwd', 'link')), await attempt(() => process.dlopen({}, 'x.node')),
    ]));`);

  expect(JSON.parse(output ?? '')).toEqual([
    ...Array(4).fill('EACCES'),
    ...Array(5).fill('ERR_ACCESS_DENIED'),
    'ERR_DLOPEN_DISABLED',
  ]);
});

test('a process opens databases in its own folder only, and affects no other process', async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), 'gatehouse-outside-'));
  onTestFinished(() => rm(elsewhere, { recursive: true, force: true }));
  const outside = join(elsewhere, 'stolen.db');
  const { output, log } = await child(`
    import { setPriority } from 'node:os';
    import sqlite, { backup, DatabaseSync } from 'node:sqlite';
    const outside = '${outside}';
    const attempt = async (work) => { try { await work(); return 'done'; } catch (error) { return error.message; } };
    const own = new DatabaseSync('own.db');
    own.exec('create table kept (x)');
    const prototype = Object.getPrototypeOf(own);
    console.log(JSON.stringify([
      await attempt(() => new DatabaseSync(outside)), await attempt(() => new DatabaseSync('file:' + outside)),
      await attempt(() => new DatabaseSync(new URL('file://' + outside))),
      await attempt(() => new DatabaseSync(Buffer.from(outside))),
      await attempt(() => new prototype.constructor(outside)), await attempt(() => new sqlite.DatabaseSync(outside)),
      await attempt(() => new (process.getBuiltinModule('node:sqlite').DatabaseSync)(outside, { open: false }).open()),
      await attempt(() => class extends DatabaseSync {}.prototype.open.call(own)),
      await attempt(() => own.exec("attach '" + outside + "' as stolen")),
      await attempt(() => own.exec("vacuum into '" + outside + "'")),
      await attempt(() => own.setAuthorizer(null)), await attempt(() => own.loadExtension('x.so')),
      await attempt(() => backup(own, outside)),
      await attempt(() => process.kill(process.ppid, 0)), await attempt(() => process.kill(0, 'SIGTERM')),
      await attempt(() => process.kill(-process.pid, 'SIGTERM')),
      await attempt(() => { if (process._kill(process.ppid, 0) !== 0) throw new Error('refused'); }),
      await attempt(() => process._debugProcess(process.ppid)), await attempt(() => setPriority(process.ppid, 19)),
      await attempt(() => process.kill(process.pid, 0)), own.prepare('select count(*) as n from kept').get().n,
    ]));`);

  const results = JSON.parse(output || '[]') as unknown[];
  expect(results, log).toHaveLength(21);
  expect(results.slice(-2)).toEqual(['done', 0]);
  expect(results.slice(0, -2)).not.toContain('done');
  expect(existsSync(outside)).toBe(false);
});

test.each([
  ['process', 'setInterval(() => {}, 1000);'],
  ['process that hangs in a loop', 'for (;;) {}'],
])('a %s ends soon after its server was killed', async (name, work) => {
  const pidFile = join(folder, `${name}.pid`);
  const program = await programOf(`
    import { writeFileSync } from 'node:fs';
    process.on('SIGTERM', () => process.exit());
    writeFileSync('${pidFile}', String(process.pid));
    ${work}`);
  const parent = join(folder, `${name}.ts`);
  await writeFile(
    parent,
    `import { runChild } from '${join(import.meta.dirname, 'child.ts')}';
    await runChild({ program: '${program}', args: [], input: {}, env: {}, folder: '${folder}', memory: 300, limitMs: 60_000,
      signal: new AbortController().signal, secrets: [] });`,
  );
  const started = spawn(process.execPath, [parent], { stdio: 'ignore' });
  const pid = async () => Number(await readFile(pidFile, 'utf8').catch(() => ''));
  const isRunning = async () => {
    const status = await readFile(`/proc/${await pid()}/status`, 'utf8').catch(() => '');
    return status !== '' && !/^State:\s+Z/m.test(status);
  };
  await expect.poll(pid, { timeout: 20_000 }).toBeGreaterThan(0);
  expect(await isRunning()).toBe(true);

  started.kill('SIGKILL');

  await expect.poll(isRunning, { timeout: 20_000 }).toBe(false);
});

test('ends a process that hangs in a loop when its time is over', async () => {
  const program = "process.on('SIGTERM', () => {}); console.log('loops'); for (;;) {}";
  let outcome = await child(program, { limitMs: 500, graceMs: 100 });
  // On a busy machine, a process may not have begun when its time is over.
  for (let limitMs = 1000; outcome.output === ''; limitMs *= 2)
    outcome = await child(program, { limitMs, graceMs: 100 });

  expect(outcome).toMatchObject({ ending: 'timed_out', killedBy: 'SIGKILL', output: 'loops\n' });
});

test('keeps no part of a secret where a long log was cut', async () => {
  const secret = 'correct-horse-battery-staple';
  const { log } = await child(
    `const { secret } = JSON.parse(await new Response(process.stdin).text());
     console.error(secret.repeat(20_000).slice(5));`,
    { input: { secret }, secrets: [secret] },
  );

  expect(log.replaceAll('[redacted]', '').length).toBeLessThan(secret.length);
  expect(log).not.toContain('battery-staple[');
});
