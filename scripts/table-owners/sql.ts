/** The tables, views and functions that a piece of SQL uses, and how. */
export interface Uses {
  /** Tables or views that it inserts into, updates, deletes from or truncates. */
  writes: Set<string>;
  reads: Set<string>;
  /** Tables that it locks: `for update`, `for share`, `lock table`. */
  locks: Set<string>;
  calls: Set<string>;
  /** Numbers of the holes that stand where a written table's name belongs. */
  holesWritten: Set<number>;
  /** The same for a read table. */
  holesRead: Set<number>;
}

/** Stands for hole `number` of a template. A character that SQL has no use for keeps it apart from any name. */
export const hole = (number: number) => `\u00a7${number}`;

const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|"(?:[^"]|"")*"|\u00a7\d+|[A-Za-z_]\w*|\d+|::|[^\s]/g;

/** Splits SQL into tokens in lower case, without comments and without the text of strings. */
export function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    if (token.startsWith('--') || token.startsWith('/*')) continue;
    if (token.startsWith("'") || /^\$\w*\$/.test(token)) tokens.push("''");
    else if (token.startsWith('"')) tokens.push(token.slice(1, -1).replaceAll('""', '"'));
    else tokens.push(token.toLowerCase());
  }
  return tokens;
}

const NAME = /^[a-z_]\w*$/;
const END_OF_FROM = new Set(
  'where group having order limit offset fetch window union intersect except returning for set select'.split(
    ' ',
  ),
);
const NOT_AN_ALIAS = new Set([
  ...END_OF_FROM,
  ...'on using join left right full inner outer cross natural as tablesample values'.split(' '),
]);
/** `extract(epoch from x)` and its like: this `from` names no table. */
const CALLS_WITH_FROM = new Set(['extract', 'overlay', 'substring', 'trim']);
/** `for update`, `do update set`, `before update on`: no statement that updates. */
const BEFORE_ANOTHER_UPDATE = new Set(['for', 'key', 'do', 'on', 'before', 'after', 'or']);
const STARTS_OF_QUERY = new Set(['select', 'insert', 'update', 'delete', 'with', 'values', 'merge', 'table']);

/**
 * Reads one SQL text: a statement, a fragment of one, or the body of a function. `isFragment` also takes a leading
 * name as a table, as in the fragment `account a join app p on ...`.
 */
export function usesOf(text: string, { isFragment = false } = {}): Uses {
  return new Reader(tokensOf(text)).read(isFragment);
}

class Reader {
  readonly #tokens: string[];
  readonly #uses: Uses = {
    writes: new Set(),
    reads: new Set(),
    locks: new Set(),
    calls: new Set(),
    holesWritten: new Set(),
    holesRead: new Set(),
  };
  readonly #withNames: Set<string>;
  /** For each open parenthesis: the tables of the query inside it, by alias. */
  readonly #blocks: Map<string, string>[] = [new Map()];

  constructor(tokens: string[]) {
    this.#tokens = tokens;
    this.#withNames = namesOfCommonTables(tokens);
  }

  read(isFragment: boolean): Uses {
    if (isFragment) this.#leadingTable();
    for (let i = 0; i < this.#tokens.length; i++) this.#step(i);
    return this.#uses;
  }

  #at = (i: number) => this.#tokens[i] ?? '';

  #step(i: number) {
    const at = this.#at;
    switch (at(i)) {
      case '(':
        this.#blocks.push(new Map());
        return;
      case ')':
        if (this.#blocks.length > 1) this.#blocks.pop();
        return;
      case 'lock':
        if (at(i + 1) === 'table') this.#uses.locks.add(at(i + 2));
        return;
      case 'for':
        this.#locks(i);
        return;
      default:
        this.#writes(i);
        this.#reads(i);
        if (NAME.test(at(i)) && at(i + 1) === '(') this.#uses.calls.add(at(i));
    }
  }

  #writes(i: number) {
    const before = this.#at(i - 1);
    switch (this.#at(i)) {
      case 'into':
        if (before === 'insert' || before === 'merge') this.#written(i + 1);
        return;
      case 'update':
        if (!BEFORE_ANOTHER_UPDATE.has(before)) this.#written(i + 1);
        return;
      case 'truncate':
        this.#written(this.#at(i + 1) === 'table' ? i + 2 : i + 1);
        return;
      case 'from':
        if (before === 'delete') this.#written(i + 1);
    }
  }

  #reads(i: number) {
    switch (this.#at(i)) {
      case 'from':
        if (this.#at(i - 1) !== 'delete' && this.#isFromOfQuery(i)) this.#tables(i + 1);
        return;
      case 'using':
        if (this.#at(i + 1) !== '(' || STARTS_OF_QUERY.has(this.#at(i + 2))) this.#tables(i + 1);
        return;
      case 'join':
        this.#table(i + 1);
    }
  }

  #isFromOfQuery(i: number): boolean {
    if (this.#at(i - 1) === 'distinct' && ['is', 'not'].includes(this.#at(i - 2))) return false;
    return !(this.#at(i - 2) === '(' && CALLS_WITH_FROM.has(this.#at(i - 3)));
  }

  #written(i: number) {
    const start = this.#at(i) === 'only' ? i + 1 : i;
    if (this.#isTemporary(start)) return;
    const { name } = this.#nameAt(start);
    const number = holeNumber(name);
    if (number !== undefined) this.#uses.holesWritten.add(number);
    else if (NAME.test(name) && !this.#withNames.has(name) && name !== 'set') this.#uses.writes.add(name);
  }

  /** A list of tables with commas between them, up to the end of its clause. */
  #tables(start: number) {
    this.#table(start);
    let depth = 0;
    for (let i = start; i < this.#tokens.length; i++) {
      const token = this.#at(i);
      if (token === '(') depth++;
      else if (token === ')') depth--;
      else if (depth === 0 && END_OF_FROM.has(token)) return;
      else if (depth === 0 && token === ',') this.#table(i + 1);
      if (depth < 0) return;
    }
  }

  #table(start: number) {
    let i = start;
    while (['only', 'lateral', '('].includes(this.#at(i))) i++;
    if (this.#isTemporary(i)) return;
    const { name, next } = this.#nameAt(i);
    const number = holeNumber(name);
    if (number !== undefined) this.#uses.holesRead.add(number);
    if (!NAME.test(name) || STARTS_OF_QUERY.has(name) || this.#at(next) === '(') return;
    if (this.#withNames.has(name)) return;
    this.#uses.reads.add(name);
    const alias = this.#at(next) === 'as' ? this.#at(next + 1) : this.#at(next);
    this.#blocks.at(-1)?.set(NAME.test(alias) && !NOT_AN_ALIAS.has(alias) ? alias : name, name);
  }

  #leadingTable() {
    const name = this.#at(0);
    const after = this.#at(1);
    if (NAME.test(name) && (after === '' || (NAME.test(after) && after !== 'from'))) this.#table(0);
  }

  /** `for [no key] update`, `for [key] share`, with `of` or without. */
  #locks(i: number) {
    let strength = i + 1;
    while (['no', 'key'].includes(this.#at(strength))) strength++;
    if (!['update', 'share'].includes(this.#at(strength))) return;
    const block = this.#blocks.at(-1) ?? new Map<string, string>();
    if (this.#at(strength + 1) !== 'of') {
      for (const table of block.values()) this.#uses.locks.add(table);
      return;
    }
    for (let at = strength + 2; NAME.test(this.#at(at)); at += 2) {
      const table = block.get(this.#at(at));
      if (table !== undefined) this.#uses.locks.add(table);
      if (this.#at(at + 1) !== ',') return;
    }
  }

  /** A temporary table, or a relation of a publication on a cluster, whatever its name. */
  #isTemporary = (i: number) => ['pg_temp', 'staging'].includes(this.#at(i) ?? '') && this.#at(i + 1) === '.';

  /** A name without the schema in front of it, and where the text goes on. */
  #nameAt(i: number): { name: string; next: number } {
    return this.#at(i + 1) === '.'
      ? { name: this.#at(i + 2), next: i + 3 }
      : { name: this.#at(i), next: i + 1 };
  }
}

const holeNumber = (token: string) => (token.startsWith('\u00a7') ? Number(token.slice(1)) : undefined);

/** `with name (columns) as materialized (select ...)`: the names that such a clause defines. */
function namesOfCommonTables(tokens: string[]): Set<string> {
  const names = new Set<string>();
  for (const [i, token] of tokens.entries()) {
    if (token !== 'as') continue;
    let body = i + 1;
    while (['not', 'materialized'].includes(tokens[body] ?? '')) body++;
    const first = tokens[body + 1] ?? '';
    if (tokens[body] !== '(' || !(STARTS_OF_QUERY.has(first) || first.startsWith('\u00a7'))) continue;
    const name = tokens[i - 1] === ')' ? tokens[tokens.lastIndexOf('(', i - 1) - 1] : tokens[i - 1];
    if (name !== undefined && NAME.test(name)) names.add(name);
  }
  return names;
}
