// @module-tag long

import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { migrate } from '#kit/database/migrate.ts';
import { openDatabase } from '#kit/database/open.ts';
import { openRunFolder } from './keeper.ts';
import { startService } from './service.ts';

const WELCOME = /^ {2}Gatehouse is running\.\n[\s\S]*^ {2}Next: open the console and sign in\..*\n/m;

/** A folder with tables and without an organization, which each test copies. */
let migrated: string;
beforeAll(async () => {
  const folder = await openRunFolder();
  migrated = join(folder.path, 'data');
  const database = await openDatabase({ dataDir: migrated });
  await migrate(database);
  await database.close();
  return folder.remove;
}, 180_000);

async function firstStart(command?: [string, ...string[]]): Promise<string> {
  const folder = await openRunFolder();
  onTestFinished(folder.remove);
  const dataDir = join(folder.path, 'data');
  await cp(migrated, dataDir, { recursive: true });
  const service = await startService({
    database: { dataDir },
    environment: { GATEHOUSE_API_KEY: '', NO_COLOR: '1' },
    ...(command === undefined ? {} : { command }),
  });
  await expect.poll(() => service.output()).toContain('guides you to your first app');
  await service.stop();
  return service.output().replaceAll('\r\n', '\n');
}

/** Returns the log before and after the welcome text. */
function aroundWelcome(output: string): [before: string, after: string] {
  const [welcome = ''] = WELCOME.exec(output) ?? [];
  expect(welcome).toMatch(/API key {8}gh_\w+/);
  expect(welcome).toMatch(/Base URL {7}http:\/\/localhost:\d+\/org\/acme/);
  expect(welcome).not.toContain('listening');
  const [before = '', after = ''] = output.split(welcome);
  return [before, after];
}

const JSON_LINES = /^(\{"level":\d+,.*\}\n|\n)*$/;

test('without a terminal, the log is JSON, and the welcome text follows the lines of the start', async () => {
  const [before, after] = aroundWelcome(await firstStart());
  expect(before).toContain('"msg":"Server listening at http://127.0.0.1:');
  expect(before).toMatch(JSON_LINES);
  expect(after).toMatch(JSON_LINES);
});

// The `script` of other systems has other options.
test.runIf(process.platform === 'linux')('on a terminal, the log is readable', async () => {
  const server = `exec ${process.execPath} packages/server/src/main.ts`;
  const [before, after] = aroundWelcome(await firstStart(['script', '-qfec', server, '/dev/null']));
  expect(before).toMatch(/\[\d\d:\d\d:\d\d\] INFO: Server listening at http:\/\/127\.0\.0\.1:\d+\n/);
  expect(before + after).not.toContain('{"level"');
});
