import { celEnv, isCelError, parse, plan } from '@bufbuild/cel';
import { RE2JS } from '@bufbuild/re2';
import { DomainError } from './errors.ts';

/**
 * Conditions in CEL, the Common Expression Language (https://cel.dev), over plain objects.
 *
 * A condition reaches nothing but the variables that it is given, and what it may cost is bounded before it runs:
 * at most 2,000 characters and 300 nodes; a macro (all, exists, exists_one, map, filter) never inside another, so
 * that nothing multiplies; patterns of `matches` are literals, for an engine whose time is linear (RE2); and reading
 * its variables may cost 20,000 elements, or 64 characters each.
 *
 * Whatever has no value has no match: a missing field, an operator that does not fit its operands, a result that is
 * not a boolean, and an exhausted budget all answer false, never an exception. `has(user.attributes.title)` asks
 * whether there is a field.
 */
export interface Condition {
  readonly text: string;
  /** Values are JSON: text, numbers, booleans, null, lists and objects. Moments are ISO 8601 text: timestamp(...). */
  matches(variables: Readonly<Record<string, unknown>>): boolean;
}

const LONGEST = 2000;
const MOST_NODES = 300;
const MOST_READS = 20_000;
const CHARACTERS_PER_READ = 64;

const TYPES = new Set([
  'bool',
  'bytes',
  'double',
  'int',
  'list',
  'map',
  'null_type',
  'string',
  'type',
  'uint',
]);
/** What the planner knows without a function of that name. */
const OPERATORS = new Set(['_?_:_', '_&&_', '_||_', '_[_]', '@not_strictly_false']);

type Expr = NonNullable<ReturnType<typeof parse>['expr']>;

/**
 * Throws 400 with the position of what is wrong. `names`: the variables that there are; `path`: where in the body the
 * condition stands.
 */
export function compileCondition(
  text: string,
  names: readonly string[] = ['user', 'account', 'app'],
  path = 'condition',
): Condition {
  const refusal = refusing(text, path);
  if (text.length > LONGEST) throw refusal(LONGEST, `it has more than ${LONGEST} characters`);
  const { expr, positions } = parsed(text, refusal);
  const patterns = new Map<string, RE2JS>();
  const env = celEnv({
    re2: { compile: (pattern) => patterns.get(pattern) ?? fail('matches needs a literal pattern') },
  });
  check(expr, {
    refuse: (at, why) => refusal(positions[String(at.id)] ?? 0, why),
    isFunction: (name) => OPERATORS.has(name) || env.funcs.find(name) !== undefined,
    addPattern: (pattern) => patterns.set(pattern, RE2JS.compile(pattern)),
    variables: new Set([...names, ...TYPES]),
  });
  const evaluate = plan(env, expr);
  return {
    text,
    matches: (variables) => {
      const meter = { left: MOST_READS };
      const given = names.map((name) => [name, metered(variables[name] ?? null, meter)]);
      // Without a prototype: a name finds what was given, and nothing else.
      const result = evaluate(Object.assign(Object.create(null), Object.fromEntries(given)));
      return !isCelError(result) && result === true;
    },
  };
}

type Refusal = (offset: number, why: string) => DomainError;

function parsed(text: string, refusal: Refusal): { expr: Expr; positions: Record<string, number> } {
  try {
    const { expr, sourceInfo } = parse(text);
    if (expr === undefined) throw refusal(0, 'it is empty');
    return { expr, positions: sourceInfo?.positions ?? {} };
  } catch (error) {
    const { location, rawMessage } = error as {
      location?: { start: { offset: number } };
      rawMessage?: string;
    };
    if (location === undefined) throw refusal(0, 'it is nested too deeply');
    throw refusal(location.start.offset, rawMessage ?? 'it does not parse');
  }
}

const refusing =
  (text: string, path: string): Refusal =>
  (offset, why) => {
    const before = text.slice(0, offset).split('\n');
    const position = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, offset };
    const message = `The condition is not valid at line ${position.line}, column ${position.column}: ${why}.`;
    return new DomainError('invalid', message, { issues: [{ path, code: 'cel', message: why, position }] });
  };

interface Checks {
  refuse(at: Expr, why: string): Error;
  isFunction(name: string): boolean;
  addPattern(pattern: string): void;
  variables: ReadonlySet<string>;
}

/** Refuses at once what could only ever fail, and what could cost too much. */
function check(root: Expr, checks: Checks) {
  let nodes = 0;
  const visit = (expr: Expr, known: ReadonlySet<string>, inMacro: boolean) => {
    if (++nodes > MOST_NODES) throw checks.refuse(expr, `it has more than ${MOST_NODES} parts`);
    checkNode(expr, known, inMacro, checks);
    const { case: kind, value } = expr.exprKind;
    const isMacro = kind === 'comprehensionExpr';
    const inside = isMacro ? new Set([...known, value.accuVar, value.iterVar]) : known;
    for (const part of partsOf(expr)) visit(part, inside, inMacro || isMacro);
  };
  visit(root, checks.variables, false);
}

function checkNode(expr: Expr, known: ReadonlySet<string>, inMacro: boolean, checks: Checks) {
  const { exprKind: kind } = expr;
  switch (kind.case) {
    case 'identExpr':
      if (!known.has(kind.value.name)) throw checks.refuse(expr, `there is no variable ${kind.value.name}`);
      break;
    case 'callExpr':
      if (!checks.isFunction(kind.value.function))
        throw checks.refuse(expr, `there is no function ${kind.value.function}`);
      if (kind.value.function === 'matches') checkPattern(expr, kind.value.args.at(-1), checks);
      break;
    case 'structExpr':
      if (kind.value.messageName !== '') throw checks.refuse(expr, 'messages cannot be made');
      break;
    case 'comprehensionExpr':
      if (inMacro) throw checks.refuse(expr, 'a macro cannot stand inside another');
  }
}

function checkPattern(call: Expr, pattern: Expr | undefined, { refuse, addPattern }: Checks) {
  const literal = pattern?.exprKind.case === 'constExpr' ? pattern.exprKind.value.constantKind : undefined;
  if (literal?.case !== 'stringValue') throw refuse(call, 'matches needs a literal pattern');
  try {
    addPattern(literal.value);
  } catch (error) {
    throw refuse(pattern ?? call, (error as Error).message);
  }
}

function partsOf({ exprKind: { case: kind, value } }: Expr): Expr[] {
  switch (kind) {
    case 'selectExpr':
      return present([value.operand]);
    case 'callExpr':
      return present([value.target, ...value.args]);
    case 'listExpr':
      return value.elements;
    case 'structExpr':
      return present(
        value.entries.flatMap((entry) => [
          entry.keyKind.case === 'mapKey' ? entry.keyKind.value : undefined,
          entry.value,
        ]),
      );
    case 'comprehensionExpr':
      return present([value.iterRange, value.accuInit, value.loopCondition, value.loopStep, value.result]);
    default:
      return [];
  }
}

const present = (parts: (Expr | undefined)[]) => parts.filter((part) => part !== undefined);

const fail = (message: string): never => {
  throw new Error(message);
};

/** `value` as the evaluator takes it: each element of a list or an object is paid for when it is read. */
function metered(value: unknown, meter: { left: number }): unknown {
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object' || value === null) return value;
  const read = (element: unknown) => {
    meter.left -= 1 + (typeof element === 'string' ? element.length / CHARACTERS_PER_READ : 0);
    if (meter.left < 0) throw new Error('The condition costs too much.');
    return metered(element, meter);
  };
  if (Array.isArray(value)) {
    return new Proxy(value, {
      get: (list, key) => {
        const element = Reflect.get(list, key);
        return typeof key === 'string' && /^\d/.test(key) ? read(element) : element;
      },
    });
  }
  return new MeteredMap(Object.entries(value), read);
}

class MeteredMap extends Map<string, unknown> {
  readonly #read: (element: unknown) => unknown;

  constructor(entries: [string, unknown][], read: (element: unknown) => unknown) {
    super(entries);
    this.#read = read;
  }

  override get(key: string): unknown {
    return this.has(key) ? this.#read(super.get(key)) : undefined;
  }

  override *entries(): MapIterator<[string, unknown]> {
    for (const key of this.keys()) yield [key, this.get(key)];
  }
}
