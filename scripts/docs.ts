// Writes docs/events.md from the event catalog, and the types of the console's API client from the routes. With --check
// it fails if they are out of date.
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

| field | meaning |
| --- | --- |
| event_id | globally unique UUID, for deduplication by consumers |
| event_type, event_version | one of the types below, and the version of its payload schema |
| category, severity | determined by the type |
| occurred_at, ingested_at | when it happened and when it was recorded, in UTC with microseconds. \`ingested_at\` grows strictly from event to event |
| actor | who caused it: type (user, system, service, platform_admin), uuid or null, and ip and user_agent if known |
| subject | the person or thing it concerns: type and uuid |
| source | what triggered it: type, and uuid or null |
| payload | the fields in the tables below. Within a version, a payload may gain fields but never loses one |

[Feed a SIEM](feed-a-siem.md) shows how to collect events. \`GET /api/event-types/\` returns the contents of this page as
JSON, with a JSON Schema for every payload.

${CATEGORIES.map(categorySection).join('\n')}`;

const check = process.argv.includes('--check');
if (!(await writeClient(check))) {
  console.error('packages/console/src/api/schema.ts is out of date. Run: npm run docs');
  process.exitCode = 1;
}
if (check) {
  if (text !== (await readFile(FILE, 'utf8').catch(() => ''))) {
    console.error('docs/events.md is out of date. Run: npm run docs');
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
