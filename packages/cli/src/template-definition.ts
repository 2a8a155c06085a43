import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

type Parts = { name: string; kind: 'sql' | 'rest'; settings: string[]; definition: string };

/** Returns the files around a definition: the schema that editors check it with, and how to run it. */
export function definitionFiles({ name, kind, settings, definition }: Parts): Record<string, string> {
  const schema = createRequire(import.meta.url).resolve(
    `@gatehouse/connector-${kind}/definition.schema.json`,
  );
  return {
    [`${name}.yml`]: `# yaml-language-server: $schema=definition.schema.json\n${definition}`,
    'definition.schema.json': readFileSync(schema, 'utf8'),
    'README.md': readme(name, kind, settings),
  };
}

const readme = (name: string, kind: string, settings: string[]) => `# ${name}

A definition for the ${kind} connector of Gatehouse. It needs no code, only the command \`gatehouse\`.

    gatehouse connector check ${name}.yml     # finds mistakes, connects to nothing
${settings.map((variable) => `    export ${variable}=...\n`).join('')}    gatehouse connector try ${name}.yml       # lists the first records and sends nothing
    gatehouse sync ${name}.yml --dry-run
    gatehouse sync ${name}.yml

\`sync\` needs a service. Set GATEHOUSE_URL (such as http://127.0.0.1:8080/org/acme), GATEHOUSE_API_KEY, and
GATEHOUSE_APP (the id that \`gatehouse apps create "${name}"\` prints).
`;
