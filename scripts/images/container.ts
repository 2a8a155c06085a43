import { until } from '../../packages/server/test/until.ts';
import { IMAGE } from './build.ts';
import { podman, tryPodman } from './podman.ts';

/** The arguments with which an operator runs it who wants nothing but the data to be writable. */
export const STRICT = [
  ...['--read-only', '--read-only-tmpfs=false', '--tmpfs=/tmp:size=64m,mode=1777'],
  ...['--cap-drop=all', '--security-opt=no-new-privileges'],
];

export interface Container {
  id: string;
  /** Its origin on this machine. */
  url: string;
  /** Everything that it has printed. */
  output(): Promise<string>;
  /** Runs a program in it. */
  exec(...command: string[]): Promise<{ code: number; output: string }>;
  /** Sends SIGTERM, and SIGKILL after `seconds`. Returns the exit code: 137 after SIGKILL. */
  stop(seconds: number): Promise<number>;
  remove(): Promise<void>;
}

/** Starts Gatehouse in a container and waits until it is ready. */
export async function startGatehouse(options: string[], image = IMAGE): Promise<Container> {
  const id = await podman('run', '--detach', '--publish=127.0.0.1::8080', ...options, image);
  const container = await containerOf(id);
  await untilReady(container);
  return container;
}

/** Returns a container that runs. Without a published port, it has no origin. */
export async function containerOf(id: string): Promise<Container> {
  const { code, output: address } = await tryPodman('port', id, '8080');
  const url = code === 0 ? `http://${address.trim()}` : '';
  return {
    id,
    url,
    output: async () => (await tryPodman('logs', id)).output,
    exec: (...command) => tryPodman('exec', id, ...command),
    async stop(seconds) {
      await podman('stop', '--time', String(seconds), id);
      return Number(await podman('inspect', '--format', '{{.State.ExitCode}}', id));
    },
    remove: async () => void (await podman('rm', '--force', '--time', '0', id)),
  };
}

/** Waits until Gatehouse serves requests. Throws an error with what it has printed if it ends before. */
export async function untilReady({ id, url, output }: Pick<Container, 'id' | 'url' | 'output'>) {
  const look = async () => {
    const reply = await fetch(`${url}/readyz`).catch(() => undefined);
    const status = await podman('inspect', '--format', '{{.State.Status}}', id);
    if (status === 'exited') throw new Error(`The container has ended:\n${await output()}`);
    return { ready: reply?.ok === true, status, output: await output() };
  };
  await until('Gatehouse in a container', look, ({ ready }) => ready, { seconds: 100, everyMs: 300 });
}

/** Runs a container to its end. Returns its exit code, and what it has printed. */
export const runToEnd = (options: string[], ...command: string[]) =>
  tryPodman('run', '--rm', '--no-healthcheck', ...options, IMAGE, ...command);

/** Calls the API of the first organization. */
export async function call({ url }: Pick<Container, 'url'>, key: string, path: string, body?: object) {
  const reply = await fetch(`${url}/org/acme${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Api-Key ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: reply.status, body: await reply.json() };
}
