import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, type DomainErrorCode } from '#kit/errors.ts';
import { describeError } from '#kit/http.ts';

export const SCIM_JSON = 'application/scim+json';

/** The error types of RFC 7644, 3.12. */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness';

/** An error with a SCIM error type, or with a status that only SCIM uses. */
export class ScimError extends DomainError {
  readonly scimType: ScimType | undefined;
  readonly status: number | undefined;

  constructor(
    code: DomainErrorCode,
    detail: string,
    { scimType, status }: { scimType?: ScimType; status?: number } = {},
  ) {
    super(code, detail);
    this.scimType = scimType;
    this.status = status;
  }
}

export const bad = (scimType: ScimType, detail: string) => new ScimError('invalid', detail, { scimType });
export const unique = (detail: string) => new ScimError('taken', detail, { scimType: 'uniqueness' });
export const outdated = () =>
  new ScimError(
    'precondition_failed',
    'The resource has changed since the version in If-Match. Fetch it again, then repeat the change.',
  );

/** Replies to an error with the body of RFC 7644, 3.12, and the same status and headers as other routes (D5). */
export function replyToScimError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const described = describeError(error, request);
  const status = statusOf(error) ?? described.status;
  const headers =
    'WWW-Authenticate' in described.headers
      ? { ...described.headers, 'WWW-Authenticate': 'Bearer' }
      : described.headers;
  return reply
    .code(status)
    .headers(headers)
    .type(SCIM_JSON)
    .send(errorBody(status, described.detail, scimTypeOf(error)));
}

/** The status that only SCIM uses. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof ScimError ? error.status : undefined;

export const scimTypeOf = (error: unknown): ScimType | undefined => {
  if (error instanceof ScimError) return error.scimType;
  if (!(error instanceof DomainError)) return undefined;
  if (error.code === 'invalid') return 'invalidValue';
  return error.code === 'taken' ? 'uniqueness' : undefined;
};

export const errorBody = (status: number, detail: string, scimType?: ScimType) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
  status: String(status),
  ...(scimType === undefined ? {} : { scimType }),
  detail,
});
