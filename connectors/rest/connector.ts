import { readFileSync } from 'node:fs';
import {
  type Connector,
  defineConnector,
  Failure,
  main,
  text,
  VERSION,
  variableOf,
} from '@gatehouse/connector';
import { readDocument } from '@gatehouse/connector/declarative';
import { connectorFrom } from './connector-from.ts';
import { definitionSchema } from './definition.ts';

const name = 'rest';
const definition = text('path of the definition, a YAML file');

/** Connects applications with a REST API, as a definition describes them. The placeholders of the file are settings, too. */
export const connector = load(fileNamed(process.argv, process.env));

/** The file decides which settings there are, so its path must be known before settings are read. */
function fileNamed(args: string[], env: NodeJS.ProcessEnv): string | undefined {
  const flag = args.find((each, index) => each.startsWith('definition=') && args[index - 1] === '--set');
  if (flag) return flag.slice('definition='.length);
  const variable = env[variableOf(name, 'definition')];
  if (variable) return variable;
  const config = args[args.indexOf('--config') + 1];
  if (!args.includes('--config') || config === undefined) return undefined;
  try {
    return (JSON.parse(readFileSync(config, 'utf8')) as { definition?: string }).definition;
  } catch {
    // The command that reads the file reports the problem.
    return undefined;
  }
}

function load(file: string | undefined): Connector {
  if (file === undefined) return withoutDefinition();
  try {
    const made = connectorFrom(readDocument(file, definitionSchema), { name });
    return { ...made, config: { definition, ...made.config } };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    process.stderr.write(`error: ${error.message}\n`);
    process.exit(error.exit);
  }
}

/** Shows the help, and that the path is missing. */
function withoutDefinition(): Connector {
  return defineConnector({
    name,
    version: VERSION,
    description: 'An application with a REST API, described by a YAML file',
    config: { definition },
    connect: () => {
      throw new Failure(`set ${variableOf(name, 'definition')} to the path of the definition`);
    },
    accounts: { account: { name: 'Accounts', list: () => [] } },
  });
}

await main(connector, import.meta);
