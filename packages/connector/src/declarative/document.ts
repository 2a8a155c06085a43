import { readFileSync, statSync } from 'node:fs';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { isCollection, isMap, isScalar, LineCounter, type Node, parseDocument } from 'yaml';
import { Exit, Failure } from '../errors.ts';

/** The keys and indexes that lead to a value of a document. */
export type Path = readonly (string | number)[];

/** A YAML file that has been validated, and the positions of its values. */
export interface Document<T> {
  file: string;
  value: T;
  /** Returns an error that names the file, line and column of a value. With `offset`, characters into its text. */
  failure(path: Path, message: string, offset?: number): Failure;
}

const LONGEST_BYTES = 1_000_000;
/** Aliases can make a small file enormous: this bounds how often they repeat other nodes. */
const MOST_ALIASES = 100;
const MOST_PROBLEMS = 20;

/** Reads and validates a YAML file. Throws a Failure that lists problems as `file:line:column: message`. */
export function readDocument<S extends TSchema>(file: string, schema: S): Document<Static<S>> {
  let text: string;
  try {
    if (statSync(file).size > LONGEST_BYTES)
      throw new Failure(`${file} is larger than ${LONGEST_BYTES / 1_000_000} MB`, Exit.usage);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${file} cannot be read: ${(error as Error).message}`, Exit.usage);
  }
  return parseText(text, file, schema);
}

/** Parses and validates the text of a YAML file. Throws a Failure as `readDocument` does. */
export function parseText<S extends TSchema>(text: string, file: string, schema: S): Document<Static<S>> {
  const lines = new LineCounter();
  const parsed = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  const syntax = parsed.errors.map(({ pos, message }) => `${at(pos[0])}: ${message}`);
  if (syntax.length > 0) throw new Failure(syntax.slice(0, MOST_PROBLEMS).join('\n'), Exit.usage);
  let value: unknown;
  try {
    value = parsed.toJS({ maxAliasCount: MOST_ALIASES });
  } catch {
    throw new Failure(`${file}: its aliases repeat too many values; write them out`, Exit.usage);
  }
  const place = (path: Path, offset?: number) => at(offsetOf(parsed.contents, path, offset));
  const problems = problemsOf(schema, value).map(({ path, message }) => `${place(path)}: ${message}`);
  if (problems.length > 0) throw new Failure(problems.join('\n'), Exit.usage);
  return {
    file,
    value: value as Static<S>,
    failure: (path, message, offset) => new Failure(`${place(path, offset)}: ${message}`, Exit.usage),
  };
}

/** Returns the offset of the value at a path, or of its nearest parent that exists. */
function offsetOf(root: Node | null, path: Path, offset = 0): number {
  let node: unknown = root;
  let start = root?.range?.[0] ?? 0;
  for (const key of path) {
    if (!isCollection(node)) break;
    const pair = isMap(node)
      ? node.items.find((item) => isScalar(item.key) && item.key.value === key)
      : undefined;
    const next = node.get(key, true) as Node | undefined;
    const range = next?.range ?? (pair?.key as Node | undefined)?.range;
    if (range === undefined || range === null) break;
    start = range[0];
    node = next;
  }
  if (!isScalar(node) || offset === 0) return start;
  // A quoted scalar begins after its quote. Block scalars begin on a later line, whose indentation is unknown here.
  const isQuoted = node.type === 'QUOTE_SINGLE' || node.type === 'QUOTE_DOUBLE';
  return node.type === 'PLAIN' || isQuoted ? start + offset + (isQuoted ? 1 : 0) : start;
}

function problemsOf(schema: TSchema, value: unknown): { path: Path; message: string }[] {
  const validator = Compile(schema);
  if (validator.Check(value)) return [];
  // An unknown key is reported twice: by the object, and by the schema "false" of its value.
  const errors = validator.Errors(value).filter(({ keyword }) => keyword !== 'boolean');
  return errors.slice(0, MOST_PROBLEMS).map(({ instancePath, keyword, params, message }) => {
    const path = keysOf(instancePath, value);
    const name = path.length === 0 ? 'the file' : path.join('.');
    if (keyword === 'additionalProperties') {
      const unknown = (params as { additionalProperties: string[] }).additionalProperties;
      return {
        path: [...path, unknown[0] ?? ''],
        message: `${name} has no setting "${unknown.join('", "')}"`,
      };
    }
    if (keyword === 'required') {
      const missing = (params as { requiredProperties: string[] }).requiredProperties;
      return { path, message: `${name} lacks "${missing.join('", "')}"` };
    }
    return { path, message: `${name} ${message}` };
  });
}

/** Splits a JSON pointer, with indexes of lists as numbers. */
function keysOf(pointer: string, root: unknown): Path {
  const path: (string | number)[] = [];
  let value = root;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    const key = Array.isArray(value) ? Number(name) : name;
    path.push(key);
    value = (value as Record<string | number, unknown> | undefined)?.[key];
  }
  return path;
}
