/** The values that a sentence names. Texts of a list are separated by commas. A sentence within a sentence is translated by its own code. */
export type Value = string | number | readonly string[] | Sentence | readonly Sentence[];

/**
 * A sentence of the server for people, as it goes to clients. `code` and `values` are what they translate it by, and `text` is
 * the English. Values name only what the text shows.
 */
export interface Sentence {
  readonly code: string;
  readonly values: Readonly<Record<string, Value>>;
  readonly text: string;
}

/** The placeholders of a template and the types of their values. */
export type Slots<T extends string> = T extends `${string}{${infer Head}}${infer Tail}`
  ? Head extends `${string}, plural, ${string}`
    ? T extends `${string}{${infer Name}, plural, one {${infer One}} other {${infer Other}}}${infer Rest}`
      ? { [K in Name]: number } & Slots<One> & Slots<Other> & Slots<Rest>
      : never
    : { [K in Head]: Value } & Slots<Tail>
  : unknown;

/** Makes an `R` of the values of a template. A template without placeholders takes none. */
export type Say<T extends string, R, More extends unknown[] = []> =
  unknown extends Slots<T>
    ? (...more: More) => R
    : (values: { [K in keyof Slots<T>]: Slots<T>[K] }, ...more: More) => R;

/** The templates of all sentences by their codes. Complete once all files named `*sentences.ts` are imported. */
export const TEMPLATES = new Map<string, string>();

/** `''` is an apostrophe next to a brace, as in ICU messages. */
const SLOT = /''|\{(\w+)(?:, plural, one \{((?:[^{}]|\{\w+\})*)\} other \{((?:[^{}]|\{\w+\})*)\})?\}/g;

/**
 * Declares sentences by their codes, for a file named `sentences.ts` or `*-sentences.ts`. A code is unique and stable: clients translate by it.
 * A template is an ICU message with `{name}` and `{count, plural, one {# group} other {# groups}}`. Throws if a code is taken or
 * a template is not such a message.
 *
 *     export const groupSentences = sentences({ group_renamed: 'The group is named {name} now.' });
 *     groupSentences.group_renamed({ name }).text;
 */
export function sentences<const T extends Record<string, string>>(
  templates: T,
): { [C in keyof T]: Say<T[C], Sentence> } {
  const made = Object.entries(templates).map(([code, template]) => {
    declare(code, template);
    return [code, (values: Sentence['values'] = {}) => say(code, template, values)];
  });
  return Object.fromEntries(made);
}

/** Registers a template. Throws if its code is taken, or if it is not a message of the form above. */
export function declare(code: string, template: string): void {
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(code)) throw new Error(`The code ${code} is not in snake_case.`);
  if (TEMPLATES.has(code)) throw new Error(`The code ${code} is declared twice.`);
  if (/[{}]/.test(template.replaceAll(SLOT, '')) || /(?<!')'[{}#]/.test(template))
    throw new Error(`The sentence ${code} is not a message: ${template}`);
  TEMPLATES.set(code, template);
}

/** Makes the sentence of a declared code. */
export const say = (code: string, template: string, values: Sentence['values']): Sentence => ({
  code,
  values,
  text: format(template, values),
});

function format(template: string, values: Sentence['values']): string {
  return template.replaceAll(SLOT, (_slot, name?: string, one?: string, other?: string) => {
    if (name === undefined) return "'";
    const value = values[name];
    if (value === undefined) throw new Error(`The value ${name} is missing: ${template}`);
    const branch = value === 1 ? one : other;
    return branch === undefined ? textOf(value) : format(branch.replaceAll('#', textOf(value)), values);
  });
}

function textOf(value: Value): string {
  if (typeof value !== 'object') return String(value);
  if ('text' in value) return value.text;
  return value.map((one) => (typeof one === 'string' ? one : one.text)).join(isTexts(value) ? ', ' : ' ');
}

const isTexts = (list: readonly (string | Sentence)[]) => typeof list[0] === 'string';

/** Whether a template has placeholders. */
export const hasSlots = (template: string): boolean => template.replaceAll("''", '').includes('{');
