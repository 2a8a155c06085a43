import { compileExpression } from '@gatehouse/connector/declarative';

/** The values that expressions can use, by name. */
export type Scope = Readonly<Record<string, unknown>>;
/** An expression of a definition, compiled. Throws if it cannot be evaluated. */
export type Value = (scope: Scope) => unknown;

/** A name, followed by fields: `item.profile.email`, `response["@odata.nextLink"]`, `response.emails[0].value`. */
const PATH = /^\s*[A-Za-z_]\w*(\.[A-Za-z_]\w*|\[("[^"\\]*"|'[^'\\]*'|\d+)\])*\s*$/;
const LITERAL = /^\s*(true|false|null)\s*$/;
const PART = /([A-Za-z_]\w*)|\[(?:"([^"]*)"|'([^']*)'|(\d+))\]/g;

/**
 * Compiles an expression. If it is a path, such as `item.profile.email`, a missing part gives null, because many APIs leave
 * empty fields out. Every other expression follows the rules of CEL, where a missing field is an error.
 */
export function compileValue(text: string, names: readonly string[]): Value {
  const expression = compileExpression(text, { names });
  if (!PATH.test(text) || LITERAL.test(text)) return (scope) => expression.evaluate(scope);
  const keys = [...text.matchAll(PART)].map(([, name, double, single, index]) =>
    index === undefined ? (name ?? double ?? single ?? '') : Number(index),
  );
  return (scope) => keys.reduce<unknown>(fieldOf, scope) ?? null;
}

function fieldOf(value: unknown, key: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string | number, unknown>)[key];
}

/** True if a condition holds. A field that is missing means that it does not. */
export function holds(test: Value, scope: Scope): boolean {
  try {
    return test(scope) === true;
  } catch {
    return false;
  }
}

/** Returns what an unsuitable value is, without the value, which may be secret. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  return value === '' ? 'an empty text' : `a ${typeof value}`;
}
