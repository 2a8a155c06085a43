// Derives from the SQL which feature writes and which features read each table, and writes the result into
// ARCHITECTURE.md. Fails if a table has a second writer, if a trigger carries a rule, if an advisory lock is used, if SQL stands outside
// of queries, facts and filters, or if a file re-exports a query.
// With --check it writes nothing and also fails if the table in ARCHITECTURE.md is out of date. With --places it
// prints every place of every use.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { REFERENCES } from '../packages/server/src/references.ts';
import { ownersOf, type TableUse, tableOfOwners } from './table-owners/owners.ts';
import { schemaOf } from './table-owners/schema.ts';

const SERVER = new URL('../packages/server/', import.meta.url);
const DOCUMENT = new URL('../ARCHITECTURE.md', import.meta.url);
const BEGIN = '<!-- tables:begin -->';
const END = '<!-- tables:end -->';

const ALLOWED = {
  'trigger event_append_only': 'Declarative: refuses every change of an event except by retention.',
  'trigger event_no_truncate': 'Declarative: refuses to empty the event log.',
  'advisory lock in kit/jobs/queries/jobs.ts':
    'On a cluster, only locks of the server outlast the first phase of a commit. Row locks end with it (ADR 16).',
  'advisory lock in kit/identity/organization-facts.ts':
    'On a cluster, all nodes have the organizations, and the lock of one would be that of all of them (ADR 16).',
  'advisory lock in append_events':
    'A queue in front of the row of the log head, whose lock decides (ADR 7).',
  'tables in operate/move/queries/catalog.ts':
    'Fills an empty database with the rows of another one, before any feature uses it.',
  'tables in kit/database/references.ts': 'The feature that declares a table writes it (references.ts).',
};

const schema = schemaOf([
  // Made by the migrator itself, before the first migration.
  'create table schema_migration (name text);',
  ...(await texts('migrations/', (name) => name.endsWith('.sql'))).map(({ code }) => code),
]);
const files = await texts('src/', (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
const { tables, problems } = ownersOf(schema, files, ALLOWED, REFERENCES);

const before = await readFile(DOCUMENT, 'utf8');
const after = withTable(before, tableOfOwners(tables));
if (process.argv.includes('--check')) {
  if (after !== before) problems.push('The table in ARCHITECTURE.md is out of date. Run: npm run tables');
} else {
  await writeFile(DOCUMENT, after);
  console.log(tableOfOwners(tables));
}
if (process.argv.includes('--places')) printPlaces(tables);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

async function texts(folder: string, wanted: (name: string) => boolean) {
  const names = await readdir(new URL(folder, SERVER), { recursive: true });
  return Promise.all(
    names
      .filter(wanted)
      .sort()
      .map(async (path) => ({ path, code: await readFile(new URL(folder + path, SERVER), 'utf8') })),
  );
}

function withTable(document: string, table: string): string {
  const block = `${BEGIN}\n${table}\n${END}`;
  const start = document.indexOf(BEGIN);
  const end = document.indexOf(END);
  if (start === -1 || end === -1) {
    return `${document.trimEnd()}\n\n## Tables\n\nEach table has one writer. \`npm run tables\` derives this list from the SQL.\n\n${block}\n`;
  }
  return document.slice(0, start) + block + document.slice(end + END.length);
}

function printPlaces(uses: Map<string, TableUse>) {
  for (const [table, kinds] of uses) {
    for (const [kind, features] of Object.entries(kinds) as [string, Map<string, string[]>][]) {
      for (const [feature, places] of features)
        console.log(`${table} ${kind} ${feature}: ${[...new Set(places)].join(', ')}`);
    }
  }
}
