// The server compiles its conditions with the same library (packages/server/src/kit/cel.ts), but bounds their cost, and a condition can
// be undecided. The server and its clients import nothing of each other, so each checks the names of an expression itself.

import {
  type CelFunc,
  type CelInput,
  celEnv,
  isCelError,
  isCelList,
  isCelMap,
  isCelUint,
  parse,
  plan,
} from '@bufbuild/cel';
import { strings } from '@bufbuild/cel/ext';
import { type Expr, partsOf } from '../../../protocol/src/cel-parts.ts';

/** An expression in CEL, the Common Expression Language (https://cel.dev). */
export interface Expression {
  readonly text: string;
  /** Returns the value as plain JavaScript: integers are numbers or, if they are larger than a number can hold, bigints. Throws if it cannot be evaluated. */
  evaluate(variables: Readonly<Record<string, unknown>>): unknown;
}

/** A mistake in the text of an expression. */
export class ExpressionError extends Error {
  /** Characters before the mistake. */
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

export interface ExpressionOptions {
  /** The variables that the expression may name. */
  names: readonly string[];
  /** Functions in addition to those of the CEL standard and of its strings extension. */
  functions?: readonly CelFunc[];
}

const LONGEST = 4000;

/** Compiles an expression. Throws an ExpressionError for a mistake, such as an unknown variable or function. */
export function compileExpression(text: string, { names, functions = [] }: ExpressionOptions): Expression {
  if (text.length > LONGEST) throw new ExpressionError(LONGEST, `it has more than ${LONGEST} characters`);
  const env = celEnv({ funcs: [...strings, ...functions] });
  const parsed = parseExpression(text);
  checkNames(
    parsed,
    new Set([...names, ...TYPES]),
    (name) => OPERATORS.has(name) || env.funcs.find(name) !== undefined,
  );
  const run = plan(env, parsed.expr);
  return {
    text,
    evaluate: (variables) => {
      const given = Object.fromEntries(names.map((name) => [name, toCel(variables[name])]));
      // Without a prototype, a name cannot reach inherited properties.
      const result = run(Object.assign(Object.create(null), given));
      if (isCelError(result)) throw new Error(`${text}: ${result.message}`);
      return fromCel(result);
    },
  };
}

const TYPES = ['bool', 'bytes', 'double', 'int', 'list', 'map', 'null_type', 'string', 'type', 'uint'];
/** Operators that the planner handles without a function of that name. */
const OPERATORS = new Set(['_?_:_', '_&&_', '_||_', '_[_]', '@not_strictly_false']);

type Parsed = { expr: Expr; positions: Record<string, number> };

function parseExpression(text: string): Parsed {
  try {
    const { expr, sourceInfo } = parse(text);
    if (expr === undefined) throw new ExpressionError(0, 'it is empty');
    return { expr, positions: sourceInfo?.positions ?? {} };
  } catch (error) {
    if (error instanceof ExpressionError) throw error;
    const { location, rawMessage } = error as {
      location?: { start: { offset: number } };
      rawMessage?: string;
    };
    throw location === undefined
      ? new ExpressionError(0, 'it is nested too deeply')
      : new ExpressionError(location.start.offset, rawMessage ?? 'it does not parse');
  }
}

function checkNames(
  { expr: root, positions }: Parsed,
  variables: ReadonlySet<string>,
  isFunction: (name: string) => boolean,
): void {
  const refuse = (at: Expr, message: string) => new ExpressionError(positions[String(at.id)] ?? 0, message);
  const visit = (expr: Expr, known: ReadonlySet<string>) => {
    const { case: kind, value } = expr.exprKind;
    if (kind === 'identExpr' && !known.has(value.name))
      throw refuse(expr, `the variable ${value.name} does not exist`);
    if (kind === 'callExpr' && !isFunction(value.function))
      throw refuse(expr, `the function ${value.function} does not exist`);
    const inside = kind === 'comprehensionExpr' ? new Set([...known, value.accuVar, value.iterVar]) : known;
    for (const part of partsOf(expr)) visit(part, inside);
  };
  visit(root, variables);
}

/** Makes maps of objects, and integers of whole numbers, as in the JSON of CEL's users: `user.id == 7` must hold. */
function toCel(value: unknown): CelInput {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map(toCel);
  if (typeof value === 'object')
    return new Map(Object.entries(value).map(([key, each]) => [key, toCel(each)]));
  return value as CelInput;
}

function fromCel(value: unknown): unknown {
  if (isCelUint(value)) return fromCel(value.value);
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (isCelList(value)) return [...value].map(fromCel);
  if (isCelMap(value))
    return Object.fromEntries([...value].map(([key, each]) => [String(key), fromCel(each)]));
  return value;
}
