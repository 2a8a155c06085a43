// @module-tag long

import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { packInto } from '../../../scripts/packs/pack.ts';
import { openRunFolder } from './keeper.ts';
import { ROOT, type Service, startService } from './service.ts';

// Packing and installing take a minute, and npm downloads Node.js.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 550_000 });

const run = promisify(execFile);
const OWNER = { email: 'owner@acme.example', password: 'correct horse battery staple' };
const KEY = 'gh-key-of-the-installed-server-00000000';
const MOST_MEGABYTES = { server: 40, cli: 10, others: 2 };

let folder: string;
let packs: string[];
let environment: Record<string, string>;
/** The folder of the installed server. */
let installed: string;

beforeAll(async () => {
  const opened = await openRunFolder();
  folder = opened.path;
  packs = packInto(join(folder, 'packs'), { clients: true });
  for (const name of ['home', 'project']) mkdirSync(join(folder, name));
  environment = surroundings();
  await npm(['--global', '--prefix', join(folder, 'prefix')], ['server', 'cli']);
  installed = join(folder, 'prefix/lib/node_modules/@gatehouse/server');
  return opened.remove;
});

/** Returns an environment that leads to no file of this repository. npm may use its cache. */
function surroundings(): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) =>
    /^(NODE_EXTRA_CA_CERTS|(https?|no)_proxy|npm_config_registry)$/i.test(name),
  );
  const paths = (process.env.PATH ?? '').split(delimiter).filter((path) => !path.startsWith(ROOT));
  return {
    ...(Object.fromEntries(kept) as Record<string, string>),
    PATH: paths.join(delimiter),
    HOME: join(folder, 'home'),
    npm_config_cache: join(homedir(), '.npm'),
  };
}

const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { version: string };
const fileOf = (name: string) => `gatehouse-${name}-${version}.tgz`;

async function npm(where: string[], names: string[]) {
  const files = names.map((name) => join(folder, 'packs', fileOf(name)));
  const quick = ['--no-audit', '--no-fund', '--prefer-offline'];
  await run('npm', ['install', ...where, ...quick, ...files], {
    cwd: join(folder, 'project'),
    env: environment,
  });
}

const listOf = async (pack: string) =>
  (await run('tar', ['-tzf', join(folder, 'packs', pack)], { maxBuffer: 16e6 })).stdout.trim().split('\n');

test('the packages hold JavaScript and licenses, and neither tests nor anything of this machine', async () => {
  const connectors = globSync('*/package.json', { cwd: `${ROOT}connectors` }).map((file) => dirname(file));
  expect(packs).toEqual(
    ['server', 'cli', 'connector', ...connectors.map((name) => `connector-${name}`)].map(fileOf).sort(),
  );
  for (const pack of packs) {
    const files = await listOf(pack);
    const own = files.filter((file) => !file.includes('node_modules'));
    expect(own).toContain('package/LICENSE');
    expect(files.filter((file) => /\.[cm]?tsx?$/.test(file) && !file.endsWith('.d.ts'))).toEqual([]);
    expect(
      own.filter((file) => /\.test\.|\/test\/|\/\.env$|\.key$|\.pem$|\.log$|\/\.git/.test(file)),
    ).toEqual([]);
    const megabytes = statSync(join(folder, 'packs', pack)).size / 1e6;
    const [, kind] = /gatehouse-(server|cli)-\d/.exec(pack) ?? [];
    expect(megabytes, pack).toBeLessThan(MOST_MEGABYTES[(kind ?? 'others') as keyof typeof MOST_MEGABYTES]);
  }
});

test('every path that the installed server names is in the package', () => {
  const files = globSync('{packages/{server,protocol,connector},connectors}/**/*.js', { cwd: installed });
  expect(files.length).toBeGreaterThan(500);
  const missing = files.flatMap((file) => {
    const code = readFileSync(join(installed, file), 'utf8');
    const named = [
      ...code
        .replace(/^ \*.*$/gm, '')
        .matchAll(/(?:from |import\(|import |new URL\()'(\.{1,2}\/[^']+|#[^']+)'/g),
    ];
    return named
      .map(([, path = '']) =>
        path.startsWith('#') ? join('packages/server/src', path.slice(1)) : join(dirname(file), path),
      )
      .filter((path) => !existsSync(join(installed, path)))
      .map((path) => `${file}: ${path}`);
  });
  expect(missing).toEqual([]);
  expect(existsSync(join(installed, 'node_modules/@gatehouse'))).toBe(false);
});

test('every package that an installed one needs is there, in the version that the tests ran with', () => {
  const { packages } = JSON.parse(readFileSync(`${ROOT}package-lock.json`, 'utf8')) as {
    packages: Record<string, { version?: string }>;
  };
  const locked = new Set(
    Object.entries(packages).map(([path, one]) => `${path.replace(/^.*node_modules\//, '')}@${one.version}`),
  );
  const commands = [installed, join(folder, 'prefix/lib/node_modules/gatehouse-cli')];
  for (const root of commands) {
    const files = globSync('{.,**/node_modules/*,**/node_modules/@*/*}/package.json', { cwd: root });
    expect(files.length).toBeGreaterThan(40);
    for (const file of files) {
      const manifest = JSON.parse(readFileSync(join(root, file), 'utf8'));
      if (file.includes('node_modules') && !manifest.name.startsWith('@gatehouse/'))
        expect(locked).toContain(`${manifest.name}@${manifest.version}`);
      const peers = Object.keys(manifest.peerDependencies ?? {}).filter(
        (name) => manifest.peerDependenciesMeta?.[name]?.optional !== true,
      );
      const optional = Object.keys(manifest.optionalDependencies ?? {});
      const needed = [...Object.keys(manifest.dependencies ?? {}), ...peers];
      const missing = needed.filter(
        (name) => !optional.includes(name) && !isFound(root, dirname(file), name),
      );
      expect({ file, missing }).toEqual({ file, missing: [] });
    }
  }
});

/** Whether a package finds another one in its folder or above. */
const isFound = (root: string, from: string, name: string): boolean =>
  existsSync(join(root, from, 'node_modules', name, 'package.json')) ||
  (from !== '.' && isFound(root, dirname(from), name));

/** Starts the installed server, with its data in the home folder of the user. */
async function start(more: Record<string, string> = {}): Promise<Service> {
  const service = await startService({
    database: {},
    key: KEY,
    command: [join(folder, 'prefix/bin/gatehouse-server')],
    cwd: join(folder, 'project'),
    environment: {
      ...environment,
      NODE_COMPILE_CACHE: '',
      GATEHOUSE_SECRET_KEY: '',
      GATEHOUSE_ADMIN_EMAIL: OWNER.email,
      GATEHOUSE_ADMIN_PASSWORD: OWNER.password,
      ...more,
    },
  });
  onTestFinished(() => service.kill().catch(() => {}));
  return service;
}

const caller = (service: Service) => async (method: string, path: string, body?: object) => {
  const answer = await fetch(`${service.url}/org/acme${path}`, {
    method,
    headers: { authorization: `Api-Key ${KEY}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: answer.status === 204 ? undefined : await answer.json() };
};

test('the installed server starts, syncs, serves its pages, and stops', async () => {
  const service = await start();
  const call = caller(service);

  const signedIn = await fetch(`${service.url}/org/acme/auth/sign-in/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.url },
    body: JSON.stringify(OWNER),
  });
  expect(signedIn.status).toBe(200);
  for (const [path, word] of [
    ['/', '<div id="root">'],
    ['/help/', 'Gatehouse help'],
    ['/help/guides/install', 'npm install --global'],
    ['/docs/', 'swagger-ui'],
  ] as const) {
    const page = await fetch(`${service.url}${path}`);
    expect([path, page.status, (await page.text()).includes(word)]).toEqual([path, 200, true]);
  }

  const { id: app } = (await call('POST', '/api/v1/bridge/apps/', { name: 'Files' })).body;
  const synced = await syncFromProject(service, app);
  expect(synced).toMatchObject({ outcome: 'completed', pushed: { account: 2 } });
  await expect.poll(async () => (await call('GET', '/api/accounts/?status=ACTIVE')).body.count).toBe(2);

  // A thread reads it.
  const upload = await fetch(`${service.url}/org/acme/api/apps/${app}/uploads/?file_name=accounts.csv`, {
    method: 'POST',
    headers: { authorization: `Api-Key ${KEY}`, 'content-type': 'text/csv' },
    body: 'id,email\n1,ada@acme.example\n',
  });
  expect([upload.status, await upload.json()]).toMatchObject([201, { columns: expect.any(Array) }]);

  expect(await service.stop()).toBe(0);
  const listed = await run(join(folder, 'prefix/bin/gatehouse-server'), ['organizations', 'list'], {
    cwd: folder,
    env: environment,
  });
  expect(listed.stdout).toMatch(/^acme /m);
  expect(existsSync(join(folder, 'home/.local/share/gatehouse/secret.key'))).toBe(true);
});

/** Syncs files with a connector that is installed into a project, by the command that is installed on the machine. */
async function syncFromProject(service: Service, app: string): Promise<object> {
  const project = join(folder, 'project');
  writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}');
  await npm([], ['connector', 'connector-csv']);
  writeFileSync(
    join(project, 'accounts.csv'),
    'id,email,groups\n1,ada@acme.example,Red;Blue\n2,bob@acme.example,Red\n',
  );
  const [node = ''] = globSync('node_modules/node-*/bin', { cwd: installed });
  const { stdout } = await run(
    join(folder, 'prefix/bin/gatehouse'),
    ['sync', '@gatehouse/connector-csv', '--json'],
    {
      cwd: project,
      env: {
        ...environment,
        // The CLI runs on the Node.js of the machine, which may be older than it needs.
        PATH: `${join(installed, node)}${delimiter}${environment.PATH}`,
        GATEHOUSE_URL: `${service.url}/org/acme`,
        GATEHOUSE_API_KEY: KEY,
        GATEHOUSE_APP: app,
        CSV_ACCOUNTS: join(project, 'accounts.csv'),
      },
    },
  );
  return JSON.parse(stdout) as object;
}

const DEFINITION = `
name: desk
base_url: '\${URL}'
settings: { URL: address of the desk }
accounts:
  user: { name: Users, list: { get: /users, items: response.users }, record: { id: item.id, email: item.email } }`;

test('the installed server runs connectors in processes of their own', async () => {
  const desk = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ users: [{ id: '1', email: 'cleo@acme.example' }] }));
  });
  await new Promise<void>((done) => desk.listen(0, '127.0.0.1', done));
  onTestFinished(() => void desk.close());
  const { port } = desk.address() as AddressInfo;
  const service = await start({ GATEHOUSE_ALLOW_PRIVATE_ADDRESSES: '127.0.0.1' });
  const call = caller(service);

  const { id } = (await call('POST', '/api/v1/bridge/apps/', { name: 'Desk' })).body;
  const path = `/api/apps/${id}/connector/`;
  const made = await call('POST', path, {
    type: 'rest',
    definition: DEFINITION,
    settings: { URL: `http://127.0.0.1:${port}` },
  });
  expect([made.status, made.body]).toMatchObject([201, { type: 'rest' }]);
  const { id: runId } = (await call('POST', `${path}run/`, { kind: 'sync' })).body;
  await expect
    .poll(async () => (await call('GET', `${path}runs/${runId}/`)).body, { timeout: 120_000 })
    .toMatchObject({ state: 'succeeded' });
  expect((await call('GET', `/api/accounts/?app=${id}`)).body).toMatchObject({ count: 1 });
  expect(await service.stop()).toBe(0);
});

test('the command explains itself', async () => {
  const command = join(folder, 'prefix/bin/gatehouse-server');
  const { stdout } = await run(command, ['--help'], { env: environment });
  expect(stdout).toMatch(/^gatehouse-server \[<command>\]/);
  await expect(run(command, ['begin'], { env: environment })).rejects.toMatchObject({ code: 2 });
});

test('the command reads secrets from the credentials of a service, and no other files there', async () => {
  const credentials = join(folder, 'credentials');
  mkdirSync(credentials);
  writeFileSync(join(credentials, 'gatehouse_GATEHOUSE_SECRET_KEY'), 'too short\n');
  writeFileSync(join(credentials, 'gatehouse_PATH'), '/nowhere\n');
  writeFileSync(join(credentials, 'gatehouse_GATEHOUSE_ORG;x'), 'acme\n');
  const command = join(folder, 'prefix/bin/gatehouse-server');
  const listed = run(command, ['organizations', 'list'], {
    env: { ...environment, CREDENTIALS_DIRECTORY: credentials },
  });
  await expect(listed).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('GATEHOUSE_SECRET_KEY must be 32 bytes in base64.'),
  });
});
