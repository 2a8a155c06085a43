import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Db, within } from '#kit/database.ts';
import { isUuid } from '#kit/ids.ts';
import { appsWithConnector } from './queries/connectors.ts';

/** Returns the folder in which the connector of an app keeps its state. The folder of the organization has nothing else. */
export const folderOf = (folder: string, orgId: string, appId: string) => join(folder, orgId, appId);

/** Deletes the folders of this node whose apps have no connector any more. Those with a running process stay. */
export async function sweepFolders(
  db: Db,
  folder: string,
  isRunning: (appId: string) => boolean,
): Promise<void> {
  for (const orgId of await namesIn(folder)) {
    const apps = await namesIn(join(folder, orgId));
    const kept = new Set(await appsWithConnector(within(db, orgId), apps));
    for (const appId of apps)
      if (!kept.has(appId) && !isRunning(appId))
        await rm(folderOf(folder, orgId, appId), { recursive: true, force: true });
    // Fails unless it is empty.
    await rmdir(join(folder, orgId)).catch(() => undefined);
  }
}

const namesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(() => [])).filter(isUuid);
