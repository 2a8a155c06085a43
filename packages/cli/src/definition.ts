import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Connector, Exit, Failure, variableOf } from '@gatehouse/connector';

/** The connectors that read definitions. Each is loaded only when a definition needs it. */
const connectors = {
  sql: () => import('@gatehouse/connector-sql'),
  rest: () => import('@gatehouse/connector-rest'),
};
type Kind = keyof typeof connectors;
/** The functions that both connectors export, each for its own format. */
type Reader = { checkDefinition(file: string): unknown; connectorFrom(document: unknown): Connector };

/** True if a connector is given as a definition, a YAML file. */
export const isDefinition = (path: string): boolean => /\.ya?ml$/i.test(path);

/** Reads and compiles a definition without connecting to anything. Throws a Failure that lists mistakes with their places. */
export async function readDefinition(path: string): Promise<{ kind: Kind; connector: Connector }> {
  const kind = await kindOf(path);
  const { checkDefinition, connectorFrom } = (await connectors[kind]()) as Reader;
  return { kind, connector: connectorFrom(checkDefinition(path)) };
}

/** Returns the connector of a definition and its program, which reads the path of the definition from the environment. */
export async function loadDefinition(path: string): Promise<{ connector: Connector; file: string }> {
  const { kind } = await readDefinition(path);
  process.env[variableOf(kind, 'definition')] = resolve(path);
  const file = createRequire(import.meta.url).resolve(`@gatehouse/connector-${kind}/connector`);
  const { connector } = (await import(pathToFileURL(file).href)) as { connector: Connector };
  return { connector, file };
}

/** Returns the format of a file, by a key that the other one does not have. */
async function kindOf(path: string): Promise<Kind> {
  // Loading it takes longer than most commands.
  const { readDocument } = await import('@gatehouse/connector/declarative');
  const value: unknown = readDocument(path, {}).value;
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  if (keys.some((key) => ['app_name', 'resource_types', 'connect'].includes(key))) return 'sql';
  if (keys.some((key) => ['base_url', 'accounts'].includes(key))) return 'rest';
  throw new Failure(
    `${path}:1:1: the file has neither "resource_types", as for the sql connector, nor "base_url", as for the rest connector`,
    Exit.usage,
  );
}
