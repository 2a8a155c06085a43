// Writes schema.sql, the whole schema that the migrations lead to, or with --check says whether it is up to date.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { pgDump } from '@electric-sql/pglite-tools/pg_dump';
import { migrate } from '../src/platform/database/migrate.ts';
import { openDatabase } from '../src/platform/database/open.ts';

const FILE = new URL('../schema.sql', import.meta.url);
const HEADER =
  '-- What migrations/ leads to, written by `npm run schema`. To be read and diffed, never run.\n\n';

const schema = HEADER + withoutNoise(await dump());
if (process.argv.includes('--check')) {
  if (schema !== (await readFile(FILE, 'utf8').catch(() => ''))) {
    console.error('packages/server/schema.sql is not what the migrations lead to. Run: npm run schema');
    process.exitCode = 1;
  }
} else {
  await writeFile(FILE, schema);
}

async function dump(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-schema-'));
  try {
    const database = await openDatabase({ dataDir });
    await migrate(database);
    await database.close();
    const pg = await PGlite.create({ dataDir: join(dataDir, 'pglite'), extensions: { pg_trgm } });
    const file = await pgDump({ pg, args: ['--schema-only', '--no-owner', '--no-privileges'] });
    await pg.close();
    return await file.text();
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Session settings, and headings that only repeat the statement below them. */
function withoutNoise(text: string): string {
  const lines = text
    .split('\n')
    .filter((line) => !/^(--|SET |\\(un)?restrict |SELECT pg_catalog[.]set_config)/.test(line));
  return `${lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}
