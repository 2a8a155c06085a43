import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { constants, getPriority, setPriority } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { FirstStartSecrets } from '#bootstrap.ts';
import { type Config, readConfig } from '#config.ts';
import { useBreachedPasswords } from '#directory/sign-in/auth/breached-passwords.ts';
import { findNotes } from '#kit/database/notes.ts';
import { openReplica } from '#kit/database/replica.ts';
import { StartError } from '#kit/errors.ts';
import { listenFailure, requireFreePlace } from '#kit/http/listening.ts';
import { createLogger, openOutput } from '#kit/logger.ts';
import { reserveForEmbeddedDatabase } from '#kit/memory.ts';
import { permitAddresses } from '#kit/net/addresses.ts';
import { isLoopback, permitLoopback, servesOnlyThisMachine, useOutboundProxy } from '#kit/net/outbound.ts';
import { startFailureOf } from '#kit/start-failure.ts';
import { requirePrepared } from '#operate/cluster/prepare.ts';
import { openData } from '#startup.ts';
import { strongestIsolation } from '#work/connectors/isolate.ts';
import { useIsolation } from '#work/connectors/isolation.ts';

/** The packages of the console and of the help. Each has its pages in dist/, and a program that builds them. */
const CONSOLE = join(import.meta.dirname, '../../console');
const HELP = join(import.meta.dirname, '../../help');
const BUILDS_PAGES = process.argv.includes('--build-pages');

/** The credentials of a first start, until they are printed: they exist from then on, whatever stops this start. */
let unprinted: string[] = [];

/** Reads the configuration, opens the database, starts the app, and stops it on SIGTERM and SIGINT. */
async function main() {
  // `npm start` builds the console, if it has changed, while the server starts, and then the help. Their pages wait for them.
  const building = BUILDS_PAGES ? build(CONSOLE) : undefined;
  const buildingHelp = building?.then(() => build(HELP));
  // Reported at the end, unless something else stops the start first.
  building?.catch(() => undefined);
  buildingHelp?.catch(() => undefined);
  // Files of the data folder are for this user only.
  process.umask(0o077);
  const config = readConfig(process.env);
  permitLoopback(servesOnlyThisMachine(config));
  permitAddresses(config.allowPrivateAddresses);
  useOutboundProxy(config.proxy);
  await useBreachedPasswords(config.breachedPasswords);
  await requireFreePlace(config);
  if (config.databaseUrl === undefined) reserveForEmbeddedDatabase();
  const output = await openOutput();
  const logger = createLogger(config.logLevel, output.log);
  if (config.proxy !== undefined)
    logger.info({ proxy: config.proxy.url.origin }, 'Requests to other hosts go through a proxy');
  const opening = openData(config, {
    onError: (error) => logger.error({ err: error }, 'Database connection failed'),
    onDeath: (error) => {
      logger.fatal(
        { err: error },
        `The embedded database has stopped. Gatehouse exits. ${startFailureOf(error) ?? ''}`.trimEnd(),
      );
      process.exit(1);
    },
  });
  opening.catch(() => undefined);
  // Loading the modules below holds this thread for longer than PGlite needs to open in its own, which must have started.
  if (config.databaseUrl === undefined) await Promise.race([once(process, 'worker'), opening]);
  const [{ createApp }, { ensureOrganization }] = await Promise.all([
    import('#app.ts'),
    import('#bootstrap.ts'),
  ]);
  const { database, secrets, requireKeys } = await opening;
  const folder = resolve(config.dataDir, 'connectors');
  const isolating = strongestIsolation(folder, config.connectorIsolation);
  isolating.catch(() => undefined);
  await requirePrepared(database.db);
  const created = await ensureOrganization(database.db, secrets, config);
  if (created !== undefined) unprinted = credentialLines(config, created);
  // Two nodes with different keys may have started on an empty database at the same time.
  await requireKeys();
  for (const { sentence } of await findNotes(database, 'named')) logger.warn(sentence);
  const { databaseReadUrl } = config;
  const replica =
    databaseReadUrl === undefined ? undefined : await openReplica(database, { url: databaseReadUrl, logger });
  const app = await createApp({
    database,
    replica,
    secrets,
    logger,
    publicUrl: config.publicUrl,
    trustProxy: config.trustProxy,
    rateLimits: config.rateLimits,
    syncQuotas: config.syncQuotas,
    retryAfterSeconds: config.taskRetries,
    requestExpiryDays: config.requestExpiryDays,
    sessionHours: config.sessionHours,
    mail: config.mail,
    connectors: {
      folder,
      runs: config.connectorRuns,
      allowPrivateAddresses: config.allowPrivateAddresses,
      proxy: config.proxy,
    },
    home: config.org,
    console: { folder: join(CONSOLE, 'dist'), building },
    help: { folder: join(HELP, 'dist'), building: buildingHelp },
  });

  // Until here, trying it out takes place beside the work above.
  const isolation = await isolating;
  useIsolation(isolation);
  logger.info({ isolation: isolation.level }, 'Connectors run isolated');

  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'Stopping');
    await app.close();
    await replica?.close();
    await database.close();
    process.exit(0);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);

  // Jobs start before the server listens, since a request that sends a job must find its queue.
  await app.startJobs();
  const { port, host } = config;
  const address = await app.http.listen({ port, host }).catch((error: unknown) => {
    throw listenFailure(error, config);
  });
  output.print(banner(config, config.publicUrl ?? (await originForBrowsers(address)), created));
  unprinted = [];
  // For the next start. Otherwise Node.js stores the compiled modules when the process exits, and only if nothing kills it.
  flushCompileCache();
  // Ctrl+C ends the builds, too.
  await building?.catch((error: unknown) => {
    if (!stopping) throw error;
  });
  // A server without its help runs: an error in a document that somebody is editing ends nothing.
  await buildingHelp?.catch(() => {
    if (!stopping)
      process.stderr.write(
        'The help was not built: see above. /help/ has the pages of the last build, if any.\n',
      );
  });
}

/** Returns the address to open on this machine: `localhost` if it leads here, since passkeys belong to a name. */
async function originForBrowsers(address: string): Promise<string> {
  const { hostname, port } = new URL(address);
  if (!isLoopback(hostname)) return address;
  const named = `http://localhost:${port}`;
  const isOurs = await fetch(`${named}/healthz`, { signal: AbortSignal.timeout(2000) }).then(
    ({ ok }) => ok,
    () => false,
  );
  return isOurs ? named : address;
}

/** Builds the pages of a package. */
async function build(folder: string): Promise<void> {
  const child = spawn(process.execPath, [join(folder, 'scripts/build.ts')], {
    stdio: ['ignore', 'inherit', 'inherit'],
    // Builds are rare, and their compiled modules large.
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  // The server goes first.
  const { PRIORITY_BELOW_NORMAL } = constants.priority;
  if (child.pid !== undefined) setPriority(child.pid, Math.max(getPriority(), PRIORITY_BELOW_NORMAL));
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new StartError(`The ${basename(folder)} could not be built.`);
}

/** The message for the operator, with the secrets of a first start. */
function banner(config: Config, origin: string, created: FirstStartSecrets | undefined): string {
  const lines = [
    'Gatehouse is running.',
    '',
    ...(hasConsole() ? [`  Console        ${origin}/`] : []),
    `  Base URL       ${origin}/org/${config.org}`,
    `  API reference  ${origin}/docs`,
    ...(hasConsole() ? [`  Help           ${origin}/help/`] : []),
  ];
  if (created !== undefined)
    lines.push(
      '',
      ...credentialLines(config, created),
      'Next: open the console and sign in. It guides you to your first app and its first sync.',
    );
  return `\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n\n`;
}

const hasConsole = () => BUILDS_PAGES || existsSync(join(CONSOLE, 'dist/index.html'));

const credentialLines = (config: Config, { apiKey, adminEmail, adminPassword }: FirstStartSecrets) => [
  `This is the first start. Gatehouse created the organization "${config.org}", its owner and an API key.`,
  'Save these credentials now. They are not shown again.',
  '',
  `  Email          ${adminEmail}`,
  `  Password       ${config.adminPassword === undefined ? adminPassword : '(from GATEHOUSE_ADMIN_PASSWORD)'}`,
  `  API key        ${config.apiKey === undefined ? apiKey : '(from GATEHOUSE_API_KEY)'}`,
  '',
];

main().catch((error: unknown) => {
  // Never print the error object: a database error contains the values of its statement.
  const { stack } = error instanceof Error ? error : new Error(String(error));
  console.error([...unprinted, startFailureOf(error) ?? stack].join('\n'));
  process.exit(1);
});
