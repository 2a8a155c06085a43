// @module-tag long
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { backUp } from '#backup.ts';
import { readConfig } from '#config.ts';
import { startService } from '#test/service.ts';
import { temporaryFolder } from '#test/temporary.ts';
import { openDatabase } from './open.ts';
import { openingFailure } from './whole-folder.ts';

// Each opens embedded databases, which takes long on a busy machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let root: string;
let whole: string;

beforeAll(async () => {
  root = await mkdtemp(join(await temporaryFolder(), 'gatehouse-whole-'));
  whole = join(root, 'whole');
  await (await openDatabase({ dataDir: whole })).close();
});
afterAll(() => rm(root, { recursive: true, force: true }));

let copies = 0;
async function copy(): Promise<string> {
  copies += 1;
  const folder = join(root, `copy${copies}`);
  await cp(whole, folder, { recursive: true });
  return folder;
}

const start = (dataDir: string, environment = {}) => startService({ database: { dataDir }, environment });

test.each([
  'PG_VERSION',
  'global/pg_control',
  'postgresql.conf',
  'base',
  'pg_wal',
  'pg_xact',
  'pg_multixact',
])('refuses a database without %s, and leaves it as it is', async (part) => {
  const folder = await copy();
  await rm(join(folder, 'pglite', part), { recursive: true });
  const before = await readdir(join(folder, 'pglite'), { recursive: true });

  await expect(openDatabase({ dataDir: folder })).rejects.toThrow(
    `is incomplete: ${part} is missing. Nothing was changed.`,
  );
  expect(await readdir(join(folder, 'pglite'), { recursive: true })).toEqual(before);
  await expect(backUp(readConfig({ GATEHOUSE_DATA_DIR: folder }), `${folder}.backup`)).rejects.toThrow(
    `${part} is missing`,
  );
});

test('refuses an empty PG_VERSION', async () => {
  const folder = await copy();
  await truncate(join(folder, 'pglite/PG_VERSION'));

  await expect(openDatabase({ dataDir: folder })).rejects.toThrow('PG_VERSION is empty');
});

test('names the data folder above if the setting names the database itself', async () => {
  const folder = await copy();

  await expect(openDatabase({ dataDir: join(folder, 'pglite') })).rejects.toThrow(
    `Set GATEHOUSE_DATA_DIR to ${folder}`,
  );
});

test.each([
  ['a secret key, but no database', 'secret.key'],
  ['was interrupted', 'restoring'],
])('refuses a folder without a database that says: %s', async (sentence, name) => {
  const folder = await copy();
  await rm(join(folder, 'pglite'), { recursive: true });
  await writeFile(join(folder, name), '');

  await expect(openDatabase({ dataDir: folder })).rejects.toThrow(sentence);
});

test('says what to do about damaged files, without a stack', async () => {
  const folder = await copy();
  await truncate(join(folder, 'pglite/global/pg_control'), 100);

  await expect(start(folder)).rejects.toThrow(
    /^The service ended with 1:\nThe database in \S+ cannot be opened: its files are damaged or incomplete\. .* see docs\/backup\.md\.\n$/s,
  );
});

test('says what to do about a secret key that is a folder, without a stack', async () => {
  const folder = await copy();
  await cp(join(whole, 'pglite/pg_wal'), join(folder, 'secret.key'), { recursive: true });

  await expect(start(folder, { GATEHOUSE_SECRET_KEY: '' })).rejects.toThrow(
    /^The service ended with 1:\n\S+secret\.key is a folder, but must be a file\. .*\n$/,
  );
});

const canMount = process.getuid?.() === 0 && process.platform === 'linux';

describe.skipIf(!canMount)('on a small disk', () => {
  async function smallDisk(megabytes: number): Promise<string> {
    const folder = await mkdtemp(join(root, 'disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'gatehouse-test', folder]);
    onTestFinished(() => void execFileSync('umount', ['--lazy', folder]));
    return folder;
  }

  test('says that the disk is full at the first start, without a stack', async () => {
    const folder = await smallDisk(20);

    await expect(start(folder)).rejects.toThrow(
      /^The service ended with 1:\nThe disk of the data folder \S+ is full: .* Free some space, then start Gatehouse again\.\n$/,
    );
  });

  test('says that the disk is full if not even the lock fits, without a stack', async () => {
    const folder = await smallDisk(1);
    execFileSync('sh', ['-c', `cat /dev/zero > ${folder}/filler || true`], { stdio: 'ignore' });
    await mkdir(join(folder, 'data'));

    await expect(start(join(folder, 'data'))).rejects.toThrow(
      /^The service ended with 1:\nThe disk of the data folder \S+ is full: .* Free some space, then start Gatehouse again\.\n$/,
    );
  });

  test('ends with the reason if the log of the database no longer fits', async () => {
    const dataDir = join(await smallDisk(58), 'data');
    await cp(whole, dataDir, { recursive: true });
    const death = Promise.withResolvers<Error>();
    const database = await openDatabase({ dataDir, onDeath: death.resolve });
    onTestFinished(() => database.close());
    await database.exec('create table filler (text text)');
    const fill = async () => {
      for (;;)
        await sql`
          insert into filler select repeat(md5(random()::text), 100) from generate_series(1, 100)`.execute(
          database.db,
        );
    };

    await expect(fill()).rejects.toMatchObject({ code: '53100' });

    expect(await death.promise).toMatchObject({ code: '53100' });
    await expect(sql`select 1`.execute(database.db)).rejects.toMatchObject({ code: 'unavailable' });
    expect((await openingFailure(dataDir)).message).toContain('is full');
  });

  test('/readyz returns 503 while the disk is full, and 200 afterwards', async () => {
    const disk = await smallDisk(160);
    const service = await start(join(disk, 'data'));
    onTestFinished(() => service.kill());
    const ready = async () => {
      const reply = await fetch(`${service.url}/readyz`);
      return [reply.status, await reply.json()];
    };
    await expect.poll(ready).toEqual([200, { status: 'ready' }]);

    execFileSync('sh', ['-c', `cat /dev/zero > ${disk}/filler || true`], { stdio: 'ignore' });
    await expect.poll(ready).toEqual([503, { status: 'writes failing' }]);

    await rm(join(disk, 'filler'));
    await expect.poll(ready).toEqual([200, { status: 'ready' }]);
  });
});
