// The types that the source declares for the rows of its statements, as the TypeScript compiler sees them.
import { relative } from 'node:path';
import type { Expression, Node, SourceFile } from 'typescript/unstable/ast';
import {
  isCallExpression,
  isIdentifier,
  isPropertyAccessExpression,
  isTaggedTemplateExpression,
} from 'typescript/unstable/ast/is';
import { API, type Checker, type Project, type Type, TypeFlags } from 'typescript/unstable/sync';

/** A type, as far as the kinds of values (test/rows.ts) can differ from it. */
export interface Declared {
  /** Nothing is declared about the value. */
  any: boolean;
  /** The kinds of values that are not objects. */
  kinds: Set<string>;
  items: Declared | undefined;
  objects: DeclaredObject[];
}

export interface DeclaredObject {
  properties: Map<string, { isOptional: boolean; type: Declared }>;
  /** The type of properties with any name. */
  index: Declared | undefined;
}

/** A call that declares the type of the rows it returns, or of their only column. */
export interface Cast {
  /** The place in the source, such as `src/inventory/apps/queries/apps.ts:12:34`. */
  place: string;
  row: Declared;
  isColumn: boolean;
}

/** Types refer to themselves, such as that of JSON. Deeper values are not compared. */
const DEPTH = 6;
const CALLS = new Set(['execute', 'executeQuery', 'prepared', 'query']);
/** The templates of `kit/database/statements.ts` that declare a type, each with whether it returns a list and columns. */
const TEMPLATES: Record<string, { isList: boolean; isColumn: boolean } | undefined> = {
  many: { isList: true, isColumn: false },
  one: { isList: false, isColumn: false },
  value: { isList: false, isColumn: true },
  values: { isList: true, isColumn: true },
};

/** Returns the casts in the files of a TypeScript project, with places relative to `root`. */
export function castsIn(config: string, root: string, isWanted: (path: string) => boolean): Cast[] {
  const api = new API();
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config) as Project;
    return project.program
      .getSourceFileNames()
      .map((name) => ({ name, path: relative(root, name) }))
      .filter(({ path }) => isWanted(path))
      .flatMap(({ name, path }) =>
        castsInFile(project.program.getSourceFile(name) as SourceFile, path, project.checker),
      );
  } finally {
    api.close();
  }
}

function castsInFile(file: SourceFile, path: string, checker: Checker): Cast[] {
  const casts: Cast[] = [];
  const visit = (node: Node): void => {
    if (isCallExpression(node) && isPropertyAccessExpression(node.expression)) {
      const { name } = node.expression;
      const row = CALLS.has(name.text) ? rowOf(node, checker) : undefined;
      if (row !== undefined) casts.push({ place: `${path}:${positionOf(name, file)}`, row, isColumn: false });
    }
    const template = templateOf(node, checker);
    if (template !== undefined)
      casts.push({ place: `${path}:${positionOf(template.text, file)}`, ...template });
    node.forEachChild(visit);
  };
  visit(file);
  return casts;
}

/** Returns the type that a template such as many<Row>(db)`select …` declares, and the node of its text. */
function templateOf(node: Node, checker: Checker): (Omit<Cast, 'place'> & { text: Node }) | undefined {
  if (!isTaggedTemplateExpression(node) || !isCallExpression(node.tag)) return undefined;
  const name = isIdentifier(node.tag.expression) ? node.tag.expression.text : '';
  const returned = TEMPLATES[name];
  const promise = returned && checker.getTypeAtLocation(node);
  const [result] = promise ? argumentsOf(promise, checker) : [];
  const [type] = result && returned?.isList ? argumentsOf(result, checker) : [result];
  if (type === undefined || returned === undefined) return undefined;
  const row = declaredOf([type], checker);
  return row.any ? undefined : { text: node.template, row, isColumn: returned.isColumn };
}

function positionOf(node: Node, file: SourceFile): string {
  const before = file.text.slice(0, node.getStart(file)).split('\n');
  return `${before.length}:${(before.at(-1) as string).length + 1}`;
}

/** Returns the type of a row if a call returns a promise of a result, or of rows, and declares something about them. */
function rowOf(call: Expression, checker: Checker): Declared | undefined {
  const promise = checker.getTypeAtLocation(call);
  const [result] = promise === undefined ? [] : argumentsOf(promise, checker);
  const name = result?.getSymbol()?.name;
  if (result === undefined || (name !== 'QueryResult' && name !== 'Array')) return undefined;
  const [row] = argumentsOf(result, checker);
  const declared = row && declaredOf([row], checker);
  const isEmpty = declared?.objects.every(({ properties }) => properties.size === 0);
  return declared?.any || isEmpty ? undefined : declared;
}

const argumentsOf = (type: Type, checker: Checker): readonly Type[] =>
  type.isTypeReference() ? checker.getTypeArguments(type) : [];

function declaredOf(types: readonly Type[], checker: Checker, depth = 0): Declared {
  const declared: Declared = { any: depth === DEPTH, kinds: new Set(), items: undefined, objects: [] };
  const items: Type[] = [];
  const inner = (type: Type[]) => declaredOf(type, checker, depth + 1);
  for (const type of depth === DEPTH ? [] : types.flatMap(membersOf)) {
    const kind = kindOf(type);
    if (kind !== undefined) declared.kinds.add(kind);
    else if (checker.isArrayLikeType(type)) items.push(...argumentsOf(type, checker));
    else if ((type.flags & (TypeFlags.Object | TypeFlags.Intersection)) === 0) declared.any = true;
    else declared.objects.push(objectOf(type, checker, inner));
  }
  if (items.length > 0) declared.items = inner(items);
  return declared;
}

const membersOf = (type: Type): readonly Type[] =>
  type.isUnionType() ? (type.getTypes() ?? []).flatMap(membersOf) : [type];

const KINDS = [
  [TypeFlags.StringLike, 'string'],
  [TypeFlags.NumberLike, 'number'],
  [TypeFlags.Boolean | TypeFlags.BooleanLiteral, 'boolean'],
  [TypeFlags.BigInt | TypeFlags.BigIntLiteral, 'bigint'],
  [TypeFlags.Null, 'null'],
  [TypeFlags.Undefined, 'undefined'],
] as const;

function kindOf(type: Type): string | undefined {
  // A branded type is its primitive type with a mark.
  if (type.isIntersectionType())
    return (type.getTypes() ?? []).map(kindOf).find((kind) => kind !== undefined);
  const name = type.getSymbol()?.name;
  if (name === 'Date') return 'Date';
  if (name === 'Buffer' || name === 'Uint8Array') return 'bytes';
  return KINDS.find(([flags]) => (type.flags & flags) !== 0)?.[1];
}

function objectOf(type: Type, checker: Checker, inner: (types: Type[]) => Declared): DeclaredObject {
  const properties = checker.getPropertiesOfType(type).map((symbol) => {
    const value = checker.getTypeOfSymbol(symbol);
    return [
      symbol.name,
      { isOptional: (symbol.flags & OPTIONAL) !== 0, type: inner(value ? [value] : []) },
    ] as const;
  });
  const indexes = checker.getIndexInfosOfType(type).map(({ valueType }) => valueType);
  return { properties: new Map(properties), index: indexes.length > 0 ? inner(indexes) : undefined };
}

/** The flag of a symbol that is declared with a question mark. */
const OPTIONAL = 16777216;
