import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { domainErrorOf } from '../database/sqlstate.ts';
import { DomainError, type DomainErrorCode, nothingHere } from '../errors.ts';
import { summaryOf } from '../issues.ts';
import { issuesOf } from './validation.ts';

/** The status of each error (protocol 7.1, D5). */
const STATUS: Record<DomainErrorCode, number> = {
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  invalid: 400,
  unprocessable: 422,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  throttled: 429,
  unavailable: 503,
};

export const statusOf = ({ code }: DomainError): number => STATUS[code];

/** How long a client waits after a 503 whose error names no time. */
const UNAVAILABLE_SECONDS = 2;

/** Turns an error of a rule, a parser, the router or the database into a reply with `{detail}`. */
export function replyToError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const known = asDomainError(error);
  if (known === undefined) {
    request.log.error({ err: error }, 'unhandled error');
    reply
      .code(500)
      .type('application/json')
      .send({ detail: 'Server error. Search the server log for the X-Request-Id of this response.' });
    return;
  }
  if (known.code === 'unauthenticated') reply.header('WWW-Authenticate', 'Api-Key');
  const retryAfter = known.retryAfter ?? (known.code === 'unavailable' ? UNAVAILABLE_SECONDS : undefined);
  if (retryAfter !== undefined) reply.header('Retry-After', String(retryAfter));
  reply
    .code(STATUS[known.code])
    .type('application/json')
    .send(
      known.issues === undefined
        ? { detail: known.message }
        : { detail: known.message, errors: known.issues },
    );
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
