import { parseSync } from '@swc/core';
import { hole } from './sql.ts';

/** A text of SQL in a TypeScript file. */
export interface SqlText {
  /** Holes are numbered from 0. */
  text: string;
  line: number;
  /** Tagged with `sql`: a fragment may then begin with a table's name. */
  isTagged: boolean;
  /** For each hole, the strings in its expression and in the declarations of the file that the expression uses. */
  holes: string[][];
}

// biome-ignore lint/suspicious/noExplicitAny: a walk over every kind of node of a syntax tree.
type Node = Record<string, any>;

const LOOKS_LIKE_SQL =
  /^\s*(select|insert into|update \w+ |delete from|with \w+|lock table|from|join|exists)\b|\b(select|insert into|delete from|lock table)\s/;

/** Finds the SQL of a file. A literal without the tag counts only where SQL belongs, and if it looks like SQL. */
export function sqlIn(code: string, { isPlaceOfSql }: { isPlaceOfSql: boolean }): SqlText[] {
  const bytes = Buffer.from(code);
  const texts: SqlText[] = [];
  const lineOf = (node: Node) =>
    bytes
      .subarray(0, node.span.start - 1)
      .toString()
      .split('\n').length;

  const add = (node: Node, quasis: string[], expressions: Node[], isTagged: boolean) => {
    const text = quasis.map((quasi, i) => (i === 0 ? quasi : hole(i - 1) + quasi)).join('');
    if (isTagged || (isPlaceOfSql && LOOKS_LIKE_SQL.test(text)))
      texts.push({
        text,
        line: lineOf(node),
        isTagged,
        holes: expressions.map((expression) => [...stringsIn(expression, declarations)]),
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
      add(node as Node, [(node as Node).value], [], false);
    }
    for (const value of Object.values(node)) visit(value);
  };

  const module = parseSync(code, { syntax: 'typescript', target: 'es2022' });
  const declarations = declarationsIn(module);
  visit(module.body);
  return texts;
}

/** Returns the names that a file re-exports from a folder `queries`: by one statement, or after an import. Types count, too. */
export function reExportsOfQueries(code: string): string[] {
  const { body } = parseSync(code, { syntax: 'typescript', target: 'es2022' });
  const isOfQueries = ({ source }: Node) => source != null && /\/queries\//.test(source.value);
  const imported = new Set<string>(
    body
      .filter((node: Node) => node.type === 'ImportDeclaration' && isOfQueries(node))
      .flatMap((node: Node) => node.specifiers.map(({ local }: Node) => local.value)),
  );
  return body.flatMap((node: Node): string[] => {
    if (node.type === 'ExportAllDeclaration' && isOfQueries(node)) return ['everything'];
    if (node.type !== 'ExportNamedDeclaration') return [];
    const names: string[] = node.specifiers.map(({ orig, name }: Node) => (orig ?? name).value);
    return node.source === null ? names.filter((name) => imported.has(name)) : isOfQueries(node) ? names : [];
  });
}

/** The templates of kit/database. */
const STATEMENTS = new Set('run many one value values exists affected countFor secondsUntilFirst'.split(' '));

const isSql = (tag: Node): boolean =>
  (tag.type === 'Identifier' && tag.value === 'sql') ||
  (tag.type === 'CallExpression' && STATEMENTS.has(tag.callee.value)) ||
  (tag.type === 'MemberExpression' && isSql(tag.object)) ||
  (tag.type === 'TsInstantiation' && isSql(tag.expression));

/** Everything that a name of the file is declared as: constants, functions, and the types of parameters. */
function declarationsIn(module: Node): Map<string, Node[]> {
  const declarations = new Map<string, Node[]>();
  const add = (name: string, node: Node | undefined) => {
    if (node) declarations.set(name, [...(declarations.get(name) ?? []), node]);
  };
  walk(module, (node) => {
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier') add(node.id.value, node.init);
    if (node.type === 'FunctionDeclaration') add(node.identifier.value, node.body);
    if (node.type === 'Identifier') add(node.value, node.typeAnnotation?.typeAnnotation);
  });
  return declarations;
}

/** The strings in an expression, and in the declarations that it uses, directly or not. */
function stringsIn(expression: Node, declarations: Map<string, Node[]>): Set<string> {
  const strings = new Set<string>();
  const followed = new Set<string>();
  const follow = (root: Node) =>
    walk(root, (node) => {
      if (node.type === 'StringLiteral') strings.add(node.value);
      if (node.type !== 'Identifier' || followed.has(node.value)) return;
      followed.add(node.value);
      for (const declaration of declarations.get(node.value) ?? []) follow(declaration);
    });
  follow(expression);
  return strings;
}

function walk(node: unknown, see: (node: Node) => void): void {
  if (Array.isArray(node)) {
    for (const each of node) walk(each, see);
  } else if (typeof node === 'object' && node !== null) {
    if ('type' in node) see(node as Node);
    for (const value of Object.values(node)) walk(value, see);
  }
}
