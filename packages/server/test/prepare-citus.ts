import type { TestProject } from 'vitest/node';
import { migrate } from '#kit/database/migrate.ts';
import { openDatabase } from '#kit/database/open.ts';
import { prepareCluster } from '#operate/cluster/prepare.ts';
import {
  administer,
  type Citus,
  cloneDatabase,
  createClusterDatabase,
  databaseAt,
  startCitus,
} from './citus.ts';
import type { Template } from './database.ts';
import { addFirstOrganization } from './organization.ts';
import { temporaryFolder } from './temporary.ts';

/** Few shards: each test file copies all of them. */
const SHARDS = 4;

/** Starts one cluster for the whole run and prepares one database for each template. */
export async function setup(project: TestProject) {
  const settings = [
    'fsync = off',
    'synchronous_commit = off',
    'full_page_writes = off',
    // Connections between the nodes are processes: opening them took a third of the time of the tests.
    'citus.max_cached_conns_per_worker = 4',
    'citus.distributed_deadlock_detection_factor = 30',
  ];
  const citus = await startCitus(settings, await temporaryFolder());
  try {
    const key = await prepareTemplates(citus.urls);
    project.provide('prepared', { engine: 'citus', urls: citus.urls, key });
  } catch (error) {
    await citus.stop();
    throw error;
  }
  return () => citus.stop();
}

/** Returns the API key of the organization in the template `organization`. */
async function prepareTemplates(urls: Citus['urls']): Promise<string> {
  const migrated = await createClusterDatabase(urls, 'migrated');
  const empty = await openDatabase({ url: migrated });
  await migrate(empty);
  await prepareCluster(empty.db, { shards: SHARDS });
  await empty.close();
  await freeze(urls, 'migrated');

  await cloneDatabase(urls, 'organization', 'migrated');
  const database = await openDatabase({ url: databaseAt(urls[0], 'organization') });
  const key = await addFirstOrganization(database);
  await database.close();
  await freeze(urls, 'organization');
  return key;
}

/** Closes a database to everybody, also to the daemons of Citus, so that it can be copied. */
async function freeze(urls: readonly string[], name: Template): Promise<void> {
  for (const url of urls) {
    await administer(
      url,
      `alter database ${name} with allow_connections false`,
      `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${name}'`,
    );
  }
}
