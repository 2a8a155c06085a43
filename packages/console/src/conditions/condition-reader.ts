import { t } from '@lingui/core/macro';
import {
  type Condition,
  type Group,
  INCOMPLETE,
  isComplete,
  isOffered,
  type Join,
  type Row,
} from './condition-model.ts';
import {
  attributeField,
  attributeOf,
  fieldOf,
  isReadBy,
  type Operator,
  type Owner,
} from './condition-vocabulary.ts';

/**
 * Reads CEL that the builder can show. It recognizes exactly the expressions that the builder writes, with any white space,
 * quotes and parentheses, and refuses everything else: the server alone decides whether a condition is valid.
 */
export function readCondition(text: string, owner: Owner): Condition | { why: string } {
  try {
    if (['', 'true', INCOMPLETE].includes(text.trim())) return { join: 'and', items: [] };
    return conditionOf(new Reader(text, owner).all());
  } catch (error) {
    if (error instanceof Unsupported) return { why: error.message };
    throw error;
  }
}

class Unsupported extends Error {}

type Node = Row | { join: Join; parts: Node[] };

function conditionOf(node: Node): Condition {
  if (!('join' in node)) return { join: 'and', items: [node] };
  return { join: node.join, items: node.parts.map(itemOf) };
}

function itemOf(node: Node): Row | Group {
  if (!('join' in node)) return node;
  const rows = node.parts.filter((part) => !('join' in part)) as Row[];
  if (rows.length < node.parts.length)
    throw new Unsupported(t`It has groups inside groups, which the builder does not show.`);
  return { join: node.join, rows };
}

const TOKEN =
  /\s*(?:('(?:[^'\\\n]|\\[\\'"nt])*'|"(?:[^"\\\n]|\\[\\'"nt])*")|(\d+)(?![\w.])|([A-Za-z_]\w*)|(&&|\|\||[=!<>]=|[<>!()[\],.])|(\S))/y;

interface Token {
  kind: 'text' | 'number' | 'word' | 'sign';
  value: string;
  at: number;
}

const METHODS: Record<string, Operator> = { contains: 'contains', startsWith: 'starts', endsWith: 'ends' };
const ESCAPES: Record<string, string> = { n: '\n', t: '\t' };
const SHOWN = 40;
const NEGATED: Partial<Record<Operator, Operator>> = { set: 'unset', includes: 'excludes', yes: 'no' };
/** The operators whose rows are false without a value. */
const COMPARED: readonly Operator[] = ['past', 'future', 'before', 'after', 'at_least'];

class Reader {
  readonly #text: string;
  readonly #tokens: Token[] = [];
  /** Parts of a row: a comparison with != of an attribute, or the test whether there are days, which make a row together only. */
  readonly #bare = new Set<Node>();
  readonly #owner: Owner;
  #next = 0;

  constructor(text: string, owner: Owner) {
    this.#text = text;
    this.#owner = owner;
    TOKEN.lastIndex = 0;
    for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
      const [whole, string, number, word, sign, other] = match;
      const at = match.index + whole.search(/\S/);
      if (other !== undefined) throw this.#unsupported(at);
      if (string !== undefined)
        this.#tokens.push({
          kind: 'text',
          value: string.slice(1, -1).replace(/\\(.)/g, (_, escaped: string) => ESCAPES[escaped] ?? escaped),
          at,
        });
      else if (number !== undefined) this.#tokens.push({ kind: 'number', value: number, at });
      else if (word !== undefined) this.#tokens.push({ kind: 'word', value: word, at });
      else this.#tokens.push({ kind: 'sign', value: sign ?? '', at });
    }
  }

  all(): Node {
    const node = this.#joined('or');
    if (this.#next < this.#tokens.length) throw this.#unsupported();
    this.#refuseBare([node]);
    return node;
  }

  #unsupported(at = this.#tokens[this.#next]?.at ?? this.#text.length): Unsupported {
    const rest = this.#text.slice(at).trim();
    const part = rest.length > SHOWN ? `${rest.slice(0, SHOWN)}…` : rest;
    return new Unsupported(
      part === ''
        ? t`It ends too early.`
        : t`The builder has no row for the part that begins with “${part}”.`,
    );
  }

  /** Returns the next token if it is this sign or word, and moves on. */
  #take(value: string): boolean {
    const token = this.#tokens[this.#next];
    if (token === undefined || token.value !== value || (token.kind !== 'sign' && token.kind !== 'word'))
      return false;
    this.#next++;
    return true;
  }

  #expect(value: string) {
    if (!this.#take(value)) throw this.#unsupported();
  }

  #string(): string {
    const token = this.#tokens[this.#next];
    if (token?.kind !== 'text') throw this.#unsupported();
    this.#next++;
    return token.value;
  }

  #joined(join: Join): Node {
    const part = () => (join === 'or' ? this.#joined('and') : this.#primary());
    const parts = [part()];
    while (this.#take(join === 'or' ? '||' : '&&')) parts.push(part());
    const [only] = parts;
    if (parts.length === 1 && only !== undefined) return only;
    const rows = this.#folded(join, parts);
    const [row] = rows;
    if (rows.length === 1 && row !== undefined) return row;
    this.#refuseBare(rows);
    // (a && b) && c is the same as a && b && c.
    return { join, parts: rows.flatMap((one) => ('join' in one && one.join === join ? one.parts : [one])) };
  }

  /** Makes one row of each comparison that follows the test whether its field has a value. */
  #folded(join: Join, parts: Node[]): Node[] {
    const rows: Node[] = [];
    for (const part of parts) {
      const before = rows.at(-1);
      const row = before && this.#rowOf(join, before, part);
      if (row === undefined) rows.push(part);
      else rows[rows.length - 1] = row;
    }
    return rows;
  }

  #rowOf(join: Join, first: Node, second: Node): Row | undefined {
    if ('join' in first || 'join' in second || first.field !== second.field) return undefined;
    if (join === 'or') return first.operator === 'unset' && this.#bare.delete(second) ? second : undefined;
    if (first.operator !== 'set' || !COMPARED.includes(second.operator)) return undefined;
    this.#bare.delete(first);
    return second;
  }

  #refuseBare(nodes: Node[]) {
    const bare = nodes.find((node) => this.#bare.has(node));
    if (bare === undefined) return;
    if ('operator' in bare && bare.operator === 'set') throw this.#unsupported(0);
    throw new Unsupported(
      t`In the builder, “is not” includes people without a value. This condition does not say whether it does.`,
    );
  }

  #primary(): Node {
    if (this.#take('(')) {
      const node = this.#joined('or');
      this.#expect(')');
      return node;
    }
    const start = this.#next;
    const row = this.#take('!') ? this.#negated() : this.#row();
    const isShown = (isOffered(row) || this.#bare.has(row)) && isReadBy(this.#owner, row.field);
    if (isShown && isComplete(row)) return row;
    this.#next = start;
    throw this.#unsupported();
  }

  #negated(): Row {
    const start = this.#tokens[this.#next - 1]?.at;
    const wrapped = this.#take('(');
    const begin = this.#next;
    const isHas = this.#tokens[begin]?.value === 'has';
    const row = this.#row();
    const isField = this.#next === begin + 3;
    if (wrapped) this.#expect(')');
    const operator = NEGATED[row.operator];
    // An operator binds less than "!", so only parentheses, has() and a field alone can be negated.
    if (operator === undefined || !(wrapped || isHas || isField)) throw this.#unsupported(start);
    // A flag of an account may be unknown, which is neither.
    if (operator === 'no' && !row.field.startsWith('user.')) throw this.#unsupported(start);
    return { ...row, operator };
  }

  #row(): Row {
    const token = this.#tokens[this.#next];
    if (token?.kind === 'text') {
      const value = this.#string();
      this.#expect('in');
      const path = this.#path();
      const field = path.join('.');
      return path.length === 2 && field === 'user.attributes'
        ? { field: attributeField(value), operator: 'set', values: [] }
        : { field, operator: 'includes', values: [value] };
    }
    if (this.#take('has')) {
      this.#expect('(');
      const [user, attributes, ...name] = this.#path();
      this.#expect(')');
      if (user !== 'user' || attributes !== 'attributes' || name.length !== 1) throw this.#unsupported();
      return { field: attributeField(name[0] ?? ''), operator: 'set', values: [] };
    }
    return this.#comparison();
  }

  #path(): string[] {
    const path = [this.#word()];
    for (;;) {
      if (this.#take('.')) path.push(this.#word());
      else if (this.#take('[')) {
        path.push(this.#string());
        this.#expect(']');
      } else return path;
    }
  }

  #word(): string {
    const token = this.#tokens[this.#next];
    if (token?.kind !== 'word') throw this.#unsupported();
    this.#next++;
    return token.value;
  }

  #comparison(): Row {
    const path = this.#path();
    const method = METHODS[path.at(-1) ?? ''];
    if (method !== undefined && this.#take('(')) {
      const values = [this.#string()];
      this.#expect(')');
      return { field: this.#field(path.slice(0, -1)), operator: method, values };
    }
    const field = this.#field(path);
    if (fieldOf(field)?.kind === 'flag') return this.#flag(field);
    if (this.#take('in')) return { field, operator: 'one_of', values: this.#list() };
    if (this.#take('==')) return this.#takeNull(field) ? alone(field, 'unset') : this.#valued(field, 'is');
    if (this.#take('!=')) return this.#unequal(field);
    if (this.#take('<')) return this.#take('today') ? alone(field, 'past') : this.#valued(field, 'before');
    if (this.#take('>')) return this.#take('today') ? alone(field, 'future') : this.#valued(field, 'after');
    this.#expect('>=');
    const token = this.#tokens[this.#next];
    if (token?.kind !== 'number') throw this.#unsupported();
    this.#next++;
    return { field, operator: 'at_least', values: [token.value] };
  }

  /** Whether somebody is on leave is always known, so that the field alone is a condition. */
  #flag(field: string): Row {
    if (this.#take('==')) {
      if (this.#take('true')) return alone(field, 'yes');
      this.#expect('false');
      return alone(field, 'no');
    }
    if (!field.startsWith('user.')) throw this.#unsupported();
    return alone(field, 'yes');
  }

  #unequal(field: string): Row {
    if (this.#takeNull(field)) {
      const row = alone(field, 'set');
      if (fieldOf(field)?.kind === 'days') this.#bare.add(row);
      return row;
    }
    const row = this.#valued(field, 'is_not');
    if (attributeOf(field) !== undefined) this.#bare.add(row);
    return row;
  }

  /** Returns the field with this path. `attributes.a.b` is a part of an attribute, and not one with a dot in its name. */
  #field(path: string[]): string {
    const isAttribute = path[0] === 'user' && path[1] === 'attributes';
    const names = isAttribute ? path.slice(0, 2) : path;
    if ((isAttribute && path.length !== 3) || names.some((name) => name.includes('.')))
      throw this.#unsupported();
    return path.join('.');
  }

  /** An attribute that is null is not the same as a missing one. */
  #takeNull(field: string): boolean {
    return attributeOf(field) === undefined && this.#take('null');
  }

  #valued(field: string, operator: Operator): Row {
    return { field, operator, values: [this.#string()] };
  }

  #list(): string[] {
    this.#expect('[');
    const values = [this.#string()];
    while (this.#take(',')) values.push(this.#string());
    this.#expect(']');
    return values;
  }
}

const alone = (field: string, operator: Operator): Row => ({ field, operator, values: [] });
