import { readFile, writeFile } from 'node:fs/promises';
import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { createApp } from '../../server/src/app.ts';
import { migrate } from '../../server/src/platform/database/migrate.ts';
import { openDatabase } from '../../server/src/platform/database/open.ts';
import { createLogger } from '../../server/src/platform/logger.ts';

const FILE = new URL('../src/api/schema.ts', import.meta.url);
const BASE = '/org/{org}';

interface Operation {
  parameters?: { name: string; in: string }[];
}

/**
 * Writes src/api/schema.ts, the types of the API, from the server's own OpenAPI document; or, to check, says whether
 * they are up to date. Called by `npm run docs`.
 */
export async function writeClient(check: boolean): Promise<boolean> {
  const types = astToString(await openapiTypes(belowBase(await serverDocument()), { alphabetize: true }));
  const text = `// Written by \`npm run docs\` from the server's /openapi.json. Change the routes, not this file.\n${types}`;
  if (check) return text === (await readFile(FILE, 'utf8').catch(() => ''));
  await writeFile(FILE, text);
  return true;
}

async function serverDocument() {
  const database = await openDatabase({});
  await migrate(database);
  const app = await createApp({
    database,
    logger: createLogger('silent'),
    publicUrl: undefined,
    trustProxy: false,
  });
  await app.http.ready();
  const document = structuredClone(app.http.swagger());
  await app.close();
  await database.close();
  return document;
}

/** The console speaks below one base_url only: addresses as they read there, without the organization. */
function belowBase(document: object): OpenAPI3 {
  const { paths, ...rest } = document as { paths: Record<string, Record<string, Operation>> };
  const own = Object.entries(paths).filter(([path]) => path.startsWith(BASE));
  for (const [, operations] of own) {
    for (const operation of Object.values(operations)) {
      operation.parameters =
        operation.parameters?.filter(({ name, in: where }) => name !== 'org' || where !== 'path') ?? [];
    }
  }
  const below = Object.fromEntries(own.map(([path, operations]) => [path.slice(BASE.length), operations]));
  return { ...rest, paths: below } as unknown as OpenAPI3;
}
