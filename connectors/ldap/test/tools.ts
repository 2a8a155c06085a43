import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { silent, variableOf } from '@gatehouse/connector';
import { type ScriptedService, switchOf } from '@gatehouse/connector/conformance';
import { connector } from '../connector.ts';
import type { Directory } from '../kinds.ts';

export const run = promisify(execFile);

/** Connects to a directory with the given settings, and the defaults of all others. */
export async function connectTo(settings: Record<string, unknown>): Promise<Directory> {
  const defaults = { server: 'auto', startTls: false, nestedGroups: true };
  const { signal } = new AbortController();
  return connector.connect({ ...defaults, ...settings }, { signal, log: silent });
}

/** Runs the connector's command `sync` as a program, whose output goes to its log. */
export async function syncInto(
  service: ScriptedService,
  app: string,
  folder: string,
  settings: Record<string, unknown>,
  ...args: string[]
): Promise<{ code: number | null; output: string }> {
  const variables = Object.entries(settings).map(([name, value]) => [
    variableOf('ldap', name),
    String(value),
  ]);
  const target = {
    GATEHOUSE_URL: service.url,
    GATEHOUSE_API_KEY: service.key,
    GATEHOUSE_APP: app,
    GATEHOUSE_STATE_DIR: folder,
  };
  const env = { ...process.env, ...Object.fromEntries(variables), ...target };
  const file = fileURLToPath(new URL('../connector.ts', import.meta.url));
  const child = spawn(process.execPath, [file, 'sync', ...args], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const [output, code] = await Promise.all([text(child.stderr), ended]);
  return { code, output };
}

/** OpenLDAP's own tools, bound to a server. They look at it in another way than the connector does. */
export function toolsOf(url: string, bindDn: string, password: string, caFile?: string) {
  const options = { env: { ...process.env, ...(caFile ? { LDAPTLS_CACERT: caFile } : {}) } };
  const as = (dn: string, secret: string) => ['-H', url, '-x', '-D', dn, '-w', secret];
  const search = async (base: string, filter: string, ...attributes: string[]) => {
    const format = ['-LLL', '-o', 'ldif-wrap=no', '-b', base, filter, ...attributes];
    return (await run('ldapsearch', [...as(bindDn, password), ...format], options)).stdout;
  };
  return {
    search,
    async value(base: string, filter: string, attribute: string) {
      return new RegExp(`^${attribute}: (.*)$`, 'm').exec(await search(base, filter, attribute))?.[1];
    },
    /** Applies LDIF. Records without a changetype are added. */
    async apply(folder: string, ldif: string) {
      const file = join(folder, 'changes.ldif');
      await writeFile(file, ldif);
      await run('ldapmodify', [...as(bindDn, password), '-a', '-f', file], options);
    },
    signsIn: (dn: string, secret: string) =>
      run('ldapsearch', [...as(dn, secret), '-b', '', '-s', 'base', '1.1'], options).then(
        () => true,
        () => false,
      ),
  };
}

type SignIn = { bindDn: string; bindPassword: string };

/** Lets the connector sign in with another bind DN, to which the server does not show everything. */
export const signingInAs = (settings: SignIn, { bindDn, bindPassword }: SignIn) => {
  const usual = { bindDn: settings.bindDn, bindPassword: settings.bindPassword };
  return switchOf((on) => Object.assign(settings, on ? { bindDn, bindPassword } : usual));
};

/** Starts something in a temporary folder, which it deletes if the start fails. */
export async function inFolder<T>(prefix: string, start: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  try {
    return await start(folder);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

export type Server = { stop(signal?: NodeJS.Signals): Promise<void> };

/** A busy machine needs more than the usual second or two. */
const LONGEST_START_MS = 120_000;

/** Starts a server and waits until `ready` succeeds. */
export async function startServer(
  program: string,
  args: string[],
  ready: () => Promise<unknown>,
): Promise<Server> {
  // Samba ends when its standard input does, so that it never outlives the test.
  const child: ChildProcess = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'] });
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  const ended = new Promise<void>((resolve) =>
    child.once('exit', () => {
      process.off('exit', end);
      resolve();
    }),
  );
  const until = Date.now() + LONGEST_START_MS;
  for (;;) {
    try {
      if ((await ready()) !== false) break;
      throw new Error(`${program} is not ready`);
    } catch (error) {
      if (Date.now() > until || child.exitCode !== null) {
        child.kill('SIGKILL');
        throw error;
      }
      await sleep(100);
    }
  }
  return {
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      await ended;
    },
  };
}

type Certificate = { key: string; certificate: string };

/** Makes the certificate of a private CA. */
export async function makeAuthority(folder: string): Promise<Certificate> {
  const [key, certificate] = [join(folder, 'ca-key.pem'), join(folder, 'ca.pem')];
  const fresh = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=Acme CA', '-days', '30'];
  await run('openssl', [...fresh, '-keyout', key, '-out', certificate]);
  return { key, certificate };
}

/** Makes a certificate that a CA has signed, or else a self-signed one, its own CA. With `days` -1, it has expired. */
export async function makeCertificate(folder: string, names: string, days = 30, authority?: Certificate) {
  const [key, request, certificate, extensions] = ['key.pem', 'request.pem', 'cert.pem', 'names.conf'].map(
    (name) => join(folder, name),
  ) as [string, string, string, string];
  await writeFile(extensions, `subjectAltName=${names}\n`);
  const fresh = ['req', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=directory'];
  await run('openssl', [...fresh, '-keyout', key, '-out', request]);
  const signer = authority
    ? ['-CA', authority.certificate, '-CAkey', authority.key, '-CAcreateserial']
    : ['-signkey', key];
  const sign = ['x509', '-req', '-in', request, ...signer, '-days', String(days)];
  await run('openssl', [...sign, '-extfile', extensions, '-out', certificate]);
  return { key, certificate };
}

/** LDIF of people named person.0, person.1 and so on, or of anything else with a number. */
export const numbered = (count: number, entry: (n: number) => string, from = 0): string =>
  Array.from({ length: count }, (_, n) => entry(from + n)).join('\n');

export const fill = async (template: string, values: Record<string, string>) =>
  (await readFile(template, 'utf8')).replace(/%([a-z_]+)%/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the template ${template} has the unknown placeholder ${name}`);
    return value;
  });
