import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, nothingHere } from '../../../../kit/errors.ts';
import type { RouteTools } from '../../../../kit/http/server.ts';
import { callOf } from '../../../../kit/identity/call.ts';
import { userAgentOf } from '../../../../kit/identity/cause.ts';
import { identityOf } from '../../../../kit/identity/person.ts';
import type { Secrets } from '../../../../kit/secrets/secrets.ts';
import { createSignInContext, type SignInContext } from '../context.ts';
import { rejectCrossSite } from '../cross-site.ts';
import { findOrganization, type Organization } from '../organization.ts';
import type { ShownSite } from '../site.ts';
import type { Visit } from '../visit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The organization in the address. Set on routes that need no sign-in. */
    organization: Organization;
  }
}

export interface SignInOptions extends RouteTools {
  linkOrigin: (request: FastifyRequest) => string;
  secrets: Secrets;
  idleHours: number;
  /** Returns the path of an organization's console. */
  consolePath: (slug: string) => string;
  /** Whether emails can be sent. */
  canEmail: boolean;
}

/** The dependencies of the sign-in routes. */
export interface SignInTools extends RouteTools {
  /** The origin for addresses that others get. Throws 409 if nobody knows it. */
  linkOrigin: (request: FastifyRequest) => string;
  context: SignInContext;
  canEmail: boolean;
  /** An onRequest hook of public routes: finds the organization, and throws 403 for requests from other sites. */
  onVisit: (request: FastifyRequest) => Promise<void>;
  /** An onRequest hook of public routes that other sites may call: finds the organization. */
  onCrossSiteVisit: (request: FastifyRequest) => Promise<void>;
  /** An onRequest hook: throws 404 or 403 for the person in the address before the body is read (D6). */
  onPerson: (request: FastifyRequest) => Promise<void>;
  visitOf: (request: FastifyRequest) => Promise<Visit>;
  /** The same for what gives an address of ours to a provider. Throws 409 if nobody knows our address. */
  linkVisitOf: (request: FastifyRequest) => Promise<Visit>;
  /** The place of the addresses that a list shows. Without an origin if nobody knows our address. */
  siteOf: (request: FastifyRequest) => ShownSite;
}

export function createSignInTools(tools: SignInOptions): SignInTools {
  const { db, origin, linkOrigin, idleHours, secrets, consolePath } = tools;
  const onCrossSiteVisit = async (request: FastifyRequest) => {
    const organization = await findOrganization(db, secrets, (request.params as { org: string }).org);
    if (organization === undefined) throw nothingHere();
    request.organization = organization;
  };
  const visitOf = async (request: FastifyRequest): Promise<Visit> => ({
    organization:
      request.organization ??
      ((await findOrganization(db, secrets, request.principal.orgSlug)) as Organization),
    origin: origin(request),
    ip: request.ip,
    userAgent: userAgentOf(request.headers),
    cookie: request.headers.cookie,
    withholdsSession: request.method === 'POST' && request.headers['sec-fetch-site'] === 'cross-site',
  });
  const originOrNull = (request: FastifyRequest) => {
    try {
      return linkOrigin(request);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'conflict') return null;
      throw error;
    }
  };
  return {
    ...tools,
    context: createSignInContext(db, idleHours, consolePath),
    onCrossSiteVisit,
    onVisit: async (request) => {
      rejectCrossSite(request, origin(request), false);
      await onCrossSiteVisit(request);
    },
    onPerson: async (request) => {
      await identityOf(callOf(db, request), (request.params as { user_id: string }).user_id);
    },
    visitOf,
    linkVisitOf: async (request) => ({ ...(await visitOf(request)), origin: linkOrigin(request) }),
    siteOf: (request) => ({ slug: request.principal.orgSlug, origin: originOrNull(request) }),
  };
}

export function setCookies(reply: FastifyReply, cookies: string[]) {
  if (cookies.length > 0) reply.header('set-cookie', cookies);
}
