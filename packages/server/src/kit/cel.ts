import { type CelFunc, CelScalar, celEnv, celFunc, listType, parse, plan } from '@bufbuild/cel';
import { RE2JS } from '@bufbuild/re2';
import { type Expr, normalizeTexts, partsOf } from '../../../protocol/src/cel-parts.ts';
import { celRefusals, celSentences } from './cel-sentences.ts';
import { COSTS_TOO_MUCH, explaining, type Undecided } from './cel-undecided.ts';
import type { DomainError } from './errors.ts';
import { problem } from './issues.ts';
import { nfc } from './nfc.ts';
import type { Sentence } from './sentences.ts';

/**
 * Conditions in CEL, the Common Expression Language (https://cel.dev), over plain objects.
 *
 * A condition sees only the variables that it is given, and its cost is bounded before it runs:
 * - It has at most 2,000 characters and 300 nodes.
 * - A macro (all, exists, exists_one, map, filter) cannot contain another, so costs do not multiply.
 * - The patterns of `matches` are literals of at most 2,000 parts, and the engine (RE2) runs in linear time.
 * - It reads at most 20,000 elements of its variables. Each 64 characters of text count as one more, and `matches` counts
 *   the characters of its text, times the parts of its pattern, as a tenth of an element each.
 *
 * A condition is true, false or undecided (D65): a missing field, values of different types, a result that is not a boolean
 * and an exhausted budget decide nothing. `&&` and `||` are decided if one side is enough. `has(user.attributes.title)` checks
 * whether a field exists.
 *
 * All texts that it compares are in NFC (D89): those that it contains, those of the variables with the names of their fields, and
 * those that it puts together.
 */
export interface Condition {
  readonly text: string;
  /** Values are JSON. Timestamps are ISO 8601 text, which conditions convert with `timestamp(...)`. */
  decide(variables: Readonly<Record<string, unknown>>): boolean | Undecided;
}

const LONGEST = 2000;
const MOST_NODES = 300;
const MOST_READS = 20_000;
const CHARACTERS_PER_READ = 64;
const MOST_PATTERN_PARTS = 2000;
const MATCH_STEPS_PER_READ = 10;

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
/** Operators that the planner handles without a function of that name. */
const OPERATORS = new Set(['_?_:_', '_&&_', '_||_', '_[_]', '@not_strictly_false']);

/**
 * Compiles a condition. Throws `invalid` with the position of the first mistake. `names` are the available variables,
 * `path` is the place of the condition in the request body.
 */
export function compileCondition(
  text: string,
  names: readonly string[] = ['user', 'account', 'app'],
  path = 'condition',
): Condition {
  const { expr, evaluate } = compile(text, names, { path, noun: 'condition', funcs: [] });
  const explain = explaining(expr);
  return {
    text,
    decide: (variables) => {
      const result = evaluate(variables);
      return typeof result === 'boolean' ? result : explain(result);
    },
  };
}

export interface CompileOptions {
  /** The place of the text in the request body. */
  path: string;
  /** The word for the text in errors, such as "condition". */
  noun: CelNoun;
  /** Functions in addition to those of CEL. */
  funcs: CelFunc[];
}

export interface Compiled {
  expr: Expr;
  /** Returns the value, or an error of the evaluator. */
  evaluate: (variables: Readonly<Record<string, unknown>>) => unknown;
  /** Returns the error for a mistake in a part of the expression. */
  refuseAt: (part: Expr, why: Sentence) => DomainError;
}

/** Compiles an expression with the limits of conditions. */
export function compile(
  text: string,
  names: readonly string[],
  { path, noun, funcs }: CompileOptions,
): Compiled {
  const refusal = refusing(text, path, noun);
  if (text.length > LONGEST) throw refusal(LONGEST, celSentences.cel_too_long({ most: LONGEST }));
  const { expr, positions } = parsed(text, refusal);
  const patterns = new Map<string, Pattern>();
  let meter: Meter = { left: 0 };
  const env = celEnv({
    funcs: [...COMPARISONS, ...funcs],
    re2: {
      compile: (pattern) => {
        const { test, parts } = patterns.get(pattern) ?? fail('matches requires a literal pattern');
        return {
          test: (value) => {
            charge(meter, (value.length * parts) / MATCH_STEPS_PER_READ);
            return test(value);
          },
        };
      },
    },
  });
  const refuseAt = (at: Expr, why: Sentence) => refusal(positions[String(at.id)] ?? 0, why);
  check(expr, {
    refuse: refuseAt,
    isFunction: (name) => OPERATORS.has(name) || env.funcs.find(name) !== undefined,
    addPattern: (pattern) => patterns.set(pattern, compilePattern(pattern)),
    variables: new Set([...names, ...TYPES]),
  });
  const run = plan(env, expr);
  const used = names.filter((name) => mentions(expr, name));
  return {
    expr,
    refuseAt,
    evaluate: (variables) => {
      meter = { left: MOST_READS };
      // Without a prototype, a name cannot reach inherited properties.
      const given = Object.create(null);
      for (const name of used) given[name] = metered(variables[name] ?? null, meter);
      return run(given);
    },
  };
}

/** Returns whether an expression reads a variable. */
export const mentions = (expr: Expr, name: string): boolean =>
  (expr.exprKind.case === 'identExpr' && expr.exprKind.value.name === name) ||
  partsOf(expr).some((part) => mentions(part, name));

const fail = (message: string): never => {
  throw new Error(message);
};

const { BOOL, DYN, STRING } = CelScalar;
const STANDARD = celEnv().funcs;

/** Text, numbers and booleans can be compared with their like only: CEL says that 3 is not "3". Null equals only null. */
const kindOf = (value: unknown) => {
  if (typeof value === 'bigint') return 'number';
  return ['string', 'number', 'boolean'].includes(typeof value) ? typeof value : undefined;
};
const differ = (a: unknown, b: unknown) =>
  kindOf(a) !== undefined && kindOf(b) !== undefined && kindOf(a) !== kindOf(b);
const standard = (name: string, args: unknown[]) =>
  STANDARD.find(name)?.call(0, undefined, args as never[]) as boolean;
const otherType = () => fail('the values have different types');

const COMPARISONS = [
  // A text that ends with a letter and one that begins with a mark are a letter with a mark together.
  celFunc('_+_', [STRING, STRING], STRING, (a, b) => nfc(a + b)),
  ...['_==_', '_!=_'].map((name) =>
    celFunc(name, [DYN, DYN], BOOL, (a, b) => (differ(a, b) ? otherType() : standard(name, [a, b]))),
  ),
  celFunc('@in', [DYN, listType(DYN)], BOOL, (value, list) => {
    const elements = [...list];
    return elements.length > 0 && elements.every((one) => differ(one, value))
      ? otherType()
      : standard('@in', [value, list]);
  }),
];

type Refusal = (offset: number, why: Sentence) => DomainError;

export function parsed(text: string, refusal: Refusal): { expr: Expr; positions: Record<string, number> } {
  try {
    const { expr, sourceInfo } = parse(text);
    if (expr === undefined) throw refusal(0, celSentences.cel_empty());
    normalizeTexts(expr);
    return { expr, positions: sourceInfo?.positions ?? {} };
  } catch (error) {
    const { location, rawMessage } = error as {
      location?: { start: { offset: number } };
      rawMessage?: string;
    };
    if (location === undefined) throw refusal(0, celSentences.cel_nested_too_deeply());
    throw refusal(
      location.start.offset,
      rawMessage === undefined ? celSentences.cel_syntax() : celSentences.cel_parser({ message: rawMessage }),
    );
  }
}

/** The purpose of a text in CEL. */
export type CelNoun = 'condition' | 'template';

export const refusing =
  (text: string, path: string, noun: CelNoun = 'condition'): Refusal =>
  (offset, why) => {
    const before = text.slice(0, offset).split('\n');
    const position = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, offset };
    const { line, column } = position;
    return celRefusals[`${noun}_invalid`](
      { line, column, problem: why },
      { issues: [{ ...problem(path, 'cel', why), position }] },
    );
  };

interface Checks {
  refuse(at: Expr, why: Sentence): Error;
  isFunction(name: string): boolean;
  addPattern(pattern: string): void;
  variables: ReadonlySet<string>;
}

/** Rejects conditions that would always fail or could cost too much. */
function check(root: Expr, checks: Checks) {
  let nodes = 0;
  const visit = (expr: Expr, known: ReadonlySet<string>, inMacro: boolean) => {
    if (++nodes > MOST_NODES)
      throw checks.refuse(expr, celSentences.cel_too_many_parts({ most: MOST_NODES }));
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
      if (!known.has(kind.value.name))
        throw checks.refuse(expr, celSentences.cel_unknown_variable({ name: kind.value.name }));
      break;
    case 'callExpr':
      if (!checks.isFunction(kind.value.function))
        throw checks.refuse(expr, celSentences.cel_unknown_function({ name: kind.value.function }));
      if (kind.value.function === 'matches') checkPattern(expr, kind.value.args.at(-1), checks);
      break;
    case 'structExpr':
      if (kind.value.messageName !== '') throw checks.refuse(expr, celSentences.cel_no_messages());
      break;
    case 'comprehensionExpr':
      if (inMacro) throw checks.refuse(expr, celSentences.cel_nested_macro());
  }
}

function checkPattern(call: Expr, pattern: Expr | undefined, { refuse, addPattern }: Checks) {
  const literal = pattern?.exprKind.case === 'constExpr' ? pattern.exprKind.value.constantKind : undefined;
  if (literal?.case !== 'stringValue') throw refuse(call, celSentences.cel_literal_pattern());
  try {
    addPattern(literal.value);
  } catch (error) {
    throw refuse(pattern ?? call, celSentences.cel_parser({ message: (error as Error).message }));
  }
}

/** The rest of an evaluation's budget, in elements read. */
interface Meter {
  left: number;
}

function charge(meter: Meter, cost: number) {
  meter.left -= cost;
  if (meter.left < 0) throw new Error(COSTS_TOO_MUCH);
}

interface Pattern {
  test(text: string): boolean;
  parts: number;
}

function compilePattern(pattern: string): Pattern {
  const parts = partsOfPattern(pattern);
  if (parts > MOST_PATTERN_PARTS)
    throw new Error(`the pattern has more than ${MOST_PATTERN_PARTS} parts. Use smaller repetitions`);
  const compiled = RE2JS.compile(pattern);
  return { test: (text) => compiled.test(text), parts };
}

/** Quoted text, an escape, a class, a repetition, or one character. */
const PATTERN_TOKEN =
  /\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|[\s\S]/g;

/**
 * Estimates the size of the program of a pattern, which repetitions multiply: `(ab{10}){10}` has more than 100 parts.
 * The time of a match grows with it, and so does the time of compiling, so it must be known before that.
 */
function partsOfPattern(pattern: string): number {
  const groups = [{ sum: 0, last: 0 }];
  const add = (size: number) => {
    const group = groups.at(-1) as (typeof groups)[number];
    group.sum += size;
    group.last = size;
  };
  for (const [token, least, most] of pattern.matchAll(PATTERN_TOKEN)) {
    const group = groups.at(-1) as (typeof groups)[number];
    if (token === '(') groups.push({ sum: 1, last: 0 });
    else if (token === ')' && groups.length > 1) {
      groups.pop();
      add(group.sum);
    } else if (least !== undefined) {
      const times = Math.max(Number(least), Number(most ?? 0), 1);
      group.sum += group.last * (times - 1);
      group.last *= times;
    } else add(token.startsWith('\\Q') ? token.length : 1);
  }
  return groups.reduce((all, { sum }) => all + sum, 0);
}

/** Wraps `value` for the evaluator so that each element counts when it is read. */
function metered(value: unknown, meter: Meter): unknown {
  if (typeof value === 'string') return nfc(value);
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object' || value === null) return value;
  const read = (element: unknown) => {
    charge(meter, 1 + (typeof element === 'string' ? element.length / CHARACTERS_PER_READ : 0));
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
    super(entries.map(([name, element]) => [nfc(name), element]));
    this.#read = read;
  }

  override get(key: string): unknown {
    return this.has(key) ? this.#read(super.get(key)) : undefined;
  }

  override *entries(): MapIterator<[string, unknown]> {
    for (const key of this.keys()) yield [key, this.get(key)];
  }
}
