// Writes docs/events.md from the event catalog, and the types of the console's API client from the routes; or with
// --check says whether they are up to date.
import { readFile, writeFile } from 'node:fs/promises';
import { writeClient } from '../packages/console/scripts/client.ts';
import {
  CATEGORIES,
  catalog,
  categoryOf,
  EVENT_TYPES,
  type EventType,
  severityOf,
} from '../packages/server/src/events/catalog.ts';

const FILE = new URL('../docs/events.md', import.meta.url);

interface Schema {
  type?: string;
  format?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
}

const text = `# Events

<!-- Written by \`npm run docs\` from packages/server/src/events/catalog.ts. Change that file, not this one. -->

Every event has the same envelope:

| field | what it is |
| --- | --- |
| event_id | UUID, globally unique; what consumers deduplicate by |
| event_type, event_version | one of the types below, and the version of its payload's schema |
| category, severity | follow from the type |
| occurred_at, ingested_at | when it happened, and when it was recorded: UTC, to the microsecond; \`ingested_at\` grows strictly from event to event |
| actor | who did it: type (user, system, service, platform_admin), uuid or null, and where known ip and user_agent |
| subject | whom or what it is about: type and uuid |
| source | what brought it about: type and uuid or null |
| payload | what the tables below say; a payload may gain fields, it never loses one within its version |

[Feed a SIEM](feed-a-siem.md) shows how to collect them. \`GET /api/event-types/\` answers this page as JSON, with a JSON
Schema for every payload.

${CATEGORIES.map(categorySection).join('\n')}`;

const check = process.argv.includes('--check');
if (!(await writeClient(check))) {
  console.error('packages/console/src/api/schema.ts is not what the routes say. Run: npm run docs');
  process.exitCode = 1;
}
if (check) {
  if (text !== (await readFile(FILE, 'utf8').catch(() => ''))) {
    console.error('docs/events.md is not what the catalog says. Run: npm run docs');
    process.exitCode = 1;
  }
} else {
  await writeFile(FILE, text);
}

function categorySection(category: string): string {
  const types = EVENT_TYPES.filter((type) => categoryOf(type) === category);
  return `## ${category}\n\n${types.map(typeSection).join('\n')}`;
}

function typeSection(type: EventType): string {
  const { meaning, version, subjects, sources, payload } = catalog[type];
  const { properties = {}, required = [] } = payload as unknown as Schema;
  const rows = Object.entries(properties).map(
    ([name, schema]) =>
      `| ${name} | ${typeOf(schema)} | ${required.includes(name) ? 'yes' : ''} | ${schema.description ?? ''} |`,
  );
  return `### ${type}

${meaning}. Severity ${severityOf(type)}, version ${version}. Subject: ${subjects.join(', ')}. Source: ${sources.join(', ')}.

| payload field | type | always | |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}

function typeOf(schema: Schema): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.enum !== undefined) return schema.enum.join(', ');
  if (schema.format !== undefined) return schema.format === 'date-time' ? 'timestamp' : schema.format;
  if (schema.type === 'array')
    return `list of ${schema.items === undefined ? 'anything' : typeOf(schema.items)}`;
  if (schema.properties !== undefined) return `object: ${Object.keys(schema.properties).join(', ')}`;
  return schema.type ?? 'anything';
}
