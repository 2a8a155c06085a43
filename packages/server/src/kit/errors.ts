import { type FreeCode, type Issue, problem, sentenceOf } from './issues.ts';
import { declare, hasSlots, type Say, type Sentence, say, sentences } from './sentences.ts';
import { THINGS, type Thing } from './things.ts';

/** The kinds of errors that rules throw. `kit/http` turns each into a status (protocol 7.1). */
export type DomainErrorCode =
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'timed_out'
  | 'method_not_allowed'
  | 'invalid'
  | 'unprocessable'
  | 'conflict'
  /** Something else has this name, email or identifier, which only one may have. */
  | 'taken'
  | 'precondition_failed'
  | 'too_large'
  | 'unsupported_media_type'
  | 'throttled'
  | 'unavailable';

interface Extra {
  issues?: Issue[];
  /** Seconds until a refused caller may try again (protocol 7.6). */
  retryAfter?: number;
}

/** For the words of another program, which nobody translates. */
const { refused } = sentences({ refused: '{reason}' });

/** The only error that rules throw. A rule never names an HTTP status. */
export class DomainError extends Error {
  /** The kind. Clients see the code of the sentence. */
  readonly code: DomainErrorCode;
  readonly sentence: Sentence;
  readonly issues: Issue[] | undefined;
  readonly retryAfter: number | undefined;

  constructor(code: DomainErrorCode, said: Sentence | string, extra: Extra = {}) {
    super(typeof said === 'string' ? said : said.text);
    this.name = 'DomainError';
    this.code = code;
    this.sentence = typeof said === 'string' ? refused({ reason: said }) : said;
    this.issues = extra.issues;
    this.retryAfter = extra.retryAfter;
  }
}

/** Explains to the person who starts the process why it does not start. */
export class StartError extends Error {}

/** The kind of each declared refusal by its code. */
export const KINDS = new Map<string, DomainErrorCode>();

type Declared = { readonly [K in DomainErrorCode]?: Readonly<Record<string, string>> };
type CodeOf<G> = G extends unknown ? keyof G & string : never;
type TemplateOf<G, C extends string> = G extends { readonly [K in C]: infer T extends string } ? T : never;
type Refusals<G> = { [C in CodeOf<G>]: Say<TemplateOf<G, C>, DomainError, [extra?: Extra]> };

/**
 * Declares the errors of a feature by their kinds and codes, for a file named `sentences.ts` or `*-sentences.ts`. Codes and templates are
 * those of `sentences`.
 *
 *     export const policyRefusals = refusals({ taken: { policy_name_taken: 'Another policy is named {name}.' } });
 *     throw policyRefusals.policy_name_taken({ name });
 */
export function refusals<const T extends Declared>(declared: T): Refusals<NonNullable<T[keyof T]>> {
  const made = Object.entries(declared).flatMap(([kind, templates]) =>
    Object.entries(templates).map(([code, template]) => {
      declareRefusal(kind as DomainErrorCode, code, template);
      return [code, refusing(kind as DomainErrorCode, code, template)];
    }),
  );
  return Object.fromEntries(made);
}

function declareRefusal(kind: DomainErrorCode, code: string, template: string): void {
  declare(code, template);
  KINDS.set(code, kind);
}

const refusing = (kind: DomainErrorCode, code: string, template: string) =>
  hasSlots(template)
    ? (values: Sentence['values'], extra?: Extra) => new DomainError(kind, say(code, template, values), extra)
    : (extra?: Extra) => new DomainError(kind, say(code, template, {}), extra);

const codeOf = (thing: Thing) => `${thing.toLowerCase().replaceAll(/\W/g, '_')}_not_found`;
for (const thing of THINGS) declareRefusal('not_found', codeOf(thing), `${thing} not found.`);
export const notFound = (thing: Thing) =>
  new DomainError('not_found', say(codeOf(thing), `${thing} not found.`, {}));

/** Makes the error of what a person must do before the request, or of one wrong place in it. Its issue has this code. */
export const refusedAt = (kind: DomainErrorCode, path: string, code: FreeCode, why: Sentence) => {
  const issues = [problem(path, code, why)];
  return new DomainError(kind, sentenceOf(issues), { issues });
};

/** Makes the error of a request with invalid places. */
export const invalidInput = (issues: Issue[]) => new DomainError('invalid', sentenceOf(issues), { issues });

export const invalid = (said: Sentence | string) => new DomainError('invalid', said);
export const conflict = (said: Sentence | string) => new DomainError('conflict', said);

const { nothing_here } = refusals({ not_found: { nothing_here: 'Nothing exists at this address.' } });
/** For an address that no route has, or that cannot have this form. */
export const nothingHere = nothing_here;
