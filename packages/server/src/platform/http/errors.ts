import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { domainErrorOf } from '../database/sqlstate.ts';
import { DomainError, type DomainErrorCode } from '../errors.ts';
import { issuesOf, summary } from './validation.ts';

/** Contract 7.1, D5. */
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

/** Turns whatever was thrown, by a rule, a parser, the router or the database, into `{detail}`. */
export function replyToError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const known = asDomainError(error);
  if (known === undefined) {
    request.log.error({ err: error }, 'unhandled error');
    reply
      .code(500)
      .type('application/json')
      .send({ detail: 'Server error. The log has it under the request id.' });
    return;
  }
  if (known.code === 'unauthenticated') reply.header('WWW-Authenticate', 'Api-Key');
  if (known.retryAfter !== undefined) reply.header('Retry-After', String(known.retryAfter));
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
      return new DomainError('invalid', fastify.message ?? 'Malformed request.');
    default:
      return domainErrorOf(error);
  }
}

function validationError({ validation, validationContext }: Partial<FastifyError>): DomainError {
  if (validationContext === 'params')
    return new DomainError('not_found', 'There is nothing at this address.');
  const issues = issuesOf(validation ?? []);
  return new DomainError('invalid', summary(issues), { issues });
}
