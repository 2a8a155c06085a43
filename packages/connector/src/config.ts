import { readFileSync } from 'node:fs';
import { Exit, Failure } from './errors.ts';

/** A setting of a connector. Created by `text`, `secret`, `number` and `flag`. */
export type Field<T> = {
  readonly kind: 'text' | 'number' | 'flag';
  readonly description: string;
  readonly secret: boolean;
  readonly required: boolean;
  /** Names a file or a program of this machine, so a server that runs connectors for others does not offer it. */
  readonly local?: boolean;
  /** Its description only repeats its name, so forms leave it out. */
  readonly implied?: true;
  readonly fallback?: T;
};
export type Fields = Readonly<Record<string, Field<unknown>>>;

/** The values that `connect` receives, typed from the fields. */
export type ConfigOf<F extends Fields> = { readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never };

type Optional = { optional: true; local?: true };
type Fallback<T> = { default: T };

function field<T>(
  kind: Field<T>['kind'],
  secret: boolean,
  description: string,
  options?: Optional | Fallback<T>,
) {
  const required = options === undefined;
  const local = options !== undefined && 'local' in options ? { local: options.local } : {};
  const base = { kind, description, secret, required, ...local };
  return options && 'default' in options ? { ...base, fallback: options.default } : base;
}

export function text(description: string, options?: Fallback<string>): Field<string>;
export function text(description: string, options: Optional): Field<string | undefined>;
export function text(description: string, options?: Optional | Fallback<string>): Field<string | undefined> {
  return field<string | undefined>('text', false, description, options);
}

/** A setting that is never read from a flag and never shown. */
export function secret(description: string): Field<string>;
export function secret(description: string, options: Optional): Field<string | undefined>;
export function secret(description: string, options?: Optional): Field<string | undefined> {
  return field<string | undefined>('text', true, description, options);
}

export function number(description: string, options?: Fallback<number>): Field<number>;
export function number(description: string, options: Optional): Field<number | undefined>;
export function number(
  description: string,
  options?: Optional | Fallback<number>,
): Field<number | undefined> {
  return field<number | undefined>('number', false, description, options);
}

export function flag(description: string, options: Fallback<boolean> = { default: false }): Field<boolean> {
  return field<boolean>('flag', false, description, options);
}

export type Sources = {
  /** `--set name=value`. Takes precedence, but rejects secrets, which a process list would show. */
  flags: Readonly<Record<string, string>>;
  env: Readonly<Record<string, string | undefined>>;
  /** A JSON object, from `--config FILE`. */
  file: Readonly<Record<string, unknown>>;
  /** A JSON object, from standard input. */
  stdin: Readonly<Record<string, unknown>>;
};

/** Returns the environment variable of a setting: `MY_APP_CONNECTION_STRING` for `connectionString` of `my-app`. */
export function variableOf(connector: string, name: string): string {
  const snake = (value: string) =>
    value.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_');
  return `${snake(connector)}_${snake(name)}`.toUpperCase();
}

/**
 * Reads every setting. A flag takes precedence over the environment (or the file named by `<VARIABLE>_FILE`), then standard
 * input, then the configuration file. Throws a Failure that lists every problem.
 */
export function readConfig<F extends Fields>(connector: string, fields: F, sources: Sources): ConfigOf<F> {
  const problems: string[] = [];
  for (const name of Object.keys(sources.flags)) {
    if (!(name in fields))
      problems.push(`unknown setting "${name}"; known settings are ${Object.keys(fields).join(', ')}`);
  }
  const values: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(fields)) {
    const variable = variableOf(connector, name);
    try {
      const raw = rawValue(name, each, variable, sources);
      values[name] = raw === undefined ? each.fallback : convert(each, raw);
      if (values[name] === undefined && each.required) {
        problems.push(
          `"${name}" is missing (${each.description}): set ${variable}${each.secret ? ` or ${variable}_FILE` : ''}`,
        );
      }
    } catch (error) {
      problems.push(`"${name}" ${(error as Error).message}`);
    }
  }
  if (problems.length > 0)
    throw new Failure(`configuration of ${connector}: ${problems.join('; ')}`, Exit.usage);
  return Object.freeze(values) as ConfigOf<F>;
}

function rawValue(name: string, each: Field<unknown>, variable: string, sources: Sources): unknown {
  const flagged = sources.flags[name];
  if (flagged !== undefined) {
    if (each.secret)
      throw new Error(`is a secret and cannot be set by a flag; use ${variable} or ${variable}_FILE`);
    return flagged;
  }
  const fromEnv = sources.env[variable];
  if (fromEnv !== undefined && fromEnv !== '') return fromEnv;
  const path = sources.env[`${variable}_FILE`];
  if (path) return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  return sources.stdin[name] ?? sources.file[name] ?? undefined;
}

function convert(each: Field<unknown>, raw: unknown): unknown {
  if (each.kind === 'text') {
    if (typeof raw !== 'string') throw new Error('must be text');
    return raw;
  }
  if (each.kind === 'number') {
    const value = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw;
    if (typeof value !== 'number' || !Number.isFinite(value)) throw new Error('must be a number');
    return value;
  }
  if (typeof raw === 'boolean') return raw;
  if (raw === 'true' || raw === '1' || raw === 'yes') return true;
  if (raw === 'false' || raw === '0' || raw === 'no') return false;
  throw new Error('must be true or false');
}
