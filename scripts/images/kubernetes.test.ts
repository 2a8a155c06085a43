import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { until } from '../../packages/server/test/until.ts';
import { ROOT } from './bases.ts';
import { IMAGE } from './build.ts';
import { type Container, call, untilReady } from './container.ts';
import { HOME, podman, tryPodman } from './podman.ts';

const isMissing = inject('noContainers') !== undefined;
const FOLDER = join(ROOT, 'deploy/kubernetes');
const NETWORK = 'gatehouse-kube';
const PASSWORD = 'c0ffee00c0ffee00c0ffee00';
/** The parts of the manifests that podman runs. The Service, the PodDisruptionBudget, the NetworkPolicy and the ServiceAccount need a cluster. */
async function manifests(): Promise<string> {
  const { resources } = parse(await readFile(join(FOLDER, 'kustomization.yaml'), 'utf8'));
  const objects = await Promise.all(
    resources.map(async (file: string) => parse(await readFile(join(FOLDER, file), 'utf8'))),
  );
  const deployment = objects.find(({ kind }) => kind === 'Deployment');
  const [container] = deployment.spec.template.spec.containers;
  container.image = IMAGE;
  // Podman publishes the ports of each replica at the same port of this machine.
  delete container.ports;
  return stringify(deployment);
}

/**
 * The data of the Secret that the guide creates with kubectl. podman 4.3 reads them as JSON, but keeps a Secret of a manifest as YAML, so
 * the test creates the secret itself.
 */
const SECRET = {
  'database-url': encoded(`postgresql://gatehouse:${PASSWORD}@postgres/gatehouse`),
  'secret-key': encoded(Buffer.alloc(32, 1).toString('base64')),
};

function encoded(text: string) {
  return Buffer.from(text).toString('base64');
}

type Pod = Pick<Container, 'id' | 'url' | 'output'>;

/** Returns the container of Gatehouse in a pod, with the address that the pod has in its network. */
async function podOf(name: string): Promise<Pod> {
  const id = `${name}-gatehouse`;
  const infra = await podman('pod', 'inspect', '--format', '{{.InfraContainerID}}', name);
  const networks = await podman('inspect', '--format', '{{json .NetworkSettings.Networks}}', infra);
  const url = `http://${JSON.parse(networks)[NETWORK].IPAddress}:8080`;
  return { id, url, output: async () => (await tryPodman('logs', id)).output };
}

/** The tests use the pods of those before. */
describe.skipIf(isMissing)('the Kubernetes manifests in podman', { shuffle: false }, () => {
  let pods: Pod[];

  beforeAll(async () => {
    await tryPodman('network', 'create', NETWORK);
    const settings = ['POSTGRES_USER=gatehouse', 'POSTGRES_DB=gatehouse', `POSTGRES_PASSWORD=${PASSWORD}`];
    const environment = settings.map((setting) => `--env=${setting}`);
    const database = ['--name=postgres', `--network=${NETWORK}`, ...environment, 'postgres:18'];
    await podman('run', '--detach', ...database);
    const isReady = () => tryPodman('exec', 'postgres', 'pg_isready', '--host=127.0.0.1');
    await until('PostgreSQL', isReady, ({ code }) => code === 0, { everyMs: 300 });
    const secret = join(HOME, 'secret.json');
    const file = join(HOME, 'gatehouse.yaml');
    await writeFile(secret, JSON.stringify(SECRET));
    await writeFile(file, await manifests());
    await podman('secret', 'create', 'gatehouse', secret);
    await podman('kube', 'play', `--network=${NETWORK}`, file);
    pods = await Promise.all(['gatehouse-pod-0', 'gatehouse-pod-1'].map(podOf));
    for (const pod of pods) await untilReady(pod);
  });
  afterAll(async () => {
    await tryPodman('pod', 'rm', '--force', '--time=0', '--all');
    await tryPodman('rm', '--force', '--time=0', 'postgres');
    await tryPodman('secret', 'rm', 'gatehouse');
    await tryPodman('network', 'rm', NETWORK);
  });

  test('start two replicas with the settings and the secrets of the Deployment', async () => {
    const outputs = await Promise.all(pods.map(({ output }) => output()));
    const [, key = ''] = /API key +(\S+)/.exec(outputs.join('')) ?? [];

    expect(outputs.join('').split('This is the first start.')).toHaveLength(2);
    for (const output of outputs) expect(output).toContain('https://gatehouse.example.com');
    for (const pod of pods)
      expect(await call(pod, key, '/api/v1/bridge/apps/')).toMatchObject({ status: 200 });
  });

  test('run as their user without privileges, with a read-only root, and write to /tmp and /data only', async () => {
    const inPod = async (command: string) =>
      (await tryPodman('exec', pods[0]!.id, 'sh', '-c', command)).output.trim();

    expect(await inPod('id -u')).toBe('10001');
    expect(await inPod("grep -E '^(CapEff|NoNewPrivs|Seccomp):' /proc/1/status")).toMatch(
      /CapEff:\s+0+\s+NoNewPrivs:\s+1\s+Seccomp:\s+2/,
    );
    expect(await inPod('touch /file')).toContain('Read-only file system');
    expect(await inPod('touch /tmp/file /data/file && echo written')).toBe('written');
  });

  test('have the limit of memory that Gatehouse divides', async () => {
    const limit = await podman('inspect', '--format', '{{.HostConfig.Memory}}', pods[0]!.id);

    expect(limit).toBe(String(2 * 1024 ** 3));
  });

  test('have probes that respond', async () => {
    const [container] = parse(await manifests()).spec.template.spec.containers;

    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
      for (const { url } of pods) expect((await fetch(url + container[probe].httpGet.path)).status).toBe(200);
  });

  test('end within their grace period', async () => {
    for (const { id } of pods) {
      await podman('stop', '--time=40', id);
      expect(await podman('inspect', '--format', '{{.State.ExitCode}}', id)).toBe('0');
    }
  });
});
