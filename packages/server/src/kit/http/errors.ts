import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { domainErrorOf } from '../database/sqlstate.ts';
import { DomainError, type DomainErrorCode, nothingHere } from '../errors.ts';
import { type Issue, sessionCodeOf, summaryOf } from '../issues.ts';
import { issuesOf } from './validation.ts';

/** The status of each error (protocol 7.1, D5). */
const STATUS: Record<DomainErrorCode, number> = {
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  timed_out: 408,
  invalid: 400,
  unprocessable: 422,
  conflict: 409,
  taken: 409,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  throttled: 429,
  unavailable: 503,
};

export const statusOf = ({ code }: DomainError): number => STATUS[code];

/** How long a client waits after a 503 whose error names no time. */
const UNAVAILABLE_SECONDS = 2;

/** An error as a client sees it. */
export interface ErrorReply {
  status: number;
  headers: Record<string, string>;
  detail: string;
  issues?: Issue[];
}

/** Describes an error of a rule, a parser, the router or the database. Logs those that nobody expected. */
export function describeError(error: unknown, { log }: FastifyRequest): ErrorReply {
  const known = asDomainError(error);
  if (known === undefined) {
    log.error({ err: error }, 'unhandled error');
    const detail = 'Server error. Search the server log for the X-Request-Id of this response.';
    return { status: 500, headers: {}, detail };
  }
  const { code, message: detail, issues } = known;
  const retryAfter = known.retryAfter ?? (code === 'unavailable' ? UNAVAILABLE_SECONDS : undefined);
  return {
    status: STATUS[code],
    headers: {
      ...(code === 'unauthenticated' ? { 'WWW-Authenticate': 'Api-Key' } : {}),
      ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
    },
    detail,
    ...(issues === undefined ? {} : { issues }),
  };
}

/**
 * Replies to an error with `{detail}`, and `errors` for what a client can correct. No cache may keep it: a proxy that remembers
 * a 404 would hide the file of a release from browsers after the upgrade.
 */
export function replyToError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const { status, headers, detail, issues } = describeError(error, request);
  const code = sessionCodeOf(issues);
  reply
    .code(status)
    .headers({ 'Cache-Control': 'no-store', ...headers })
    .type('application/json')
    .send({ detail, ...(code === undefined ? {} : { code }), ...(issues && { errors: issues }) });
}

function asDomainError(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error;
  if (!(error instanceof Error)) return undefined;
  const fastify = error as Partial<FastifyError>;
  if (fastify.validation !== undefined) return validationError(fastify);
  switch (fastify.statusCode) {
    case 413:
      return new DomainError('too_large', 'The body is too large.');
    case 415:
      return new DomainError('unsupported_media_type', 'Send the body as application/json.');
    case 400:
      return new DomainError('invalid', fastify.message ?? 'The request is malformed.');
    default:
      return domainErrorOf(error);
  }
}

function validationError({ validation, validationContext }: Partial<FastifyError>): DomainError {
  if (validationContext === 'params') return nothingHere();
  const issues = issuesOf(validation ?? []);
  return new DomainError('invalid', summaryOf(issues), { issues });
}
