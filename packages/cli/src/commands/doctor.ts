import { access, constants, mkdir } from 'node:fs/promises';
import { counted, Exit, exchange, Failure, reason, runCommandLine, stateFolder } from '@gatehouse/connector';
import { Command } from 'commander';
import pc from 'picocolors';
import { loadConnector } from '../load-connector.ts';
import { columns, print, serviceOf } from '../service.ts';

type Diagnosis = { what: string; ok: boolean; detail: string };

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('diagnose the setup')
    .argument('[connector]', 'also check this connector')
    .option('--url <url>', 'base address of the organization')
    .option('--json', 'print JSON')
    .action(async (path: string | undefined, { url, json }: { url?: string; json?: true }) => {
      const diagnoses = [
        await diagnose('runtime', runtime),
        await diagnose('service', () => service(url)),
        await diagnose('clock', () => clock(url)),
        await diagnose('state folder', state),
        ...(path ? [await diagnose('connector', () => connector(path))] : []),
      ];
      if (json) print(JSON.stringify(diagnoses));
      else
        print(
          columns(
            diagnoses.map(({ what, ok, detail }) => [ok ? pc.green('ok') : pc.red('failed'), what, detail]),
          ),
        );
      if (diagnoses.some(({ ok }) => !ok)) process.exitCode = Exit.failed;
    });
}

async function diagnose(what: string, look: () => Promise<string>): Promise<Diagnosis> {
  try {
    return { what, ok: true, detail: await look() };
  } catch (error) {
    return { what, ok: false, detail: reason(error) };
  }
}

async function runtime(): Promise<string> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 22 || (major === 22 && minor < 18))
    throw new Failure(`Node.js ${process.version} is too old; install 22.18 or newer`);
  return `Node.js ${process.version}`;
}

async function service(url: string | undefined): Promise<string> {
  const { service: found, url: address } = serviceOf(url);
  const apps = await found.listApps();
  return `${address} accepts the key, which may access ${counted(apps.length, 'app')}`;
}

/** Compares the clocks: keys expire and schedules run by time. */
async function clock(url: string | undefined): Promise<string> {
  const { headers } = await exchange(new URL(serviceOf(url).url), { timeout: 10_000 }, undefined);
  const theirs = Date.parse(headers.date ?? '');
  if (Number.isNaN(theirs)) return 'the service sends no Date header';
  const seconds = Math.round(Math.abs(Date.now() - theirs) / 1000);
  if (seconds > 60) throw new Failure(`this clock and the clock of the service differ by ${seconds} s`);
  return `within ${Math.max(1, seconds)} s of the service`;
}

async function state(): Promise<string> {
  const folder = stateFolder(process.env.GATEHOUSE_APP ?? '', process.env);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await access(folder, constants.W_OK);
  return `${folder} is writable`;
}

async function connector(path: string): Promise<string> {
  const { connector: found } = await loadConnector(path);
  const said: string[] = [];
  const sink = { write: (text: string) => void said.push(text) };
  const { env, stdin } = process;
  const terminal = { env, stdin, stdout: sink, stderr: sink, signal: new AbortController().signal };
  const exit = await runCommandLine(found, ['check'], terminal);
  if (exit !== Exit.ok)
    throw new Failure(
      said
        .join('')
        .trim()
        .replace(/^error: /, ''),
    );
  return said.join('').trim();
}
