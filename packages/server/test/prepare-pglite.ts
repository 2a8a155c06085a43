import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate } from '../src/platform/database/migrate.ts';
import { openDatabase } from '../src/platform/database/open.ts';
import { openRunFolder } from './keeper.ts';

/** Migrates one PGlite folder for the whole run. Copying it takes a tenth of the time. */
export async function setup(project: TestProject) {
  const run = await openRunFolder();
  const folder = join(run.path, 'prepared');
  const database = await openDatabase({ dataDir: folder });
  await migrate(database);
  await database.close();
  project.provide('prepared', { engine: 'pglite', folder });
  return run.remove;
}
