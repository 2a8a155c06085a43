/**
 * The one error that rules throw. `platform/http` turns its code into a status (contract 7.1); a rule never
 * names an HTTP status itself.
 */
export type DomainErrorCode =
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'invalid'
  | 'unprocessable'
  | 'conflict'
  | 'too_large'
  | 'unsupported_media_type'
  | 'throttled'
  | 'unavailable';

/** One place of a body that was refused (D5). `path` is like `records[3].id`. */
export interface Issue {
  path: string;
  code: string;
  message: string;
  /** Within the text at `path`, where that is code of its own: line and column from 1. */
  position?: { line: number; column: number; offset: number };
}

export class DomainError extends Error {
  readonly code: DomainErrorCode;
  readonly issues: Issue[] | undefined;
  /** Seconds until a throttled caller may try again (contract 7.6). */
  readonly retryAfter: number | undefined;

  constructor(code: DomainErrorCode, detail: string, extra: { issues?: Issue[]; retryAfter?: number } = {}) {
    super(detail);
    this.name = 'DomainError';
    this.code = code;
    this.issues = extra.issues;
    this.retryAfter = extra.retryAfter;
  }
}

/** Why the process does not start, in a sentence for the person who starts it. */
export class StartError extends Error {}

export const notFound = (what: string) => new DomainError('not_found', `${what} not found.`);
export const forbidden = (detail: string) => new DomainError('forbidden', detail);
export const invalid = (detail: string) => new DomainError('invalid', detail);
export const conflict = (detail: string) => new DomainError('conflict', detail);
export const unprocessable = (detail: string) => new DomainError('unprocessable', detail);
