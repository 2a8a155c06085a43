import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { IMAGE, NEXT_IMAGE } from './build.ts';
import { type Container, call, runToEnd, STRICT, startGatehouse, untilReady } from './container.ts';
import { HOME, podman, tryPodman } from './podman.ts';

const isMissing = inject('noContainers') !== undefined;

/** Starts Gatehouse for one test. */
async function start(options: string[], image?: string): Promise<Container> {
  const container = await startGatehouse(options, image);
  onTestFinished(() => container.remove());
  return container;
}

const FIRST_START = 'This is the first start.';
const printed = (text: string, name: string) => new RegExp(`${name} +(\\S+)`).exec(text)?.[1] ?? '';

const appsOf = async (container: Container, key: string) =>
  (await call(container, key, '/api/v1/bridge/apps/')).body.results.map(({ name }: { name: string }) => name);

/** The tests use the data of those before. */
describe.skipIf(isMissing)('the image', { shuffle: false }, () => {
  const DATA = '--volume=data:/data';
  let container: Container;
  let key: string;

  test('starts as its user with a read-only root, and creates the first administrator', async () => {
    container = await startGatehouse([...STRICT, DATA]);

    const output = await container.output();
    expect(output).toContain(FIRST_START);
    key = printed(output, 'API key');
    expect(await call(container, key, '/api/v1/bridge/apps/', { name: 'Desk' })).toMatchObject({
      status: 201,
    });
    const reply = await fetch(`${container.url}/org/acme/auth/sign-in/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: container.url, 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ email: printed(output, 'Email'), password: printed(output, 'Password') }),
    });
    expect(reply.status).toBe(200);
    expect((await container.exec('id', '-u')).output.trim()).toBe('10001');
    expect((await container.exec('touch', '/usr/local/file')).output).toContain('Read-only file system');
    expect((await container.exec('ls', '-l', '/data/secret.key')).output).toMatch(/^-rw------- .*gatehouse/);
  });

  test('serves the console, its files, the API reference and the help', async () => {
    const page = await (await fetch(container.url)).text();
    const [file = ''] = /\/assets\/[\w.-]+\.js/.exec(page) ?? [];
    const paths = [file, '/docs', '/help/', '/help/guides/run-it', '/openapi.json'];

    const statuses = await Promise.all(paths.map(async (path) => (await fetch(container.url + path)).status));

    expect(file).not.toBe('');
    expect(Object.fromEntries(paths.map((path, i) => [path, statuses[i]]))).toEqual(
      Object.fromEntries(paths.map((path) => [path, 200])),
    );
  });

  test('has a health check that fails if nothing responds', async () => {
    const check = JSON.parse(
      await podman('inspect', '--format', '{{json .Config.Healthcheck.Test}}', container.id),
    );

    expect(await tryPodman('healthcheck', 'run', container.id)).toMatchObject({ code: 0 });
    expect(check[0]).toBe('CMD');
    expect(await tryPodman('exec', '--env=PORT=1', container.id, ...check.slice(1))).toMatchObject({
      code: 1,
    });
  });

  test("has the operator's command", async () => {
    expect((await container.exec('gatehouse-server', '--help')).output).toContain('organizations create');
  });

  test('ends with the exit code 0 after SIGTERM, and keeps its data', async () => {
    expect(await container.stop(30)).toBe(0);

    expect(await container.output()).toContain('"Stopping"');
    await podman('start', container.id);
    await untilReady(container);
    expect(await appsOf(container, key)).toEqual(['Desk']);
  });

  test('keeps what it has acknowledged when it is killed', async () => {
    await call(container, key, '/api/v1/bridge/apps/', { name: 'Killed' });
    await podman('kill', '--signal=KILL', container.id);
    await podman('start', container.id);
    await untilReady(container);

    expect((await appsOf(container, key)).sort()).toEqual(['Desk', 'Killed']);
    expect((await container.output()).split(FIRST_START)).toHaveLength(2);
    await container.remove();
  });

  test('backs up the embedded database, and restores it into a new container', async () => {
    const command = '--entrypoint=gatehouse-server';
    const backups = ['--volume=backups:/backups:U', ...STRICT];
    const backup = await runToEnd([command, DATA, ...backups], 'backup', '/backups/gatehouse.tar.gz');
    expect(backup).toMatchObject({ code: 0 });
    const copy = 'cp -p /data/secret.key /restored/';
    await runToEnd([DATA, '--volume=restored:/restored:U', '--entrypoint=sh'], '-c', copy);
    const RESTORED = '--volume=restored:/data';
    expect(
      await runToEnd([command, RESTORED, ...backups], 'restore', '/backups/gatehouse.tar.gz'),
    ).toMatchObject({ code: 0 });

    const restored = await start([...STRICT, RESTORED]);

    expect((await appsOf(restored, key)).sort()).toEqual(['Desk', 'Killed']);
  });

  test('an image with a later migration takes over the data, and then this one refuses them', async () => {
    const next = await start([...STRICT, DATA], NEXT_IMAGE);
    expect((await appsOf(next, key)).sort()).toEqual(['Desk', 'Killed']);
    await next.remove();

    const back = await runToEnd([...STRICT, DATA]);

    expect(back).toMatchObject({ code: 1, output: expect.stringContaining('9999_next.sql') });
  });
});

describe.skipIf(isMissing)('the isolation of connectors in a container', () => {
  const isolationOf = async (container: Container) =>
    /"isolation":"(\w+)".*Connectors run isolated/.exec(await container.output())?.[1];

  test('is bubblewrap where the container may create namespaces', async () => {
    expect(await isolationOf(await start(STRICT))).toBe('bubblewrap');
  });

  test("is the permission model of Node.js under a profile without namespaces, such as Docker's", async () => {
    expect(await isolationOf(await start([...STRICT, await withoutNamespaces()]))).toBe('permission');
  });

  test('is never weaker than demanded', async () => {
    const demand = '--env=GATEHOUSE_CONNECTOR_ISOLATION=bubblewrap';
    const refused = await runToEnd([...STRICT, demand, await withoutNamespaces()]);

    expect(refused).toMatchObject({
      code: 1,
      output: expect.stringContaining(
        'demands the level bubblewrap, but this machine offers permission only',
      ),
    });
  });

  /** Podman's seccomp profile without the calls that Docker's forbids, too. */
  async function withoutNamespaces(): Promise<string> {
    interface Profile {
      syscalls: { names: string[]; args?: object[] }[];
    }
    const profile: Profile = JSON.parse(await readFile('/usr/share/containers/seccomp.json', 'utf8'));
    const forbidden = ['clone3', 'mount', 'pivot_root', 'setns', 'umount2', 'unshare'];
    for (const rule of profile.syscalls) rule.names = rule.names.filter((name) => !forbidden.includes(name));
    const path = join(HOME, 'seccomp.json');
    await mkdir(HOME, { recursive: true });
    await writeFile(path, JSON.stringify(profile));
    return `--security-opt=seccomp=${path}`;
  }
});

describe.skipIf(isMissing)('the files of the image', () => {
  test('have no tests, no settings of the build, and no secrets of the working tree', async () => {
    const find = `find / -xdev \\( -name '*.test.ts' -o -name .env -o -name .git \\) -not -path '*/node_modules/*'
      # Builds of these tests leave the empty places of what they mount.
      find /root/.npmrc /run/npm -type f -size +0 2>/dev/null`;
    const found = await runToEnd(['--entrypoint=sh', '--user=root'], '-c', find);

    expect(found.output.trim()).toBe('');
  });

  test('belong to root, so that Gatehouse cannot change its own program', async () => {
    const { output } = await runToEnd(
      ['--entrypoint=find'],
      '/usr/local',
      '-xdev',
      '-writable',
      '-not',
      '-type',
      'l',
    );

    expect(output.trim()).toBe('');
    expect(await podman('image', 'inspect', '--format', '{{.Config.User}}', IMAGE)).toBe('gatehouse');
  });
});
