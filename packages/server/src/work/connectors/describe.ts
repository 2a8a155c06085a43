import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChild } from './child.ts';
import { connectorRefusals } from './sentences.ts';
import type { ConnectorType, Described, SettingsSchema } from './types.ts';

const LIMIT_MS = 30_000;
const MOST_AT_ONCE = 3;
/** One organization cannot keep the others from checking theirs. */
const MOST_OF_ORGANIZATION = 2;
/** Parsing needs little memory, and an alias bomb gets no more. */
const MEMORY_MEGABYTES = 400;

const DEFINITION = 'definition.yml';

/** Returns the environment in which a program finds the definition. */
export const definitionVariable = ({ program }: ConnectorType, file: string): Record<string, string> => ({
  [`${program.split('/')[0]?.toUpperCase()}_DEFINITION`]: file,
});

/** The organizations whose definitions are being checked, one for each. */
const running: string[] = [];

/**
 * Checks a definition in a process of the connector, because strangers send it. Returns its settings, resource types and
 * actions. Throws 400 with line and column of each mistake.
 */
export async function describeDefinition(
  orgId: string,
  type: ConnectorType,
  definition: string,
): Promise<Described> {
  if (running.length >= MOST_AT_ONCE || running.filter((one) => one === orgId).length >= MOST_OF_ORGANIZATION)
    throw connectorRefusals.definitions_busy({
      retryAfter: 5,
    });
  running.push(orgId);
  let folder: string | undefined;
  try {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-definition-'));
    await writeFile(join(folder, DEFINITION), definition, { mode: 0o600 });
    const { ending, code, output, log } = await runChild({
      program: type.program,
      args: ['describe'],
      input: {},
      env: definitionVariable(type, DEFINITION),
      folder,
      limitMs: LIMIT_MS,
      signal: new AbortController().signal,
      secrets: [],
      memory: MEMORY_MEGABYTES,
    });
    if (ending === 'timed_out' || ending === 'out_of_memory')
      throw connectorRefusals.definition_too_expensive();
    const problem = /^error: ([\s\S]*)$/m.exec(log)?.[1]?.trim();
    if (code !== 0 || output === undefined)
      throw problem === undefined
        ? connectorRefusals.definition_unreadable()
        : connectorRefusals.definition_invalid({ problem });
    const { schema, types, tasks, literal_secrets } = JSON.parse(output) as {
      schema: SettingsSchema;
      types: Described['resource_types'];
      tasks: string[];
      literal_secrets: string[];
    };
    // Auditors may read definitions.
    if (literal_secrets.length > 0)
      throw connectorRefusals.definition_invalid({ problem: literal_secrets.join('\n') });
    delete schema.properties.definition;
    return {
      settings: { ...schema, required: schema.required.filter((name) => name !== 'definition') },
      resource_types: types,
      tasks,
    };
  } finally {
    running.splice(running.indexOf(orgId), 1);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}
