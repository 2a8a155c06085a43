/** Returns the files of a new connector in code, by name. */
export function codeFiles({
  name,
  sdk,
  tasks,
}: {
  name: string;
  sdk: string;
  tasks: boolean;
}): Record<string, string> {
  return {
    'connector.ts': connector(name, tasks),
    'connector.test.ts': test,
    'package.json': `${JSON.stringify(manifest(name, sdk), null, 2)}\n`,
    'README.md': readme(name),
    '.gitignore': 'node_modules/\n',
  };
}

const manifest = (name: string, sdk: string) => ({
  name,
  version: '0.1.0',
  private: true,
  type: 'module',
  engines: { node: '>=22.18' },
  scripts: {
    list: 'node connector.ts list',
    sync: 'node connector.ts sync',
    watch: 'node connector.ts watch',
    test: 'node --test connector.test.ts',
  },
  dependencies: { '@gatehouse/connector': sdk },
});

const connector = (
  name: string,
  tasks: boolean,
) => `import { defineConnector, main${tasks ? ', TaskError' : ''}, text } from '@gatehouse/connector';

// Example data. Replace it with a client for the system that you connect.
const people = [
  { login: 'ada', mail: 'ada@example.com', teams: ['engineering'] },
  { login: 'grace', mail: 'grace@example.com', teams: ['engineering', 'operations'] },
];

export const connector = defineConnector({
  name: '${name}',
  version: '0.1.0',
  // Read from --set domain=..., from the environment, or from --config FILE. Use secret() for passwords and tokens.
  config: { domain: text('mail domain of the people to sync', { default: 'example.com' }) },
  connect: ({ domain }) => ({ people: people.filter(({ mail }) => mail.endsWith(\`@\${domain}\`)) }),
  groups: {
    team: {
      name: 'Teams',
      *list(system) {
        const teams = new Set(system.people.flatMap((person) => person.teams));
        for (const team of teams) yield { id: team, name: team };
      },
    },
  },
  accounts: {
    person: {
      name: 'People',
      *list(system) {
        for (const { login, mail, teams } of system.people) {
          yield { id: login, username: login, email: mail, memberships: { team: teams.map((id) => ({ id })) } };
        }
      },
    },
  },
${tasks ? taskTemplate : ''}});

await main(connector, import.meta);
`;

const taskTemplate = `  // Leave out the actions that your system does not support. Every error is reported; throw TaskError to set its code.
  tasks: {
    async find(system, account) {
      return system.people.find(({ login }) => login === account.username)?.login ?? null;
    },
    async create(system, { account, memberships }) {
      const login = account.username ?? account.id;
      system.people.push({ login, mail: account.email ?? '', teams: (memberships.team ?? []).map(({ id }) => id) });
      return { id: login };
    },
    async update(system, { account, changes }) {
      const person = system.people.find(({ login }) => login === account.id);
      if (!person) throw new TaskError('ACCOUNT_NOT_FOUND', \`account \${account.id} does not exist\`);
      const removed = (changes.team?.removed ?? []).map(({ id }) => id);
      const added = (changes.team?.added ?? []).map(({ id }) => id);
      person.teams = [...new Set([...person.teams.filter((team) => !removed.includes(team)), ...added])];
    },
    async delete(system, { id }) {
      const at = system.people.findIndex(({ login }) => login === id);
      if (at < 0) throw new TaskError('ACCOUNT_NOT_FOUND', \`account \${id} does not exist\`);
      system.people.splice(at, 1);
    },
  },
`;

const test = `import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { asTable, runConformance } from '@gatehouse/connector/conformance';
import { connector } from './connector.ts';

const file = fileURLToPath(new URL('./connector.ts', import.meta.url));
// All checks that read. 'read.pages' is left out, because the example has only a few records.
const only = ['static', 'protocol', 'read.valid', 'read.unique', 'read.refs', 'read.stable', 'read.stdout'];

test('meets the requirements of Gatehouse', async () => {
  const stage = { settings: { domain: 'example.com' }, stop: async () => {} };
  const findings = await runConformance({ connector, file, stage, writing: false, only });
  const failed = findings.filter(({ outcome }) => outcome === 'failed');
  deepEqual(failed, [], asTable(findings));
});
`;

const readme = (name: string) => `# ${name}

A connector for Gatehouse. It needs Node.js 22.18 or newer.

    npm install
    node connector.ts list          # prints the records as JSON lines and sends nothing
    node connector.ts sync --dry-run
    node connector.ts sync
    npm test                        # the conformance checks that change nothing

\`sync\` needs a service. Set GATEHOUSE_URL (such as http://127.0.0.1:8080/org/acme), GATEHOUSE_API_KEY, and
GATEHOUSE_APP (the id that \`gatehouse apps create "${name}"\` prints). \`node connector.ts help\` lists all settings.
`;
