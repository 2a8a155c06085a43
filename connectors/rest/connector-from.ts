import {
  type Connector,
  defineConnector,
  deliverToProgram,
  type ListContext,
  type ResourceType,
  VERSION,
  type Wanted,
} from '@gatehouse/connector';
import { type Document, literalSecrets, readDocument } from '@gatehouse/connector/declarative';
import { compile } from './compile.ts';
import type { Compiled } from './compiled.ts';
import { type Definition, definitionSchema } from './definition.ts';
import { taskErrorOf } from './failures.ts';
import { readAccount } from './read-back.ts';
import { listAccounts, listEntitlements } from './records.ts';
import { placesOfSecrets } from './secret-places.ts';
import { fieldsOfSettings } from './settings.ts';
import { deriveSettings, openSystem, outgoing, read, type System } from './system.ts';
import { tasksOf } from './tasks.ts';
import { unstableIds } from './unstable-ids.ts';

/** Reads a definition and checks its form and its expressions. Throws a Failure that lists every mistake with its place. */
export function checkDefinition(file: string): Document<Definition> {
  const document = readDocument(file, definitionSchema);
  connectorFrom(document);
  return document;
}

export type ConnectorOptions = {
  /** The name of the connector, instead of that of the definition. Environment variables are named after it. */
  name?: string;
  /** First pause before a request is repeated, in milliseconds. */
  pause?: number;
  env?: Readonly<Record<string, string | undefined>>;
};

/** Makes a connector of a definition. */
export function connectorFrom(document: Document<Definition>, options: ConnectorOptions = {}): Connector {
  const compiled = compile(document);
  const { definition } = compiled;
  const fields = fieldsOfSettings(definition);
  const secretNames = Object.keys(fields).filter((name) => fields[name]?.secret);
  const { pause = 500, env = process.env } = options;
  const { check } = compiled;
  return defineConnector({
    name: options.name ?? definition.name,
    version: VERSION,
    description: definition.description ?? `${definition.name}, by its REST API`,
    config: fields,
    connect: async (given, { signal, log }): Promise<System> => {
      const settings = given as Readonly<Record<string, unknown>>;
      const secrets = secretNames.map((name) => settings[name]);
      const system = openSystem({ compiled, settings, secrets, signal, log, pause, env });
      await deriveSettings(system);
      return system;
    },
    ...(check
      ? { check: async (system: System) => void (await read(system, outgoing(system, check, {}), [], 30)) }
      : {}),
    groups: typesOf(compiled, 'group'),
    licenses: typesOf(compiled, 'license'),
    accounts: Object.fromEntries(
      compiled.accounts.map((account) => [
        account.slug,
        {
          name: account.name,
          list: (system: System, context: ListContext) => listAccounts(system, account, context),
          ...(account.read
            ? {
                get: (system: System, id: string, wanted?: Wanted) =>
                  readAccount(system, account, id, wanted),
              }
            : {}),
        },
      ]),
    ),
    tasks: tasksOf(compiled),
    deliver: ({ deliverTo }, message) => deliverToProgram(deliverTo, message),
    mapError: taskErrorOf,
    warnings: unstableIds(document),
    literalSecrets: literalSecrets(document, placesOfSecrets(definition)),
  });
}

function typesOf({ entitlements }: Compiled, kind: 'group' | 'license') {
  const types = entitlements
    .filter((each) => each.kind === kind)
    .map((each): [string, ResourceType<System, never>] => [
      each.slug,
      {
        name: each.name,
        list: (system, context) => listEntitlements(system, each, context) as AsyncGenerator<never>,
      },
    ]);
  return Object.fromEntries(types);
}
