import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Fixture, freePort } from '@gatehouse/connector/conformance';

/** Debian's own folder: the programs in the path change the user and the home folder. */
const programs = '/usr/lib/rabbitmq/bin';
export const isInstalled = existsSync(join(programs, 'rabbitmq-server')) && existsSync('/usr/bin/epmd');
const definition = fileURLToPath(new URL('../definitions/rabbitmq.yml', import.meta.url));

/**
 * Starts RabbitMQ with its management plugin and 120 users, in its own folder, on its own ports, on the loopback interface only.
 * `rabbitmqctl` inspects it.
 */
export const fixture = {
  async start() {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-rabbitmq-'));
    const [ports, env] = await configure(folder);
    const processes: ChildProcess[] = [];
    const start = (command: string, args: string[]) =>
      processes.push(spawn(command, args, { env, stdio: 'ignore', detached: true }));
    start('/usr/bin/epmd', ['-address', '127.0.0.1', '-port', String(ports.epmd)]);
    start(join(programs, 'rabbitmq-server'), []);
    const stop = async () => {
      for (const child of processes.reverse()) await end(child);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    };
    const url = `http://127.0.0.1:${ports.management}`;
    const settings = {
      definition,
      URL: url,
      USERNAME: 'admin',
      PASSWORD: 'password of admin',
      deliverTo: 'cat',
    };
    await untilReady(url, processes).catch(async (error) => {
      await stop();
      throw error;
    });
    const ctl = async (...args: string[]) => {
      const { stdout } = await promisify(execFile)(join(programs, 'rabbitmqctl'), ['--quiet', ...args], {
        env,
      });
      return stdout
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split('\t'));
    };
    const tagsOf = async (name: string) => (await ctl('list_users')).find(([user]) => user === name)?.[1];
    return {
      settings,
      weakSettings: { ...settings, USERNAME: 'reader', PASSWORD: 'password of reader' },
      newAccount: (n) => ({ id: `ours-${n}`, username: `new${n}` }),
      grants: ['/', 'orders'].map((id) => ({ slug: 'vhost', ref: { id } })),
      witness: {
        exists: async (id) => (await tagsOf(id)) !== undefined,
        holds: async (id, slug, ref) =>
          slug === 'vhost'
            ? (await ctl('list_permissions', '-p', ref)).some(([user]) => user === id)
            : ((await tagsOf(id)) ?? '').split(/\W+/).includes(ref),
        signsIn: async ({ id }, password) =>
          ctl('authenticate_user', id, password).then(
            () => true,
            () => false,
          ),
      },
      stop,
    };
  },
} satisfies Fixture;

async function configure(folder: string) {
  const ports = {
    amqp: await freePort(),
    management: await freePort(),
    epmd: await freePort(),
    nodes: await freePort(),
  };
  const path = (name: string) => join(folder, name);
  mkdirSync(path('home'));
  writeFileSync(path('plugins'), '[rabbitmq_management].');
  writeFileSync(path('definitions.json'), JSON.stringify(content()));
  writeFileSync(
    path('rabbitmq.conf'),
    [
      `listeners.tcp.1 = 127.0.0.1:${ports.amqp}`,
      'management.tcp.ip = 127.0.0.1',
      `management.tcp.port = ${ports.management}`,
      `load_definitions = ${path('definitions.json')}`,
    ].join('\n'),
  );
  const env = {
    PATH: process.env.PATH,
    HOME: path('home'),
    LANG: 'C.UTF-8',
    ERL_EPMD_ADDRESS: '127.0.0.1',
    ERL_EPMD_PORT: String(ports.epmd),
    RABBITMQ_NODENAME: `gatehouse-${process.pid}@localhost`,
    RABBITMQ_DIST_PORT: String(ports.nodes),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
    RABBITMQ_CONFIG_FILE: path('rabbitmq.conf'),
    RABBITMQ_CONF_ENV_FILE: path('no-environment'),
    RABBITMQ_ENABLED_PLUGINS_FILE: path('plugins'),
    RABBITMQ_MNESIA_BASE: path('data'),
    RABBITMQ_LOG_BASE: path('log'),
    RABBITMQ_PID_FILE: path('pid'),
  };
  return [ports, env] as const;
}

function content() {
  const withPassword = (name: string, tags: string[]) => {
    const salt = randomBytes(4);
    const hash = createHash('sha256').update(salt).update(`password of ${name}`).digest();
    const password_hash = Buffer.concat([salt, hash]).toString('base64');
    return { name, tags, password_hash, hashing_algorithm: 'rabbit_password_hashing_sha256', limits: {} };
  };
  const people = Array.from({ length: 120 }, (_, n) =>
    withPassword(`person${n}`, n % 10 ? [] : ['monitoring']),
  );
  const all = { configure: '.*', write: '.*', read: '.*' };
  return {
    users: [withPassword('admin', ['administrator']), withPassword('reader', ['monitoring']), ...people],
    vhosts: [{ name: '/' }, { name: 'orders' }, { name: 'a b/c' }],
    permissions: people.slice(0, 20).map(({ name }) => ({ user: name, vhost: 'a b/c', ...all })),
  };
}

async function untilReady(url: string, processes: ChildProcess[]): Promise<void> {
  const authorization = `Basic ${Buffer.from('admin:password of admin').toString('base64')}`;
  const until = Date.now() + 120_000;
  const isReady = () =>
    fetch(`${url}/api/users/person119`, { headers: { authorization } }).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (processes.some(({ exitCode }) => exitCode !== null))
      throw new Error('RabbitMQ ended while it started');
    if (Date.now() > until) throw new Error('RabbitMQ did not start within 2 minutes');
    await sleep(250);
  }
}

/** Ends a process and those that it started: they share its group. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return;
  const ended = once(child, 'exit');
  process.kill(-child.pid, 'SIGTERM');
  const timer = setTimeout(() => process.kill(-(child.pid as number), 'SIGKILL'), 20_000);
  await ended;
  clearTimeout(timer);
}
