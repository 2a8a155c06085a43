import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { domainErrorOf } from '../database/sqlstate.ts';
import { DomainError, type DomainErrorCode, invalidInput, nothingHere } from '../errors.ts';
import type { Issue } from '../issues.ts';
import type { Sentence } from '../sentences.ts';
import { issuesOf } from '../validation.ts';
import { httpRefusals, httpSentences } from './sentences.ts';

/** The status of each error (protocol 7.1, D5). */
export const STATUS: Record<DomainErrorCode, number> = {
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
  /** Clients translate the detail by these. */
  sentence: Sentence;
  issues?: Issue[];
}

/** Describes an error of a rule, a parser, the router or the database. Logs those that nobody expected. */
export function describeError(error: unknown, { log }: FastifyRequest): ErrorReply {
  const known = asDomainError(error);
  if (known === undefined) {
    log.error({ err: error }, 'unhandled error');
    const sentence = httpSentences.server_error();
    return { status: 500, headers: {}, detail: sentence.text, sentence };
  }
  const { code, message: detail, sentence, issues } = known;
  const retryAfter = known.retryAfter ?? (code === 'unavailable' ? UNAVAILABLE_SECONDS : undefined);
  return {
    status: STATUS[code],
    headers: {
      ...(code === 'unauthenticated' ? { 'WWW-Authenticate': 'Api-Key' } : {}),
      ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
    },
    detail,
    sentence,
    ...(issues === undefined ? {} : { issues }),
  };
}

/**
 * Replies to an error with `{detail, code, values}`, and `errors` for what a client can correct. No cache may keep it: a proxy that remembers
 * a 404 would hide the file of a release from browsers after the upgrade.
 */
export function replyToError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const { status, headers, detail, sentence, issues } = describeError(error, request);
  reply
    .code(status)
    .headers({ 'Cache-Control': 'no-store', ...headers })
    .type('application/json')
    .send({ detail, ...codeAndValues(sentence), ...(issues && { errors: issues }) });
}

/** Returns the fields by which clients translate a sentence. */
export const codeAndValues = (sentence: Sentence | undefined) =>
  sentence && {
    code: sentence.code,
    ...(Object.keys(sentence.values).length > 0 && { values: sentence.values }),
  };

function asDomainError(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error;
  if (!(error instanceof Error)) return undefined;
  const fastify = error as Partial<FastifyError>;
  if (fastify.validation !== undefined) return validationError(fastify);
  switch (fastify.statusCode) {
    case 413:
      return httpRefusals.body_too_large();
    case 415:
      return httpRefusals.json_only();
    case 400:
      return fastify.message === undefined
        ? httpRefusals.malformed_request()
        : new DomainError('invalid', fastify.message);
    default:
      return domainErrorOf(error);
  }
}

function validationError({ validation, validationContext }: Partial<FastifyError>): DomainError {
  if (validationContext === 'params') return nothingHere();
  return invalidInput(issuesOf(validation ?? []));
}
