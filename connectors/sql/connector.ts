import { readFileSync } from 'node:fs';
import { type Connector, Exit, Failure, main, text, VERSION, variableOf } from '@gatehouse/connector';
import { connectorFrom } from './build.ts';
import { readDefinition } from './definition.ts';
import { engineOf } from './dsn.ts';

const definition = text('path of the YAML file that describes the application');

/** Connects the application that the file in the setting `definition` describes. */
export const connector: Connector = standalone();

/** The settings and resource types are in the file, so its path is needed before the settings are read. */
function standalone(): Connector {
  const file = pathOf();
  if (file === undefined) return unconfigured();
  try {
    const document = readDefinition(file);
    requireNoFile(document.value.connect);
    const made = connectorFrom(document, { name: 'sql' });
    return { ...made, config: { definition, ...made.config } };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    process.stderr.write(`error: ${error.message}\n`);
    process.exit(error.exit);
  }
}

/** SQLite reads a file of this machine. A process without the right to read all files runs for someone else. */
function requireNoFile(connect: Parameters<typeof engineOf>[0]): void {
  if (engineOf(connect) === 'sqlite' && process.permission?.has('fs.read') === false)
    throw new Failure('SQLite is a file of the machine, so a server cannot run this definition', Exit.usage);
}

function pathOf(): string | undefined {
  const flag = process.argv.find(
    (each) => each.startsWith('definition=') || each.startsWith('--set=definition='),
  );
  if (flag) return flag.slice(flag.indexOf('definition=') + 'definition='.length);
  const fromEnvironment = process.env[variableOf('sql', 'definition')];
  if (fromEnvironment) return fromEnvironment;
  const config = process.argv[process.argv.indexOf('--config') + 1];
  if (!process.argv.includes('--config') || config === undefined) return undefined;
  try {
    const { definition: path } = JSON.parse(readFileSync(config, 'utf8')) as { definition?: unknown };
    return typeof path === 'string' ? path : undefined;
  } catch {
    // The runner reads the file again and reports what is wrong with it.
    return undefined;
  }
}

/** A connector that only reports why there is none. */
function unconfigured(): Connector {
  const problem = new Failure('set "definition" to the path of a YAML file', Exit.usage);
  return {
    name: 'sql',
    version: VERSION,
    description: 'An application with an SQL database, described by a YAML file',
    config: { definition },
    connect: () => Promise.reject(problem),
    accounts: { user: { name: 'Users', list: () => [] } },
  };
}

await main(connector, import.meta);
