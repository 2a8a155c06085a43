import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, type DomainErrorCode } from '../platform/errors.ts';
import { replyToError } from '../platform/http/errors.ts';

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
export const taken = (detail: string) => new ScimError('conflict', detail, { scimType: 'uniqueness' });
export const outdated = () =>
  new ScimError(
    'conflict',
    'The resource has changed since the version in If-Match. Fetch it again, then repeat the change.',
    {
      status: 412,
    },
  );

/** Replies to an error with the body of RFC 7644, 3.12, and the same status and headers as other routes (D5). */
export function replyToScimError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const bearer = { send: (body: { detail: string }) => sendError(reply, error, body.detail) };
  replyToError(error, request, intercepting(reply, bearer.send));
}

/** Passes status and headers on to `reply`, and the body to `send`. */
function intercepting(reply: FastifyReply, send: (body: { detail: string }) => void): FastifyReply {
  const proxy = {
    code: (status: number) => {
      reply.code(status);
      return proxy;
    },
    type: () => proxy,
    header: (name: string, value: string) => {
      reply.header(name, name === 'WWW-Authenticate' ? 'Bearer' : value);
      return proxy;
    },
    send,
  };
  return proxy as unknown as FastifyReply;
}

function sendError(reply: FastifyReply, error: unknown, detail: string) {
  if (error instanceof ScimError && error.status !== undefined) reply.code(error.status);
  reply.type(SCIM_JSON).send(errorBody(reply.statusCode, detail, scimTypeOf(error)));
}

export const scimTypeOf = (error: unknown): ScimType | undefined => {
  if (error instanceof ScimError) return error.scimType;
  if (!(error instanceof DomainError)) return undefined;
  if (error.code === 'invalid') return 'invalidValue';
  return error.code === 'conflict' && error.message.includes('already exists') ? 'uniqueness' : undefined;
};

export const errorBody = (status: number, detail: string, scimType?: ScimType) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
  status: String(status),
  ...(scimType === undefined ? {} : { scimType }),
  detail,
});
