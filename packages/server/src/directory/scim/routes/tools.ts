import type { FastifyReply, FastifyRequest } from 'fastify';
import { describeError, ifMatchOf, type RouteTools } from '#kit/http.ts';
import { callOf as anyCallOf, type Principal } from '#kit/identity.ts';
import type { Call } from '../call.ts';
import { SCIM_JSON, statusOf } from '../errors.ts';
import { isRefusal, noteRefusals } from '../notes.ts';
import { project } from '../project.ts';
import { isObject, type Resource } from '../resource.ts';
import type { ResourceType } from '../schema.ts';
import { readProjection } from '../search.ts';

/** For identity providers (D50). The key acts for an owner or an administrator. */
export const config = { access: { scope: 'scim', roles: ['owner', 'admin'] }, takesBearer: true } as const;

const baseOf = ({ origin }: RouteTools, request: FastifyRequest) =>
  `${origin(request)}/org/${request.principal.orgSlug}/scim/v2`;

export const callOf = (tools: RouteTools, request: FastifyRequest): Call => ({
  ...anyCallOf(tools.db, request),
  base: baseOf(tools, request),
  ifMatch: ifMatchOf(request),
});

/** Sends the requested parts of a resource, with its version and address. */
export function sendResource(
  request: FastifyRequest,
  reply: FastifyReply,
  type: ResourceType,
  resource: Resource,
) {
  const meta = isObject(resource.meta) ? resource.meta : {};
  const version = String(meta.version);
  reply.header('ETag', version);
  const status = request.method === 'POST' ? 201 : 200;
  if (status === 201) reply.header('Location', String(meta.location));
  const known = request.method === 'GET' ? request.headers['if-none-match'] : undefined;
  const bare = (tag: string) => tag.trim().replace(/^W\//, '');
  if (known !== undefined && (known.trim() === '*' || known.split(',').map(bare).includes(bare(version))))
    return reply.code(304).send();
  return send(reply.code(status), project(type, resource, readProjection(request.query)));
}

export const send = (reply: FastifyReply, body: Resource) => reply.type(SCIM_JSON).send(JSON.stringify(body));

/** Records that a request of a client was refused (D79). */
export async function noteRefusal(
  { db }: RouteTools,
  request: FastifyRequest,
  error: unknown,
): Promise<void> {
  // Nobody is known to have sent a request without a valid key. Keys without the scope are not clients.
  const principal = request.principal as Principal | undefined;
  if (principal === undefined || !principal.scopes.has('scim')) return;
  const { method, url } = request;
  const described = describeError(error, request);
  const status = statusOf(error) ?? described.status;
  if (!isRefusal(method, status)) return;
  const [resource = '', id = null] = (/\/scim\/v2\/([^?]*)/.exec(url)?.[1] ?? '').split('/');
  const refusal = { method, resource, id: id === '' ? null : id, status, detail: described.detail };
  await noteRefusals(anyCallOf(db, request), [refusal], request.log);
}
