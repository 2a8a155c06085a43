import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate } from '#kit/database/migrate.ts';
import { openDatabase } from '#kit/database/open.ts';
import type { Template } from './database.ts';
import { guardDigests } from './digest-guard.ts';
import { openRunFolder } from './keeper.ts';
import { addFirstOrganization } from './organization.ts';

/** Prepares one PGlite folder for each template. Copying a folder takes a tenth of the time of making it. */
export async function setup(project: TestProject) {
  const run = await openRunFolder();
  const folderOf = (template: Template) => join(run.path, template);
  const migrated = await openDatabase({ dataDir: folderOf('migrated') });
  await migrate(migrated);
  await guardDigests(migrated);
  await migrated.close();
  await cp(folderOf('migrated'), folderOf('organization'), { recursive: true });
  const organization = await openDatabase({ dataDir: folderOf('organization') });
  const key = await addFirstOrganization(organization);
  await organization.close();
  project.provide('prepared', { engine: 'pglite', folder: run.path, key });
  return run.remove;
}
