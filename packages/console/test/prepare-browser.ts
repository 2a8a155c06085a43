import { randomUUID } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { administer, databaseAt } from '../../server/test/citus.ts';
import { openRunFolder } from '../../server/test/keeper.ts';
import { FAST, startPostgres } from '../../server/test/postgres.ts';
import { temporaryFolder } from '../../server/test/temporary.ts';
import { until } from '../../server/test/until.ts';
import { buildConsole } from './build.ts';
import { seed } from './seed.ts';
import type { Prepared } from './seeded.ts';
import { startGatehouse } from './server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The file that will hold what is `Prepared`, or the error that prevented it (prepared.ts). */
    company: string;
  }
}

const TEMPLATE = 'company';

/**
 * Prepares once what all browser tests need: the console's build and the seeded company. It goes on while the tests of other projects
 * run, and the first browser test waits for it.
 */
export async function setup(project: TestProject) {
  const folder = await openRunFolder();
  const file = join(folder.path, 'company.json');
  project.provide('company', file);
  const starting = startPostgres(FAST, await temporaryFolder());
  const preparing = starting
    .then(({ socketUrl }) => prepare(socketUrl))
    .catch((error: Error) => ({ error: error.stack ?? String(error) }))
    .then((outcome) => store(file, outcome));
  return async () => {
    await preparing;
    await starting.then(({ stop }) => stop()).catch(() => undefined);
    await folder.remove();
  };
}

async function prepare(adminUrl: string): Promise<Prepared> {
  const key = `test-${randomUUID()}`;
  await Promise.all([administer(adminUrl, `create database ${TEMPLATE}`), buildConsole()]);
  const service = await startGatehouse({ database: { url: databaseAt(adminUrl, TEMPLATE) }, key });
  const base = `${service.url}/org/acme`;
  const seeded = await seed(base, service.key);
  await until('findings', () => leaversOf(base, service.key), Boolean, { seconds: 60, everyMs: 100 });
  await service.stop();
  // A database that somebody uses cannot be copied.
  await administer(
    adminUrl,
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${TEMPLATE}'`,
  );
  return { adminUrl, template: TEMPLATE, key, seeded };
}

/** Returns the number of findings about leavers: the service looks for them after the seed. */
async function leaversOf(base: string, key: string): Promise<number> {
  const answer = await fetch(`${base}/api/findings/?kind=leaver_with_access`, {
    headers: { authorization: `Api-Key ${key}` },
  });
  return ((await answer.json()) as { count: number }).count;
}

/** Readers see the whole file or none. */
async function store(file: string, outcome: object) {
  await writeFile(`${file}.draft`, JSON.stringify(outcome));
  await rename(`${file}.draft`, file);
}
