import {
  compileExpression,
  type Document,
  ExpressionError,
  type Path,
} from '@gatehouse/connector/declarative';
import type { Row } from './drivers/driver.ts';
import { functions } from './functions.ts';

/** The variables of an expression: the columns of a row, and the parties of a grant. */
export type Inputs = {
  cols?: Row;
  resource?: object;
  principal?: object;
  entitlement?: object;
  input?: object;
  account?: object;
  password?: string | undefined;
  resource_id?: string;
};

export interface Compiled {
  text: string;
  path: Path;
  /** Columns that a row must have. */
  columns: ReadonlySet<string>;
  /** The column, if the expression is nothing else. */
  column?: string;
  value(inputs: Inputs): unknown;
}

const NAMES = ['cols', 'resource', 'principal', 'entitlement', 'input', 'account', 'password', 'resource_id'];
const BARE = /^[A-Za-z_][A-Za-z0-9_]*$/;
const COLUMN = /^\s*(?:string\(\s*)?\.([A-Za-z_]\w*)\s*(\))?\s*$/;
/** Names that CEL does not accept after a dot. */
const RESERVED =
  /^(?:true|false|null|in|as|break|const|continue|else|for|function|if|import|let|loop|package|namespace|return|var|void|while)$/;
/** Example files have texts such as "Basic access" where an expression belongs. */
const PROSE = /^[A-Za-z][\w,.;!-]*(?: +[\w,.;!-]+)+$/;

/**
 * Compiles an expression of a definition: CEL, in which `.name` stands for a column and a single word for itself. Throws a
 * Failure with line and column. `words` are variables that a single word refers to.
 */
export function compile(
  document: Document<unknown>,
  path: Path,
  raw: string | number | boolean,
  { words = [], prose = false }: { words?: readonly string[]; prose?: boolean } = {},
): Compiled {
  const text = String(raw);
  const constant = (value: unknown): Compiled => ({ text, path, columns: new Set(), value: () => value });
  if (text.trim() === '') return constant('');
  if (typeof raw === 'number') return constant(raw);
  if (words.includes(text)) {
    const read = (inputs: Inputs) =>
      (inputs as Record<string, unknown>)[text] ??
      (inputs.input as Record<string, unknown> | undefined)?.[text];
    return { text, path, columns: new Set(), value: (inputs) => read(inputs) ?? null };
  }
  if (BARE.test(text) && text !== 'true' && text !== 'false') return constant(text);
  if (prose && PROSE.test(text)) return constant(text);
  const simple = COLUMN.exec(text);
  if (simple && text.includes('(') === (simple[2] !== undefined)) {
    const [, name = ''] = simple;
    const read = ({ cols }: Inputs) => {
      if (cols === undefined || !Object.hasOwn(cols, name)) throw new Error(`there is no column ${name}`);
      return text.includes('(') ? asText(cols[name]) : cols[name];
    };
    return { text, path, columns: new Set([name]), column: name, value: read };
  }
  const { rewritten, columns, original } = expandColumns(text);
  try {
    const { evaluate } = compileExpression(rewritten, { names: NAMES, functions });
    const value = (inputs: Inputs) => {
      try {
        return evaluate(inputs as Readonly<Record<string, unknown>>);
      } catch (error) {
        throw new Error((error as Error).message.replace(rewritten, text));
      }
    };
    return { text, path, columns, value };
  } catch (error) {
    if (error instanceof ExpressionError)
      throw document.failure(path, `${error.message}, in: ${text}`, original(error.offset));
    throw error;
  }
}

/** Replaces `.name` by `cols.name`, except after a value and inside texts. */
function expandColumns(text: string) {
  const columns = new Set<string>();
  const shifts: { at: number; by: number }[] = [];
  const isOptional = /\bhas\s*\(/.test(text);
  const parts =
    /(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[\w)\]}])(?:\.\w+)+|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\.([A-Za-z_]\w*)((?:\.\w+)*)/g;
  let shift = 0;
  const rewritten = text.replaceAll(
    parts,
    (found, name: string | undefined, rest: string, offset: number) => {
      if (name === undefined) return found;
      if (!isOptional) columns.add(name);
      const replacement = (RESERVED.test(name) ? `cols['${name}']` : `cols.${name}`) + rest;
      shift += replacement.length - found.length;
      shifts.push({ at: offset + shift, by: shift });
      return replacement;
    },
  );
  const original = (offset: number) =>
    Math.max(0, offset - (shifts.findLast(({ at }) => offset >= at)?.by ?? 0));
  return { rewritten, columns, original };
}

/** Returns a value as text; nothing as an empty text. */
export function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Evaluates to true or false. Texts and numbers count as they do in baton-sql. */
export function isTrue(expression: Compiled | undefined, inputs: Inputs): boolean {
  const value = expression?.value(inputs);
  if (typeof value === 'string') {
    if (/^(1|t|true)$/i.test(value)) return true;
    if (/^(0|f|false|)$/i.test(value)) return false;
    throw new Error(`${expression?.text}: "${value}" is neither true nor false`);
  }
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) !== 0 : value === true;
}

export const textOf = (expression: Compiled | undefined, inputs: Inputs): string =>
  expression === undefined ? '' : asText(expression.value(inputs));

/** Throws if a row lacks a column that an expression needs. */
export function requireColumns(
  document: Document<unknown>,
  row: Row,
  expressions: (Compiled | undefined)[],
): void {
  for (const expression of expressions) {
    for (const name of expression?.columns ?? []) {
      if (Object.hasOwn(row, name)) continue;
      const known = Object.keys(row).join(', ');
      throw document.failure(
        expression?.path ?? [],
        `the query returns no column "${name}"; its columns are ${known} (upper and lower case differ)`,
      );
    }
  }
}
