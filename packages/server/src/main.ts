import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createApp } from './app.ts';
import { ensureOrganization, type FirstStartSecrets } from './bootstrap.ts';
import { requirePrepared } from './cluster/prepare.ts';
import { type Config, readConfig } from './config.ts';
import { openReplica } from './platform/database/replica.ts';
import { StartError } from './platform/errors.ts';
import { permitAddresses } from './platform/http/addresses.ts';
import { permitLoopback, servesOnlyThisMachine } from './platform/http/outbound.ts';
import { createLogger } from './platform/logger.ts';
import { openData } from './startup.ts';

/** The built console. `npm start` builds it. */
const CONSOLE = join(import.meta.dirname, '../../console/dist');

/** Reads the configuration, opens the database, starts the app, and stops it on SIGTERM and SIGINT. */
async function main() {
  // Files of the data folder are for this user only.
  process.umask(0o077);
  const config = readConfig(process.env);
  permitLoopback(servesOnlyThisMachine(config.publicUrl, config.host));
  permitAddresses(config.allowPrivateAddresses);
  const logger = createLogger(config.logLevel);
  const { database, secrets, requireKeys } = await openData(config, {
    onError: (error) => logger.error({ err: error }, 'Database connection failed'),
    onDeath: (error) => {
      logger.fatal({ err: error }, 'The embedded database has stopped. Gatehouse exits.');
      process.exit(1);
    },
  });
  await requirePrepared(database.db);
  const created = await ensureOrganization(database.db, secrets, config);
  // Two nodes with different keys may have started on an empty database at the same time.
  await requireKeys();
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
    retryAfterSeconds: config.taskRetries,
    requestExpiryDays: config.requestExpiryDays,
    sessionHours: config.sessionHours,
    mail: config.mail,
    connectors: {
      folder: resolve(config.dataDir, 'connectors'),
      runs: config.connectorRuns,
      allowPrivateAddresses: config.allowPrivateAddresses,
    },
    home: config.org,
    console: { folder: CONSOLE },
  });

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
  const address = await app.http.listen({ port: config.port, host: config.host });
  console.log(banner(config, config.publicUrl ?? address, created));
}

/** The message for the operator, with the secrets of a first start. */
function banner(config: Config, origin: string, created: FirstStartSecrets | undefined): string {
  const lines = [
    'Gatehouse is running.',
    '',
    ...(existsSync(join(CONSOLE, 'index.html')) ? [`  Console        ${origin}/`] : []),
    `  Base URL       ${origin}/org/${config.org}`,
    `  API reference  ${origin}/docs`,
  ];
  if (created !== undefined) lines.push('', ...firstStartLines(config, created));
  return `\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n`;
}

const firstStartLines = (config: Config, { apiKey, adminEmail, adminPassword }: FirstStartSecrets) => [
  `This is the first start. Gatehouse created the organization "${config.org}", its owner and an API key.`,
  'Save these credentials now. They are not shown again.',
  '',
  `  Email          ${adminEmail}`,
  `  Password       ${config.adminPassword === undefined ? adminPassword : '(from GATEHOUSE_ADMIN_PASSWORD)'}`,
  `  API key        ${config.apiKey === undefined ? apiKey : '(from GATEHOUSE_API_KEY)'}`,
  '',
  'Next: open the console and sign in. It guides you to your first app and its first sync.',
];

main().catch((error: unknown) => {
  // Never print the error object: a database error contains the values of its statement.
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  console.error(error instanceof StartError ? message : stack);
  process.exit(1);
});
