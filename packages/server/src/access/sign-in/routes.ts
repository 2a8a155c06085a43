import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { actorOf } from '../../identity/cause.ts';
import { personOf } from '../../people/people.ts';
import type { Tx } from '../../platform/database/open.ts';
import { transaction } from '../../platform/database/transaction.ts';
import { notFound } from '../../platform/errors.ts';
import { Nullable, Timestamp, Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { attempt } from './attempts.ts';
import { type Auth, openAuth, rememberAuths } from './auth.ts';
import { type Exchange, headersOf, newToken, passOn, readAnswer, refuseForeign } from './exchange.ts';
import * as passwords from './passwords.ts';
import * as queries from './queries.ts';
import * as sessions from './sessions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a sign-in: into which organization. */
    organization: queries.Organization;
  }
}

/** What sign-in needs beside the database. */
export interface SignInTools extends RouteTools {
  /** A session that is not used for so long is over. */
  idleHours: number;
}

/** What each way of signing in is given. */
export interface Ways extends SignInTools {
  /** Refuses other sites, and finds the organization: for routes that nobody is signed in for yet. */
  onVisit: (request: FastifyRequest) => Promise<void>;
  /** Finds it and refuses nobody: for what another site is meant to send. */
  onArrival: (request: FastifyRequest) => Promise<void>;
  organizationOf: (request: FastifyRequest) => Promise<queries.Organization>;
  authOf: (request: FastifyRequest) => Promise<Auth>;
  /** Runs `work` in one transaction, what better-auth writes included. */
  within: <T>(request: FastifyRequest, work: (auth: Auth, tx: Tx) => Promise<T>) => Promise<T>;
  /** Runs one try of a visitor to show a factor. */
  tryFactor: <T>(
    request: FastifyRequest,
    method: string,
    identifier: string | null,
    work: () => Promise<T>,
  ) => Promise<T>;
  /** Begins the session that better-auth made, if it made one, and hands its cookies on. */
  finish: (
    request: FastifyRequest,
    reply: Parameters<typeof passOn>[0],
    answer: Exchange,
    signIn: sessions.SignIn,
  ) => Promise<boolean>;
}

const Email = Type.String({ minLength: 1, maxLength: 254 });
const Password = Type.String({ minLength: 1, maxLength: 128 });
const NewPassword = Type.String({ minLength: 8, maxLength: 128, description: '8 to 128 characters.' });
const SignedIn = Type.Object({
  signed_in: Type.Boolean(),
  second_factor: Type.Optional(
    Type.Boolean({ description: 'The password was right; show a second factor.' }),
  ),
});
const Method = Type.Object({
  organization: Type.Object({ slug: Type.String(), name: Type.String() }),
  providers: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      type: Type.Union([Type.Literal('oidc'), Type.Literal('saml')]),
    }),
  ),
});
const SessionView = Type.Object({
  id: Uuid,
  created_at: Timestamp,
  last_used_at: Timestamp,
  expires_at: Timestamp,
  method: Type.String(),
  provider: Nullable(Type.String()),
  second_factor: Type.Boolean(),
  ip: Nullable(Type.String()),
  user_agent: Nullable(Type.String()),
  current: Type.Boolean({ description: 'The one of this request.' }),
});
const LinkView = Type.Object({
  url: Type.String({ description: 'For the person, and for nobody else. The secret follows the #.' }),
  expires_at: Timestamp,
});

const open = { access: 'public' } as const;
const own = { access: { scope: 'session' } } as const;
const administer = { access: { scope: 'govern', roles: ['owner', 'admin'] } } as const;
const tags = ['Sign-in'];
const Nothing = { 204: Type.Null() };

const visitorOf = ({ ip, headers }: FastifyRequest) => ({ ip, userAgent: headers['user-agent'] });

export function waysOf(tools: SignInTools): Ways {
  const { db, origin, idleHours } = tools;
  const remembered = rememberAuths(db);
  const organizationOf = async (request: FastifyRequest) =>
    request.organization ??
    ((await queries.findOrganization(db, request.principal.orgSlug)) as queries.Organization);
  const onArrival = async (request: FastifyRequest) => {
    const organization = await queries.findOrganization(db, (request.params as { org: string }).org);
    if (organization === undefined) throw notFound('This address');
    request.organization = organization;
  };
  return {
    ...tools,
    organizationOf,
    onArrival,
    onVisit: async (request) => {
      refuseForeign(request, origin(request), false);
      await onArrival(request);
    },
    authOf: async (request) => remembered(await organizationOf(request), origin(request)),
    within: async (request, work) => {
      const organization = await organizationOf(request);
      return transaction(db, (tx) => work(openAuth(tx, organization, origin(request)), tx));
    },
    tryFactor: (request, method, identifier, work) => {
      const orgId = request.organization?.id ?? request.principal.orgId;
      return attempt(db, { ...visitorOf(request), orgId, identifier, method }, work);
    },
    finish: async (request, reply, answer, signIn) => {
      const token = newToken(answer, origin(request));
      if (token !== undefined) {
        await sessions.begin(db, request.organization.id, token, signIn, visitorOf(request), idleHours);
      }
      passOn(reply, answer);
      return token !== undefined;
    },
  };
}

/** Passwords, sessions, one-time links (issue "Console", governance "Roles", contract 6.3 session.*). */
export function signInRoutes(http: Http, ways: Ways) {
  const { db, origin, onVisit, authOf, tryFactor, finish } = ways;

  http.get(
    '/auth/',
    {
      config: open,
      onRequest: onVisit,
      schema: { tags, summary: 'How people sign in', response: { 200: Method } },
    },
    async ({ organization: { id, slug, name } }) => ({
      organization: { slug, name },
      providers: await queries.listProviders(db, id),
    }),
  );

  http.post(
    '/auth/sign-in/',
    {
      config: open,
      onRequest: onVisit,
      schema: {
        tags,
        summary: 'Sign in with a password',
        description:
          'Sets the session cookie. After 10 wrong passwords, codes or links within 15 minutes, the address is refused with 429 for 15 minutes.',
        body: Type.Object({ email: Email, password: Password }),
        response: { 200: SignedIn },
      },
    },
    async (request, reply) => {
      const auth = await authOf(request);
      const email = request.body.email.trim();
      return tryFactor(request, 'password', email, async () => {
        const response = await auth.api.signInEmail({
          body: { email, password: request.body.password },
          headers: headersOf(request, origin(request)),
          asResponse: true,
        });
        const answer = await readAnswer(response, 'Wrong email address or password.');
        const signIn = { method: 'password', provider: null, second_factor: false };
        const signed_in = await finish(request, reply, answer, signIn);
        return signed_in ? { signed_in } : { signed_in, second_factor: true };
      });
    },
  );

  http.post(
    '/auth/sign-out/',
    {
      config: own,
      schema: { tags, summary: 'Sign out', response: Nothing },
    },
    async (request, reply) => {
      const { principal } = request;
      await sessions.end(db, principal, actorOf(request), principal.sessionId as string);
      const { authCookies } = await (await authOf(request)).$context;
      const { name, attributes } = authCookies.sessionToken;
      reply.header(
        'set-cookie',
        `${name}=; Path=${attributes.path}; Max-Age=0; HttpOnly; SameSite=Lax${attributes.secure ? '; Secure' : ''}`,
      );
      reply.code(204);
      return null;
    },
  );

  http.get(
    '/auth/sessions/',
    {
      config: own,
      schema: {
        tags,
        summary: 'List my sessions',
        response: { 200: Type.Object({ results: Type.Array(SessionView) }) },
      },
    },
    async ({ principal }) => ({
      results: (await sessions.list(db, principal)).map((session) => ({
        ...session,
        current: session.id === principal.sessionId,
      })),
    }),
  );

  http.delete(
    '/auth/sessions/:session_id/',
    {
      config: own,
      schema: {
        tags,
        summary: 'End one of my sessions',
        params: Type.Object({ session_id: Uuid }),
        response: Nothing,
      },
    },
    async (request, reply) => {
      await sessions.end(db, request.principal, actorOf(request), request.params.session_id);
      reply.code(204);
      return null;
    },
  );

  http.post(
    '/auth/password/',
    {
      config: own,
      schema: {
        tags,
        summary: 'Change my password',
        description: 'Ends my other sessions.',
        body: Type.Object({ current_password: Password, new_password: NewPassword }),
        response: Nothing,
      },
    },
    async (request, reply) => {
      const { current_password, new_password } = request.body;
      const { email } = await personOf(db, request.principal, request.principal.userId);
      await tryFactor(request, 'password', email, () =>
        passwords.changePassword(db, request.principal, actorOf(request), current_password, new_password),
      );
      reply.code(204);
      return null;
    },
  );

  http.post(
    '/auth/welcome/',
    {
      config: open,
      onRequest: onVisit,
      schema: {
        tags,
        summary: 'Set a password with a one-time link',
        body: Type.Object({
          token: Type.String({ minLength: 1, maxLength: 512 }),
          new_password: NewPassword,
        }),
        response: { 200: Type.Object({ email: Type.String() }) },
      },
    },
    async (request) => {
      const { token, new_password } = request.body;
      return tryFactor(request, 'link', null, () =>
        passwords.useLink(db, request.organization.id, token, new_password, visitorOf(request)),
      );
    },
  );

  http.post(
    '/api/users/:user_id/sign-in-link/',
    {
      config: administer,
      onRequest: async (request) => {
        await personOf(db, request.principal, (request.params as { user_id: string }).user_id);
      },
      schema: {
        tags,
        summary: 'Make a one-time link with which a person sets a password',
        description: 'The link works once, for 72 hours, and replaces the one before it.',
        params: Type.Object({ user_id: Uuid }),
        response: { 200: LinkView },
      },
    },
    async (request) => {
      const person = await personOf(db, request.principal, request.params.user_id);
      const { token, expires_at } = await passwords.makeLink(db, request.principal, actorOf(request), person);
      return { url: `${origin(request)}/welcome#${token}`, expires_at };
    },
  );
}
