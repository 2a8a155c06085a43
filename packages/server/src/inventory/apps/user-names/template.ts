import { CelScalar, celFunc } from '@bufbuild/cel';
import { asRead } from '#directory/people/as-read.ts';
import { ASCII_LANGUAGES, toAscii } from '#kit/ascii.ts';
import { compile, mentions } from '#kit/cel.ts';
import { checkTextFields, type Fields } from '#kit/cel-fields.ts';
import { celSentences } from '#kit/cel-sentences.ts';
import { type Expr, partsOf } from '../../../../../protocol/src/cel-parts.ts';

const PLACE = { path: 'user_name.template', noun: 'template' } as const;
const { STRING, INT } = CelScalar;

/** `part("a.lee@x", "@", 1)` is "a.lee". Parts count from 1, or from the end with -1. A part that does not exist is "". */
function part(text: string, separator: string, n: bigint): string {
  if (n === 0n) throw new Error('part counts from 1');
  const parts = separator === '' ? [text] : text.split(separator);
  return parts[n > 0n ? Number(n) - 1 : parts.length + Number(n)] ?? '';
}

/** `cut("benjamin", 3)` is "ben". */
const cut = (text: string, n: bigint): string => [...text].slice(0, Math.max(0, Number(n))).join('');

function ascii(text: string, language: string): string {
  if (!ASCII_LANGUAGES.includes(language))
    throw new Error(`ascii knows no language ${language}. Use one of ${ASCII_LANGUAGES.join(', ')}`);
  return toAscii(text, language);
}

/** Lowercases a text: CEL has no function for it. */
const lower = (text: string): string => text.toLowerCase();

const FUNCTIONS = [
  celFunc('part', [STRING, STRING, INT], STRING, part),
  celFunc('cut', [STRING, INT], STRING, cut),
  celFunc('ascii', [STRING], STRING, (text) => toAscii(text)),
  celFunc('ascii', [STRING, STRING], STRING, ascii),
  celFunc('lower', [STRING], STRING, lower),
];

export interface UserNameTemplate {
  /** Whether the template itself says where the number of a name stands. */
  isNumbered: boolean;
  /** Returns the name, or undefined if the person lacks something that the template reads. `number` is "", "2", "3" and so on. */
  nameOf(user: object, number: string): string | undefined;
}

/** How many arguments the functions take, and how they are written. */
const CALLS: Readonly<Record<string, { takes: readonly number[]; as: string }>> = {
  part: { takes: [3], as: 'part(text, separator, number)' },
  cut: { takes: [2], as: 'cut(text, number)' },
  ascii: { takes: [1, 2], as: 'ascii(text) or ascii(text, language)' },
  lower: { takes: [1], as: 'lower(text)' },
};

/** Throws 400 with the position of the first mistake. */
export function checkUserNameTemplate(text: string, variables: Fields): void {
  const { expr, refuseAt } = compile(text, Object.keys(variables), { ...PLACE, funcs: FUNCTIONS });
  const visit = (one: Expr) => {
    if (one.exprKind.case === 'callExpr') {
      const { function: name, args, target } = one.exprKind.value;
      const call = Object.hasOwn(CALLS, name) ? CALLS[name] : undefined;
      if (call !== undefined && (target !== undefined || !call.takes.includes(args.length)))
        throw refuseAt(one, celSentences.cel_write({ call: call.as }));
    }
    for (const inner of partsOf(one)) visit(inner);
  };
  visit(expr);
  checkTextFields(text, variables, PLACE.path, PLACE.noun);
}

/** Compiles a template that is valid. */
export function userNameTemplate(text: string): UserNameTemplate {
  const { expr, evaluate } = compile(text, ['user', 'number'], { ...PLACE, funcs: FUNCTIONS });
  return {
    isNumbered: mentions(expr, 'number'),
    nameOf(user, number) {
      const name = evaluate({ user: asRead(user), number });
      return typeof name === 'string' ? name : undefined;
    },
  };
}
