import { access, type Expr, partsOf } from '../../../protocol/src/cel-parts.ts';
import { type CelNoun, parsed, refusing } from './cel.ts';
import { celSentences } from './cel-sentences.ts';
import type { Sentence } from './sentences.ts';

/**
 * Checks that cel.ts leaves to the authors of a condition: it reads only fields that exist, and its result can be a
 * boolean. A condition that fails them is valid CEL, but never decided.
 */

/** The type of a value. `any` stands for values that only the evaluation knows, such as attributes. */
export type Type = 'any' | 'bool' | 'other' | Fields;

/** The fields of an object. Other fields do not exist. */
export interface Fields {
  readonly [name: string]: Type;
}

/** Returns fields that hold text, numbers or lists: no booleans and no objects. */
export const plainFields = (...names: string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, 'other' as const]));

/** Throws `invalid` with the position of the first field that does not exist, or if the result cannot be a boolean. */
export function checkFields(text: string, variables: Fields, path = 'condition') {
  const { expr, refuseAt } = checkReads(text, variables, path, 'condition');
  const type = typeOf(expr, variables);
  if (type !== 'any' && type !== 'bool') throw refuseAt(expr, celSentences.cel_not_boolean());
}

/** Throws `invalid` with the position of the first field that does not exist, or if the result is a boolean. */
export function checkTextFields(text: string, variables: Fields, path: string, noun: CelNoun) {
  const { expr, refuseAt } = checkReads(text, variables, path, noun);
  if (typeOf(expr, variables) === 'bool') throw refuseAt(expr, celSentences.cel_not_text());
}

function checkReads(text: string, variables: Fields, path: string, noun: CelNoun) {
  const refuse = refusing(text, path, noun);
  const { expr, positions } = parsed(text, refuse);
  const refuseAt = ({ id }: Expr, why: Sentence) => refuse(positions[String(id)] ?? 0, why);
  visit(expr, (part) => {
    const unknown = unknownField(part, variables);
    if (unknown !== undefined) throw refuseAt(part, unknown);
  });
  return { expr, refuseAt };
}

/** The fields of each variable that a condition reads. A variable that it does not read is missing. */
export type Reads = ReadonlyMap<string, ReadonlySet<string> | 'all'>;

/** Returns the fields of these variables that a valid condition reads, so that nothing else has to be loaded. */
export function fieldsRead(text: string, names: readonly string[]): Reads {
  const { expr } = parsed(text, refusing(text, 'condition'));
  const reads = new Map<string, Set<string> | 'all'>();
  const read = (part: Expr) => {
    const [operand, field] = access(part) ?? [];
    const name = nameOf(operand) ?? nameOf(comparedWithNull(part)) ?? nameOf(part);
    if (name === undefined || !names.includes(name)) return partsOf(part).forEach(read);
    const before = reads.get(name) ?? new Set<string>();
    const isWhole = nameOf(part) !== undefined;
    if (before === 'all' || isWhole) reads.set(name, 'all');
    else reads.set(name, field === undefined ? before : before.add(field));
  };
  read(expr);
  return reads;
}

/** Returns the keys of a field, such as attributes, that a valid condition reads: "all" unless it names them. */
export function keysRead(text: string, variable: string, field: string): ReadonlySet<string> | 'all' {
  const { expr } = parsed(text, refusing(text, 'condition'));
  const keys = new Set<string>();
  let readsAll = false;
  const isField = (part: Expr | undefined) => {
    const [operand, name] = (part && access(part)) ?? [];
    return name === field && nameOf(operand) === variable;
  };
  const read = (part: Expr) => {
    const [operand, key] = access(part) ?? [];
    const isOther = nameOf(operand) === variable || nameOf(comparedWithNull(part)) === variable;
    if (key !== undefined && isField(operand)) keys.add(key);
    else if (isField(part) || nameOf(part) === variable) readsAll = true;
    else if (!isOther) partsOf(part).forEach(read);
  };
  read(expr);
  return readsAll ? 'all' : keys;
}

const nameOf = (expr: Expr | undefined) =>
  expr?.exprKind.case === 'identExpr' ? expr.exprKind.value.name : undefined;

/** The other side of a comparison with null, which reads no field. */
function comparedWithNull({ exprKind: { case: kind, value } }: Expr): Expr | undefined {
  if (kind !== 'callExpr' || !/^_[!=]=_$/.test(value.function)) return undefined;
  const isNull = ({ exprKind }: Expr) =>
    exprKind.case === 'constExpr' && exprKind.value.constantKind.case === 'nullValue';
  const [one, other] = value.args;
  if (one === undefined || other === undefined) return undefined;
  if (isNull(other)) return one;
  return isNull(one) ? other : undefined;
}

function visit(expr: Expr, look: (expr: Expr) => void) {
  look(expr);
  for (const part of partsOf(expr)) visit(part, look);
}

function unknownField(expr: Expr, variables: Fields): Sentence | undefined {
  const [operand, field] = access(expr) ?? [];
  if (operand === undefined || field === undefined) return undefined;
  const type = typeOf(operand, variables);
  if (typeof type === 'string' || Object.hasOwn(type, field)) return undefined;
  return operand.exprKind.case === 'identExpr'
    ? celSentences.cel_unknown_field_of({ field, variable: operand.exprKind.value.name })
    : celSentences.cel_unknown_field({ field });
}

const BOOLEAN = /^(_(&&|\|\||==|!=|<=?|>=?)_|!_|@in|bool|contains|startsWith|endsWith|matches)$/;

function typeOf(expr: Expr, variables: Fields): Type {
  const { case: kind, value } = expr.exprKind;
  const [operand, field] = access(expr) ?? [];
  if (kind === 'selectExpr' && value.testOnly) return 'bool';
  if (operand !== undefined && field !== undefined) return fieldOf(typeOf(operand, variables), field);
  switch (kind) {
    case 'constExpr':
      return value.constantKind.case === 'boolValue' ? 'bool' : 'other';
    case 'identExpr':
      return fieldOf(variables, value.name);
    case 'callExpr':
      return typeOfCall(value.function, value.args, variables);
    case 'comprehensionExpr': {
      // The result of all and exists is their accumulator, and so is that of map and filter: a list.
      const isAccumulator = value.result?.exprKind.case === 'identExpr';
      const result = isAccumulator ? value.accuInit : value.result;
      return result === undefined ? 'any' : typeOf(result, variables);
    }
    default:
      return 'other';
  }
}

function typeOfCall(name: string, args: Expr[], variables: Fields): Type {
  if (BOOLEAN.test(name)) return 'bool';
  if (name === '_[_]') return 'any';
  return name === '_?_:_' ? eitherOf(args.slice(1), variables) : 'other';
}

const fieldOf = (type: Type, field: string): Type =>
  typeof type === 'string' ? 'any' : ((Object.hasOwn(type, field) ? type[field] : undefined) ?? 'any');

function eitherOf(branches: Expr[], variables: Fields): Type {
  const types = branches.map((branch) => typeOf(branch, variables));
  return types.every((type) => type !== 'any' && type !== 'bool') ? 'other' : 'any';
}
