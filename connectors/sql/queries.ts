import { TaskError } from '@gatehouse/connector';
import type { Document, Path } from '@gatehouse/connector/declarative';

/** A statement whose tokens have become parameters. */
export type Bound = { text: string; values: unknown[] };

export interface Statement {
  path: Path;
  /** Names of the tokens, in lower case. */
  tokens: ReadonlySet<string>;
  bind(value: (name: string) => unknown, placeholder: (position: number) => string): Bound;
}

const TOKEN = /\?<([A-Za-z0-9_.]+)(?:\|([A-Za-z0-9_]+))?>/g;
const WORD = /^[\p{L}\p{N}_$#@][\p{L}\p{N}_$#@.-]*$/u;
/** Names of privileges, such as CREATE ANY TABLE. Words that continue a statement are not part of one. */
const WORDS = /^[A-Z]+(?: [A-Z]+){1,5}$/;
const CONTINUES = /\b(?:WITH|TO|FROM|OPTION|IDENTIFIED|BY|OR|AND|UNION|WHERE|SET|VALUES|SELECT INTO)\b/;

/** Parses a statement. Throws a Failure for a token that is malformed or not known. */
export function parseStatement(
  document: Document<unknown>,
  path: Path,
  sql: string,
  isKnown: (name: string) => boolean,
): Statement {
  const tokens = new Set<string>();
  for (const { index } of sql.matchAll(/\?</g)) {
    TOKEN.lastIndex = index;
    const found = TOKEN.exec(sql);
    if (found?.index !== index)
      throw document.failure(
        path,
        `${sql.slice(index, index + 20)} is not a token; write ?<name> or ?<name|unquoted>`,
      );
    const [token, name = '', option] = found;
    if (option !== undefined && option.toLowerCase() !== 'unquoted')
      throw document.failure(path, `${token} has the unknown option "${option}"; the only one is unquoted`);
    if (!isKnown(name.toLowerCase()))
      throw document.failure(path, `${token} has no value: nothing defines "${name}"`);
    tokens.add(name.toLowerCase());
  }
  return {
    path,
    tokens,
    bind(value, placeholder) {
      const values: unknown[] = [];
      const text = sql.replaceAll(TOKEN, (_, name: string, option: string | undefined) => {
        const given = value(name.toLowerCase());
        if (option !== undefined) return unquoted(name, given);
        return placeholder(values.push(given));
      });
      return { text, values };
    },
  };
}

/** Returns a value that becomes part of a statement: a name, or the words of a privilege. */
function unquoted(name: string, value: unknown): string {
  const text = String(value ?? '');
  const isPlain = WORD.test(text) && !text.includes('--');
  if (text.length <= 128 && (isPlain || (WORDS.test(text) && !CONTINUES.test(text)))) return text;
  throw new TaskError(
    'INTERNAL_ERROR',
    `the value of ${name} cannot be part of a statement, because it is not a plain name`,
  );
}
