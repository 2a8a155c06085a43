import { fill } from '@gatehouse/connector/declarative';
import { kindOf, type Scope, type Value } from './expression.ts';

/** A text with `{{ expression }}` and `${SETTING}` in it, compiled. */
export type Template = { readonly text: string; readonly parts: readonly (string | Part)[] };
export type Part = { readonly text: string; readonly value: Value };
/** Compiles an expression that begins at an offset of the template's text. */
export type CompilePart = (text: string, offset: number) => Value;

const INSERTION = /\{\{([\s\S]*?)\}\}/g;

export function compileTemplate(text: string, compile: CompilePart): Template {
  const parts: (string | Part)[] = [];
  let end = 0;
  for (const match of text.matchAll(INSERTION)) {
    if (match.index > end) parts.push(text.slice(end, match.index));
    const inner = match[1] ?? '';
    const offset = match.index + 2 + inner.length - inner.trimStart().length;
    parts.push({ text: inner.trim(), value: compile(inner.trim(), offset) });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return { text, parts };
}

/** Returns a template's value. It keeps its type if the template is a single `{{ expression }}`. */
export function evaluateTemplate({ parts }: Template, scope: Scope): unknown {
  const [only] = parts;
  if (parts.length === 1 && typeof only === 'object') return only.value(scope);
  return parts
    .map((part) => (typeof part === 'string' ? fill(part, settingsIn(scope)) : textOf(part, scope)))
    .join('');
}

/** Returns the path of a request. Values are encoded, and can neither be empty nor lead to another folder. */
export function pathOf({ parts, text }: Template, scope: Scope): string {
  const encode = (value: string, what: string) => {
    if (value === '' || value === '.' || value === '..')
      throw new Error(`the path ${text} cannot be made, because ${what} is "${value}"`);
    return encodeURIComponent(value);
  };
  return parts
    .map((part) => {
      if (typeof part !== 'string') return encode(textOf(part, scope), part.text);
      return fill(part, settingsIn(scope), (value) => encode(value, 'a setting'));
    })
    .join('');
}

function textOf({ text, value }: Part, scope: Scope): string {
  const found = value(scope);
  if (['string', 'number', 'bigint', 'boolean'].includes(typeof found)) return String(found);
  throw new Error(`${text} is ${kindOf(found)}, but must be text`);
}

const settingsIn = (scope: Scope) => (scope.settings ?? {}) as Readonly<Record<string, unknown>>;
