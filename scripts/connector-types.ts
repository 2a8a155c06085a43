// Generates connectors/types.json, the connectors that the server can run, from their definitions. With --check, reports
// whether it is up to date.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readDocument } from '../packages/connector/src/declarative/index.ts';
import { typesOf } from '../packages/connector/src/define.ts';
import type { Connector } from '../packages/connector/src/index.ts';
import { settingsSchema } from '../packages/connector/src/settings-schema.ts';

const ROOT = join(import.meta.dirname, '..');
const FILE = join(ROOT, 'connectors/types.json');

interface Entry {
  type: string;
  name: string;
  description: string;
  version: string;
  /** The program, in the folder `connectors`. */
  program: string;
  /** `custom`: the app has one. Otherwise the shipped file, in the folder `connectors`. Null: the program needs none. */
  definition: string | null;
  /** Whether it was tried against a running system. Null: this depends on the definition. */
  tried: boolean | null;
  settings: unknown;
  resource_types: { slug: string; type: string; name: string }[];
  tasks: string[];
  /** The system whose user names it creates. Null: none, or the system itself says it. */
  user_names: string | null;
}

/** The connectors that are programs. Others act on the machine where they run, so the server does not offer them. */
const PROGRAMS = [
  { type: 'ldap', name: 'LDAP directory' },
  { type: 'postgres', name: 'PostgreSQL roles' },
  { type: 'scim', name: 'SCIM 2.0' },
];
const DECLARATIVE = [
  { type: 'sql', name: 'SQL database' },
  { type: 'rest', name: 'REST API' },
];
const NAMES: Record<string, string> = {
  directus: 'Directus',
  'entra-id': 'Microsoft Entra ID',
  github: 'GitHub',
  gitlab: 'GitLab',
  'google-workspace': 'Google Workspace',
  jira: 'Jira',
  okta: 'Okta',
  rabbitmq: 'RabbitMQ',
  redmine: 'Redmine',
  salesforce: 'Salesforce',
  slack: 'Slack',
  zendesk: 'Zendesk',
};

const entries: Entry[] = [];
for (const { type, name } of PROGRAMS) {
  const { connector } = (await import(`../connectors/${type}/connector.ts`)) as { connector: Connector };
  entries.push({
    type,
    name,
    program: `${type}/connector.ts`,
    definition: null,
    tried: true,
    ...facts(connector),
  });
}
for (const { type, name } of DECLARATIVE) {
  const { connector } = (await import(`../connectors/${type}/connector.ts`)) as { connector: Connector };
  entries.push({
    type,
    name,
    program: `${type}/connector.ts`,
    definition: 'custom',
    tried: null,
    ...facts(connector),
    // The definition decides which ones there are.
    settings: settingsSchema({}),
    resource_types: [],
    tasks: [],
  });
}
const { connectorFrom, definitionSchema } = await import('../connectors/rest/index.ts');
for (const file of (await readdir(join(ROOT, 'connectors/rest/definitions'))).toSorted()) {
  const document = readDocument(join(ROOT, 'connectors/rest/definitions', file), definitionSchema);
  const type = file.replace(/\.yml$/, '');
  entries.push({
    type: `rest/${type}`,
    name: NAMES[type] ?? type,
    program: 'rest/connector.ts',
    definition: `rest/definitions/${file}`,
    tried: document.value.tested_with !== undefined,
    ...facts(connectorFrom(document, { name: 'rest' })),
  });
}

function facts(connector: Connector) {
  return {
    description: connector.description ?? '',
    version: connector.version,
    settings: settingsSchema(connector.config),
    resource_types: typesOf(connector).map(({ slug, kind, type }) => ({ slug, type: kind, name: type.name })),
    tasks: Object.keys(connector.tasks ?? {}).filter((task) => task !== 'find'),
    user_names: typeof connector.userNames === 'string' ? connector.userNames : null,
  };
}

const text = `${JSON.stringify(entries, null, 2)}\n`;
if (!process.argv.includes('--check')) await writeFile(FILE, text);
else if (text !== (await readFile(FILE, 'utf8').catch(() => ''))) {
  console.error('connectors/types.json does not match the connectors. Run: npm run connector-types');
  process.exitCode = 1;
}
