import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, nothingHere } from '#kit/errors.ts';
import { operations, type RouteTools } from '#kit/http.ts';
import { userAgentOf } from '#kit/identity.ts';
import type { Secrets } from '#kit/secrets/secrets.ts';
import { cookiesOf } from '../../visit/cookies.ts';
import { rejectCrossSite } from '../../visit/cross-site.ts';
import { findOrganization, type Organization } from '../../visit/organization.ts';
import type { ShownSite } from '../../visit/site.ts';
import { sessionCookieName, type Visit } from '../../visit/visit.ts';
import { createSignInContext, type SignInContext } from '../context.ts';
import { open, path, tag } from './schemas.ts';

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
  /** Declares operations that need no sign-in: they find the organization, and throw 403 for requests from other sites. */
  visitor: ReturnType<typeof operations>;
  /** The same for operations that other sites may call. */
  crossSiteVisitor: ReturnType<typeof operations>;
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
  const onVisit = async (request: FastifyRequest) => {
    rejectCrossSite(request, origin(request), false);
    await onCrossSiteVisit(request);
  };
  const visitAt = async (request: FastifyRequest, at: string): Promise<Visit> => ({
    organization:
      request.organization ??
      ((await findOrganization(db, secrets, request.principal.orgSlug)) as Organization),
    origin: at,
    ip: request.ip,
    userAgent: userAgentOf(request.headers),
    cookie: request.headers.cookie,
    withholdsSession: withholdsSession(request, at),
  });
  const originOrNull = (request: FastifyRequest) => {
    try {
      return linkOrigin(request);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'conflict') return null;
      throw error;
    }
  };
  const visiting = { path, tag, reading: open, managing: open };
  return {
    ...tools,
    context: createSignInContext(db, idleHours, consolePath),
    visitor: operations({ ...visiting, allow: onVisit }),
    crossSiteVisitor: operations({ ...visiting, allow: onCrossSiteVisit }),
    visitOf: async (request) => visitAt(request, origin(request)),
    linkVisitOf: async (request) => visitAt(request, linkOrigin(request)),
    siteOf: (request) => ({ slug: request.principal.orgSlug, origin: originOrNull(request) }),
  };
}

/**
 * Whether a form without a session may come from a browser that has one: from another site, browsers send it only after a redirect.
 * Over http, and some before 2023, they do not say from which site a form comes.
 */
function withholdsSession({ method, headers }: FastifyRequest, origin: string): boolean {
  if (method !== 'POST' || OWN_SITES.has(headers['sec-fetch-site'])) return false;
  return cookiesOf({ cookie: headers.cookie }).every(({ name }) => name !== sessionCookieName(origin));
}

const OWN_SITES = new Set<unknown>(['same-origin', 'same-site']);

export function setCookies(reply: FastifyReply, cookies: string[]) {
  if (cookies.length > 0) reply.header('set-cookie', cookies);
}
