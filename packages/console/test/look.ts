/**
 * Shows the console with the seeded company:
 *
 *   look.ts serve [--months]               serves Gatehouse with seeded data, and the console from its sources. The data
 *                                          spans a year with --months
 *   look.ts fresh                          restarts the server with its current sources and new data
 *   look.ts shot <path>... [options]       takes a screenshot of each address
 *
 * In a path, {apps.crm} stands for a seeded ID. `look.ts ids` lists them.
 */
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { createServer } from 'vite';
import type { Service } from '../../server/test/service.ts';
import { launchChromium } from './chromium.ts';
import { PASSWORD, type Seeded, seed } from './seed.ts';
import { type Role, STAFF } from './seed-company.ts';
import { startYear } from './seed-year.ts';
import { startGatehouse } from './server.ts';
import { openVisit } from './visit.ts';

/** The service listens on LOOK_PORT, the console's sources on the next port. */
const API_PORT = Number(process.env.LOOK_PORT ?? 8123);
const PAGE_PORT = API_PORT + 1;
const STATE = join(tmpdir(), `gatehouse-look-${API_PORT}.json`);

interface State {
  pid: number;
  base: string;
  url: string;
  key: string;
  seeded: Seeded;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    as: { type: 'string', default: 'owner' },
    dark: { type: 'boolean', default: false },
    width: { type: 'string', default: '1440' },
    height: { type: 'string', default: '900' },
    out: { type: 'string', default: join(tmpdir(), 'look') },
    full: { type: 'boolean', default: false },
    click: { type: 'string', multiple: true, default: [] },
    wait: { type: 'string' },
    months: { type: 'boolean', default: false },
  },
});
const [command = 'shot', ...rest] = positionals;
if (command === 'serve') await serve();
else if (command === 'fresh') await fresh();
else if (command === 'ids') say(JSON.stringify((await running()).seeded, null, 2));
else await shoot(await running(), command === 'shot' ? rest : positionals);

function say(line: string) {
  process.stdout.write(`${line}\n`);
}

async function running(): Promise<State> {
  const state = JSON.parse(await readFile(STATE, 'utf8').catch(() => 'null')) as State | null;
  const response = state && (await fetch(`http://127.0.0.1:${API_PORT}/healthz`).catch(() => undefined));
  if (!state || !response?.ok) throw new Error('Start `look.ts serve` first, in another terminal.');
  return state;
}

async function serve(): Promise<void> {
  process.env.GATEHOUSE_DEV_SERVER = `http://127.0.0.1:${API_PORT}`;
  let service = await startSeeded();
  const vite = await createServer({
    root: join(import.meta.dirname, '..'),
    configFile: join(import.meta.dirname, '../vite.config.ts'),
    server: { port: PAGE_PORT, strictPort: true, hmr: false },
    logLevel: 'warn',
  });
  await vite.listen();
  say(`http://127.0.0.1:${PAGE_PORT}/ (sources), http://127.0.0.1:${API_PORT}/ (as built), ${PASSWORD}`);
  process.on('SIGHUP', async () => {
    await service.stop();
    service = await startSeeded().catch((error) => {
      say(`${error}`);
      return service;
    });
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      await vite.close();
      await service.stop();
      process.exit(0);
    });
  }
}

async function startSeeded(): Promise<Service> {
  const { service, seeded } = values.months ? await startPast() : await startToday();
  const state: State = {
    pid: process.pid,
    base: `http://127.0.0.1:${PAGE_PORT}/org/acme`,
    url: `http://127.0.0.1:${PAGE_PORT}`,
    key: service.key,
    seeded,
  };
  await writeFile(STATE, JSON.stringify(state));
  say(`Seeded ${service.url}/org/acme, key ${service.key}`);
  return service;
}

async function startToday() {
  const service = await startGatehouse({ port: API_PORT });
  return { service, seeded: await seed(`${service.url}/org/acme`, service.key) };
}

async function startPast() {
  return startYear({ dataDir: await mkdtemp(join(tmpdir(), 'gatehouse-look-')), port: API_PORT });
}

async function fresh(): Promise<void> {
  const before = JSON.parse(await readFile(STATE, 'utf8')) as State;
  process.kill(before.pid, 'SIGHUP');
  const end = Date.now() + 60_000;
  for (let after: State | undefined; after === undefined || after.key === before.key; ) {
    if (Date.now() > end)
      throw new Error('The server does not start again. See the output of `look.ts serve`.');
    await new Promise((wake) => setTimeout(wake, 500));
    after = await running().catch(() => undefined);
  }
}

async function shoot({ url, base, seeded }: State, paths: string[]): Promise<void> {
  const browser = await launchChromium();
  const as = values.as === 'nobody' ? null : (STAFF[values.as as Role] ?? values.as);
  const visit = await openVisit(
    browser,
    { url, base },
    { as, width: Number(values.width), height: Number(values.height), dark: values.dark },
  );
  for (const pattern of paths) {
    const path = pattern.replace(/\{([a-z]+)\.([^}]+)\}/g, (_, kind, name) => {
      const id = (seeded as unknown as Record<string, Record<string, string>>)[kind]?.[name];
      if (id === undefined) throw new Error(`The seed has no ${kind}.${name}.`);
      return id;
    });
    await visit.goto(path).catch((error: Error) => visit.problems.push(error.message));
    for (const name of values.click) {
      await visit.page.getByText(name).or(visit.page.getByLabel(name)).first().click();
      await visit.settled();
    }
    if (values.wait !== undefined) await visit.page.getByText(values.wait).first().waitFor();
    const wide = await visit.page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    if (wide) visit.problems.push('The page scrolls sideways.');
    const file = values.out.endsWith('.png') ? values.out : join(values.out, `${nameOf(pattern)}.png`);
    await mkdir(dirname(file), { recursive: true });
    await visit.page.screenshot({ path: file, fullPage: values.full });
    say(`${file} ${visit.page.url().slice(url.length)}`);
    for (const problem of visit.problems.splice(0)) say(`  ! ${problem}`);
  }
  await browser.close();
}

function nameOf(pattern: string): string {
  const name =
    pattern
      .replace(/[{}]/g, '')
      .replace(/[^A-Za-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'overview';
  return [name, values.as, values.width, values.dark ? 'dark' : 'light'].join('-');
}
