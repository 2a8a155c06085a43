import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Fixture, freePort } from '@gatehouse/connector/conformance';

/**
 * Directus is not a dependency, because it is large and has another license. In a folder, `npm install directus` gets it, for the
 * version of Node.js that GATEHOUSE_DIRECTUS_NODE is.
 */
const cli = join(process.env.GATEHOUSE_DIRECTUS_DIR ?? '', 'node_modules/directus/cli.js');
const node = process.env.GATEHOUSE_DIRECTUS_NODE ?? process.execPath;
export const isInstalled = Boolean(process.env.GATEHOUSE_DIRECTUS_DIR) && existsSync(cli);
const definition = fileURLToPath(new URL('../definitions/directus.yml', import.meta.url));

type User = { status: string; role: string | null; policies: { policy: string }[] };

/** Starts Directus with a new SQLite database, 120 users, two policies and a role, on the loopback interface. */
export const fixture = {
  async start() {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-directus-'));
    const tokens = { admin: randomUUID(), reader: randomUUID() };
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const env = configure(folder, url, port, tokens.admin);
    await promisify(execFile)(node, [cli, 'bootstrap'], { cwd: folder, env });
    const child = spawn(node, [cli, 'start'], { cwd: folder, env, stdio: 'ignore' });
    const stop = async () => {
      await end(child);
      rmSync(folder, { recursive: true, force: true });
    };
    const send = async (path: string, method = 'GET', body?: unknown) => {
      const reply = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${tokens.admin}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!reply.ok) throw new Error(`${method} ${path} returned ${reply.status}: ${await reply.text()}`);
      return ((await reply.json()) as { data: unknown }).data;
    };
    try {
      await untilReady(url, child);
      const { policies, role } = await fill(send, tokens.reader);
      const userOf = async (id: string) => {
        const fields = 'status,role,policies.policy';
        const [user] = (await send(`/users?filter[id][_eq]=${id}&fields=${fields}`)) as User[];
        return user;
      };
      const settings = { definition, URL: url, TOKEN: tokens.admin, deliverTo: 'cat' };
      return {
        settings,
        weakSettings: { ...settings, TOKEN: tokens.reader },
        newAccount: (n) => ({
          id: randomUUID(),
          email: `new${n}@example.com`,
          first_name: 'New',
          last_name: `Person${n}`,
        }),
        grants: policies.map((id) => ({ slug: 'policy', ref: { id } })),
        role,
        witness: {
          exists: async (id) => (await userOf(id)) !== undefined,
          suspended: async (id) => (await userOf(id))?.status === 'suspended',
          holds: async (id, slug, ref) => {
            const user = await userOf(id);
            return slug === 'role'
              ? user?.role === ref
              : (user?.policies ?? []).some((each) => each.policy === ref);
          },
          signsIn: async ({ email }, password) => {
            const headers = { 'content-type': 'application/json' };
            const body = JSON.stringify({ email, password });
            return (await fetch(`${url}/auth/login`, { method: 'POST', headers, body })).ok;
          },
        },
        stop,
      };
    } catch (error) {
      await stop();
      throw error;
    }
  },
} satisfies Fixture;

function configure(folder: string, url: string, port: number, token: string): NodeJS.ProcessEnv {
  for (const name of ['uploads', 'extensions']) mkdirSync(join(folder, name));
  return {
    PATH: process.env.PATH,
    HOME: folder,
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: url,
    DB_CLIENT: 'sqlite3',
    DB_FILENAME: join(folder, 'data.db'),
    SECRET: randomUUID(),
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: randomUUID(),
    ADMIN_TOKEN: token,
    EXTENSIONS_PATH: join(folder, 'extensions'),
    STORAGE_LOCAL_ROOT: join(folder, 'uploads'),
    SERVE_APP: 'false',
    TELEMETRY: 'false',
    LOG_LEVEL: 'error',
  };
}

async function fill(send: (path: string, method: string, body: unknown) => Promise<unknown>, token: string) {
  const add = async (path: string, body: unknown) => ((await send(path, 'POST', body)) as { id: string }).id;
  const policies = [
    await add('/policies', { name: 'Editors' }),
    await add('/policies', { name: 'Translators' }),
  ];
  const role = await add('/roles', { name: 'Staff' });
  const permissions = ['users', 'roles', 'policies', 'access'].map((name) => ({
    collection: `directus_${name}`,
    action: 'read',
    permissions: {},
    fields: ['*'],
  }));
  const readers = await add('/policies', { name: 'Readers', permissions });
  const people = Array.from({ length: 120 }, (_, n) => ({
    email: `person${n}@example.com`,
    first_name: `Person ${n}`,
    status: n % 10 === 3 ? 'suspended' : n % 10 === 4 ? 'invited' : 'active',
    ...(n < 20 ? { role, policies: [{ policy: policies[0] }] } : {}),
  }));
  const reader = { email: 'reader@example.com', token, policies: [{ policy: readers }] };
  await send('/users', 'POST', [...people, reader]);
  return { policies, role };
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const until = Date.now() + 120_000;
  const isReady = () =>
    fetch(`${url}/server/ping`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error('Directus ended while it started');
    if (Date.now() > until) throw new Error('Directus did not start within 2 minutes');
    await sleep(250);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await ended;
  clearTimeout(timer);
}
