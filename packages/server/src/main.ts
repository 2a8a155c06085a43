import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureOrganization, type FirstStartSecrets } from './access/bootstrap.ts';
import { createApp } from './app.ts';
import { type Config, readConfig } from './config.ts';
import { migrate } from './platform/database/migrate.ts';
import { openDatabase } from './platform/database/open.ts';
import { StartError } from './platform/errors.ts';
import { createLogger } from './platform/logger.ts';

/** What `npm start` builds. */
const CONSOLE = join(import.meta.dirname, '../../console/dist');

/** The process: configuration, database, app, listen, signals. */
async function main() {
  const config = readConfig(process.env);
  const logger = createLogger(config.logLevel);
  const database = await openDatabase({
    url: config.databaseUrl,
    dataDir: config.dataDir,
    onError: (error) => logger.error({ err: error }, 'database connection'),
  });
  await migrate(database);
  const secrets = await ensureOrganization(database.db, config);
  const app = await createApp({
    database,
    logger,
    publicUrl: config.publicUrl,
    trustProxy: config.trustProxy,
    rateLimits: config.rateLimits,
    retryAfterSeconds: config.taskRetries,
    requestExpiryDays: config.requestExpiryDays,
    sessionHours: config.sessionHours,
    console: { folder: CONSOLE, organization: config.org },
  });

  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    await app.close();
    await database.close();
    process.exit(0);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);

  // First the queues: a request that sends a job must find its queue.
  await app.startJobs();
  const address = await app.http.listen({ port: config.port, host: config.host });
  console.log(banner(config, config.publicUrl ?? address, secrets));
}

function banner(config: Config, origin: string, secrets: FirstStartSecrets | undefined): string {
  const lines = [
    `Gatehouse is running.`,
    ``,
    ...(existsSync(join(CONSOLE, 'index.html')) ? [`  console   ${origin}/`] : []),
    `  base_url  ${origin}/org/${config.org}`,
    `  reference ${origin}/docs`,
  ];
  if (secrets !== undefined) {
    lines.push(
      ``,
      `First start: what was made is shown once. Keep it.`,
      `  API key   ${config.apiKey === undefined ? secrets.apiKey : '(GATEHOUSE_API_KEY)'}`,
      `  sign in   ${secrets.adminEmail}`,
      `  password  ${config.adminPassword === undefined ? secrets.adminPassword : '(GATEHOUSE_ADMIN_PASSWORD)'}`,
    );
  }
  return `\n${lines.map((line) => `  ${line}`).join('\n')}\n`;
}

main().catch((error: unknown) => {
  // Not the error itself: one of the database carries the values of its statement.
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  console.error(error instanceof StartError ? message : stack);
  process.exit(1);
});
