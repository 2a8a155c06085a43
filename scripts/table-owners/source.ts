import { parseSync } from '@swc/core';
import { hole } from './sql.ts';

/** A text of SQL in a TypeScript file. */
export interface SqlText {
  /** Holes are numbered from 0. */
  text: string;
  line: number;
  /** Tagged with `sql`: a fragment may then begin with a table's name. */
  isTagged: boolean;
  /** For each hole, the names that can stand there, where the file says so. */
  holes: (string[] | undefined)[];
}

export interface Source {
  texts: SqlText[];
  /** Every string literal of the file: what a hole holds when nothing better is known. */
  literals: Set<string>;
}

// biome-ignore lint/suspicious/noExplicitAny: a walk over every kind of node of a syntax tree.
type Node = Record<string, any>;

const LOOKS_LIKE_SQL =
  /^\s*(select|insert into|update \w+ |delete from|with \w+|lock table|from|join|exists)\b|\b(select|insert into|delete from|lock table)\s/;

/** Finds the SQL of a file. A literal without the tag counts in a file of queries only, and if it looks like SQL. */
export function sqlIn(code: string, { isQueries }: { isQueries: boolean }): Source {
  const bytes = Buffer.from(code);
  const texts: SqlText[] = [];
  const literals = new Set<string>();
  const parameters = new Map<string, string[]>();
  const lineOf = (node: Node) =>
    bytes
      .subarray(0, node.span.start - 1)
      .toString()
      .split('\n').length;

  const add = (node: Node, quasis: string[], expressions: Node[], isTagged: boolean) => {
    const text = quasis.map((quasi, i) => (i === 0 ? quasi : hole(i - 1) + quasi)).join('');
    if (isTagged || (isQueries && LOOKS_LIKE_SQL.test(text)))
      texts.push({
        text,
        line: lineOf(node),
        isTagged,
        holes: expressions.map((hole) => namesIn(hole, parameters)),
      });
  };
  const template = (node: Node, tagged: boolean) =>
    add(
      node,
      node.quasis.map((quasi: Node) => quasi.cooked ?? quasi.raw),
      node.expressions,
      tagged,
    );

  const visit = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const each of node) visit(each);
      return;
    }
    if (typeof node !== 'object' || node === null) return;
    const { type } = node as Node;
    if (type === 'ImportDeclaration') return;
    if (type === 'TaggedTemplateExpression' && isSql((node as Node).tag)) {
      template((node as Node).template, true);
      visit((node as Node).template.expressions);
      return;
    }
    if (type === 'TemplateLiteral') template(node as Node, false);
    if (type === 'StringLiteral') {
      literals.add((node as Node).value);
      add(node as Node, [(node as Node).value], [], false);
    }
    for (const value of Object.values(node)) visit(value);
  };

  const module = parseSync(code, { syntax: 'typescript', target: 'es2022' });
  collectParameters(module, parameters);
  visit(module.body);
  return { texts, literals };
}

const isSql = (tag: Node): boolean =>
  (tag.type === 'Identifier' && tag.value === 'sql') ||
  (tag.type === 'MemberExpression' && isSql(tag.object)) ||
  (tag.type === 'TsInstantiation' && isSql(tag.expression));

/** `table: 'account' | 'entitlement'`: the names that a parameter can hold. */
function collectParameters(node: unknown, found: Map<string, string[]>) {
  if (Array.isArray(node)) {
    for (const each of node) collectParameters(each, found);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  const { type, value, typeAnnotation } = node as Node;
  if (type === 'Identifier' && typeAnnotation) {
    const names = literalsOfType(typeAnnotation.typeAnnotation);
    if (names.length > 0) found.set(value, [...(found.get(value) ?? []), ...names]);
  }
  for (const child of Object.values(node)) collectParameters(child, found);
}

function literalsOfType(type: Node | undefined): string[] {
  if (type?.type === 'TsUnionType') return type.types.flatMap(literalsOfType);
  return type?.type === 'TsLiteralType' && type.literal.type === 'StringLiteral' ? [type.literal.value] : [];
}

/** The table names that an expression stands for, if the file alone tells: `table`, `sql.table('account')`. */
function namesIn(expression: Node, parameters: Map<string, string[]>): string[] | undefined {
  switch (expression.type) {
    case 'Identifier':
      return parameters.get(expression.value);
    case 'StringLiteral':
      return [expression.value];
    case 'CallExpression': {
      const name = expression.callee.type === 'MemberExpression' ? expression.callee.property.value : '';
      const [argument] = expression.arguments;
      return ['table', 'id', 'raw', 'ref'].includes(name) && argument !== undefined
        ? namesIn(argument.expression, parameters)
        : undefined;
    }
    default:
      return undefined;
  }
}
