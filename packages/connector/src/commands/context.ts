import { readFileSync } from 'node:fs';
import { text as readAll } from 'node:stream/consumers';
import type { ParseArgsOptionDescriptor } from 'node:util';
import type { Redactor } from '../../../protocol/src/redact.ts';
import { readConfig, variableOf } from '../config.ts';
import type { Clock } from '../confirmation.ts';
import type { Connector } from '../define.ts';
import { Exit, Failure, reason } from '../errors.ts';
import type { Held } from '../guard.ts';
import { unlessAborted } from '../interrupt.ts';
import type { Progress } from '../progress.ts';
import { createService, type Service } from '../service.ts';
import { openState, stateFolder } from '../state.ts';
import type { Run } from '../sync.ts';

/** The version of the JSON that --json prints. A later one may lack or rename fields (docs/guides/connectors.md). */
const RESULT_VERSION = 1;

/** Returns what --json prints of a command, or of its failure. */
export const resultJson = (result: object): string => JSON.stringify({ version: RESULT_VERSION, ...result });

/** A flag as `node:util` parses it, with its description for help and completion. */
export type Option = ParseArgsOptionDescriptor & { description: string; value?: string };
export type Values = Record<string, string | boolean | (string | boolean)[] | undefined>;
export type Environment = Readonly<Record<string, string | undefined>>;

export type Context = {
  connector: Connector;
  values: Values;
  env: Environment;
  stdin: NodeJS.ReadableStream;
  /** Writes a result to standard output: a line of text, or a JSON document with --json. */
  print(text: string): void;
  progress: Progress;
  redactor: Redactor;
  signal: AbortSignal;
  clock?: Clock;
};

export type Command = {
  summary: string;
  options: Record<string, Option>;
  run(context: Context): Promise<Exit>;
};

/** Flags for the external system. */
export const systemOptions = {
  config: { type: 'string', value: 'FILE', description: 'JSON file with settings' },
  set: { type: 'string', multiple: true, value: 'NAME=VALUE', description: 'one setting; not for secrets' },
  'secrets-stdin': {
    type: 'boolean',
    description: 'read settings, including secrets, as JSON from standard input',
  },
} as const satisfies Record<string, Option>;

/** Flags for the service. The key is never a flag. */
export const serviceOptions = {
  url: { type: 'string', value: 'URL', description: 'base URL of the organization (GATEHOUSE_URL)' },
  app: { type: 'string', value: 'ID', description: 'id of the app (GATEHOUSE_APP)' },
  state: { type: 'string', value: 'DIR', description: 'folder for checkpoints (GATEHOUSE_STATE_DIR)' },
} as const satisfies Record<string, Option>;

export const jsonOption = { json: { type: 'boolean', description: 'print JSON' } } as const satisfies Record<
  string,
  Option
>;

type Given = { file: Record<string, unknown>; stdin: Record<string, unknown> };

async function given({ values, stdin }: Context): Promise<Given> {
  const file = typeof values.config === 'string' ? jsonObject(readText(values.config), values.config) : {};
  const piped = values['secrets-stdin'] ? jsonObject(await readAll(stdin), 'standard input') : {};
  return { file, stdin: piped };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Failure(`${path} cannot be read: ${reason(error)}`, Exit.usage);
  }
}

function jsonObject(text: string, where: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Reported below, without the text, because it may hold secrets.
  }
  throw new Failure(`${where} is not a JSON object`, Exit.usage);
}

function assignments(values: Values): Record<string, string> {
  const flags: Record<string, string> = {};
  for (const each of Array.isArray(values.set) ? values.set : []) {
    const at = String(each).indexOf('=');
    if (at < 1) throw new Failure('--set takes NAME=VALUE', Exit.usage);
    flags[String(each).slice(0, at)] = String(each).slice(at + 1);
  }
  return flags;
}

/** Connects to the external system, runs `work`, and always closes the connection. */
export async function withSystem<T>(
  context: Context,
  work: (system: unknown, all: Given) => Promise<T>,
): Promise<T> {
  const opened = openSystem(context);
  try {
    const { system, all } = await opened.open();
    return await work(system, all);
  } finally {
    await opened.close();
  }
}

/** A system to be opened once. Invalid settings make `open` throw, and `close` closes only what was opened. */
export function openSystem(context: Context) {
  const { connector, env, redactor, progress, signal } = context;
  let opened: { system: unknown } | undefined;
  return {
    async open(): Promise<{ system: unknown; all: Given }> {
      const all = await given(context);
      const config: Record<string, unknown> = readConfig(connector.name, connector.config, {
        flags: assignments(context.values),
        env,
        ...all,
      });
      for (const [name, field] of Object.entries(connector.config)) {
        if (field.secret && typeof config[name] === 'string') redactor.add(config[name]);
      }
      const system: unknown = await unlessAborted(
        connector.connect(config, { signal, log: progress }),
        signal,
      );
      opened = { system };
      return { system, all };
    },
    async close() {
      if (opened !== undefined) await connector.close?.(opened.system);
    },
  };
}

/** Finds the service by flags, environment and file, in this order. */
function serviceFrom(
  context: Context,
  { file, stdin }: Given,
): { service: Service; app: string | undefined; url: string; held: Held | undefined } {
  const { values, env, redactor, progress, signal } = context;
  const section = (object: Record<string, unknown>) => (object.gatehouse ?? {}) as Record<string, unknown>;
  const pick = (flag: string, variable: string, name: string): string | undefined => {
    const value = values[flag] ?? env[variable] ?? section(stdin)[name] ?? section(file)[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const url = pick('url', 'GATEHOUSE_URL', 'url');
  const keyFile = env.GATEHOUSE_API_KEY_FILE;
  const key = pick('', 'GATEHOUSE_API_KEY', 'apiKey') ?? (keyFile ? readText(keyFile).trim() : undefined);
  if (!url)
    throw new Failure(
      'no service address: set GATEHOUSE_URL or --url to its base URL, such as https://host/org/acme',
      Exit.usage,
    );
  if (!URL.canParse(url)) throw new Failure(`"${url}" is not a URL`, Exit.usage);
  if (!key) throw new Failure('no API key: set GATEHOUSE_API_KEY or GATEHOUSE_API_KEY_FILE', Exit.usage);
  redactor.add(key);
  return {
    service: createService({ url, key, log: progress, signal }),
    app: pick('app', 'GATEHOUSE_APP', 'app'),
    url,
    held: section(stdin).held as Held | undefined,
  };
}

/** Opens the external system, the service and the saved state of one app. */
export async function withRun<T>(context: Context, work: (run: Run) => Promise<T>): Promise<T> {
  return withSystem(context, async (system, all) => {
    const { connector, values, env, progress, redactor, signal, clock } = context;
    const { service, app, held } = serviceFrom(context, all);
    if (!app) throw new Failure('no app: set GATEHOUSE_APP or --app to its id', Exit.usage);
    const folder = typeof values.state === 'string' ? values.state : stateFolder(app, env);
    const state = openState(folder);
    try {
      const run = { connector, system, service, app, state, progress, redactor, signal, held };
      return await work({ ...run, ...(clock ? { clock } : {}) });
    } finally {
      state.close();
    }
  });
}

/** Returns where each setting comes from, for help and `describe`. */
export function settingsOf(connector: Connector) {
  return Object.entries(connector.config).map(([name, field]) => ({
    name,
    type: field.kind,
    description: field.description,
    secret: field.secret,
    required: field.required,
    ...(field.local ? { local: true } : {}),
    default: field.fallback,
    variable: variableOf(connector.name, name),
  }));
}
