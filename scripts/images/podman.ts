import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The images and containers of Gatehouse's tests, so that those of the machine stay as they are. */
export const HOME = '/var/tmp/gatehouse-images';

const PROGRAMS = ['podman', 'podman-compose', 'runc', 'conmon', 'catatonit', 'mmdebstrap'];

/** Debian's packages with the programs above, and with what networks of containers need. */
export const PACKAGES = [...PROGRAMS, 'buildah', 'netavark', 'aardvark-dns', 'iptables', 'podman-compose'];

/**
 * Old systems have no cgroups v2 and little room for limits: there, crun fails, and so do the limits that podman sets by itself.
 */
const CONTAINERS = `
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
log_driver = "k8s-file"
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_backend = "netavark"
`;
const STORAGE = `
[storage]
driver = "${process.env.STORAGE_DRIVER ?? 'overlay'}"
graphroot = "${HOME}/storage"
runroot = "/run/gatehouse-images"
`;
/** The names in a Dockerfile are those of Docker. */
const REGISTRIES = 'unqualified-search-registries = ["docker.io"]\n';

/** Returns why containers cannot run here, as a sentence, or undefined. */
export function missingHere(): string | undefined {
  if (process.platform !== 'linux') return 'Containers of the tests run on Linux only.';
  if (process.getuid?.() !== 0) return 'Containers of the tests need root.';
  const missing = PROGRAMS.filter((name) => !isProgram(name));
  if (missing.length === 0) return undefined;
  return `Missing programs: ${missing.join(', ')} (apt-get install ${PACKAGES.join(' ')}).`;
}

const isProgram = (name: string): boolean =>
  spawnSync('sh', ['-c', 'PATH="$PATH:/usr/libexec/podman:/usr/sbin" command -v "$0"', name]).status === 0;

/** Writes the settings of podman. Returns the environment with which it reads them. */
export function environment(): NodeJS.ProcessEnv {
  mkdirSync(HOME, { recursive: true, mode: 0o700 });
  const write = (name: string, text: string) => {
    const path = join(HOME, name);
    writeFileSync(path, text.trimStart());
    return path;
  };
  return {
    ...process.env,
    CONTAINERS_CONF: write('containers.conf', CONTAINERS),
    CONTAINERS_STORAGE_CONF: write('storage.conf', STORAGE),
    CONTAINERS_REGISTRIES_CONF: write('registries.conf', REGISTRIES),
  };
}

const run = promisify(execFile);

/** Runs podman. Returns what it prints to standard output, without the last line break. Throws an error with what it prints otherwise. */
export async function podman(...args: string[]): Promise<string> {
  const { stdout } = await run('podman', args, { env: environment(), maxBuffer: 2 ** 26 });
  return stdout.trimEnd();
}

/** Whether an image with this name has the label, given as `name=value`. */
export const imageHas = (name: string, label: string): Promise<boolean> =>
  podman('images', '--quiet', '--filter', `label=${label}`, '--filter', `reference=${name}`).then(
    (found) => found !== '',
  );

/** Runs podman. Returns its exit code, and everything that it prints. */
export async function tryPodman(...args: string[]): Promise<{ code: number; output: string }> {
  const child = spawn('podman', args, { env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
  const [code] = await once(child, 'close');
  return { code: code ?? 1, output: Buffer.concat(chunks).toString() };
}
