import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Adds the assets of the build in `last` to the one in `next`, but not those that the last build has kept itself: open pages, and a server
 * that still runs, use them after an upgrade.
 */
export async function keepAssets(last: string, next: string): Promise<void> {
  const own = await readdir(join(next, 'assets'));
  await writeFile(join(next, 'assets-built'), own.join('\n'));
  const built = await readFile(join(last, 'assets-built'), 'utf8').catch(() => '');
  for (const file of built.split('\n'))
    if (file !== '' && !own.includes(file))
      await copyFile(join(last, 'assets', file), join(next, 'assets', file)).catch(() => {});
}
