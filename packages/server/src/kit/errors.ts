import type { Issue } from './issues.ts';

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
  | 'taken'
  | 'precondition_failed'
  | 'too_large'
  | 'unsupported_media_type'
  | 'throttled'
  | 'unavailable';

/** The only error that rules throw. A rule never names an HTTP status. */
export class DomainError extends Error {
  readonly code: DomainErrorCode;
  readonly issues: Issue[] | undefined;
  /** Seconds until a refused caller may try again (protocol 7.6). */
  readonly retryAfter: number | undefined;

  constructor(code: DomainErrorCode, detail: string, extra: { issues?: Issue[]; retryAfter?: number } = {}) {
    super(detail);
    this.name = 'DomainError';
    this.code = code;
    this.issues = extra.issues;
    this.retryAfter = extra.retryAfter;
  }
}

/** Explains to the person who starts the process why it does not start. */
export class StartError extends Error {}

export const notFound = (what: string) => new DomainError('not_found', `${what} not found.`);
export const forbidden = (detail: string) => new DomainError('forbidden', detail);
export const invalid = (detail: string) => new DomainError('invalid', detail);
export const conflict = (detail: string) => new DomainError('conflict', detail);
/** Something else has this name, email or identifier, which only one may have. */
export const taken = (detail: string) => new DomainError('taken', detail);
export const unprocessable = (detail: string) => new DomainError('unprocessable', detail);
/** For an address that no route has, or that cannot have this form. */
export const nothingHere = () => new DomainError('not_found', 'Nothing exists at this address.');
