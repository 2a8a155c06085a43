import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { DomainError, invalid, notFound } from '../../platform/errors.ts';
import type { Http } from '../../platform/http/server.ts';
import { passOn, readAnswer, visitorHeaders } from './exchange.ts';
import { rowOf } from './providers.ts';
import type { Ways } from './routes.ts';

const open = { access: 'public' } as const;
const tags = ['Sign-in'];
const params = Type.Object({ provider: Type.String() });
/** A signed answer of a provider, in base64, is some 10 KB. */
const LARGEST_ANSWER_BYTES = 512 * 1024;

/** What the sign-in page is told, and what the log says. */
const FAILURES = {
  unknown_person: 'Nobody with this email address may sign in here.',
  email_domain: 'The provider may not vouch for this email domain.',
  email_not_verified: 'The provider has not verified this email address.',
  expired: 'The sign-in took too long, was begun elsewhere, or its answer was used already.',
  refused: 'The provider refused the sign-in.',
  provider: "The provider's answer could not be checked.",
  throttled: 'Too many failed sign-ins from this address.',
} as const;
type Failure = keyof typeof FAILURES;

/** Words of better-auth's for the same. What is not here is `provider`. */
const FAILURE_OF: Record<string, Failure> = {
  unknown_person: 'unknown_person',
  email_domain: 'email_domain',
  email_not_verified: 'email_not_verified',
  state_mismatch: 'expired',
  state_not_found: 'expired',
  invalid_state: 'expired',
  replay_detected: 'expired',
  unsolicited_response: 'expired',
  access_denied: 'refused',
  login_required: 'refused',
};

class SsoRefusal extends DomainError {
  readonly failure: Failure;

  constructor(failure: Failure, about: string | null = null) {
    super('unauthenticated', about === null ? FAILURES[failure] : `${FAILURES[failure]} (${about})`);
    this.failure = failure;
  }
}

/** Of the three that we give ourselves, the description is the address that the provider named. */
function refusalOf(told: URLSearchParams): SsoRefusal {
  const failure = FAILURE_OF[told.get('error') ?? ''] ?? 'provider';
  const isOurs = failure === 'unknown_person' || failure.startsWith('email_');
  return new SsoRefusal(failure, isOurs ? (told.get('error_description')?.slice(0, 254) ?? null) : null);
}

/** Signing in through an OpenID Connect or SAML provider of the organization (issue "Console"). */
export async function ssoRoutes(http: Http, ways: Ways) {
  const { db, origin, onVisit, onArrival, authOf, tryFactor, finish } = ways;

  http.post(
    '/auth/sso/',
    {
      config: open,
      onRequest: onVisit,
      schema: {
        tags,
        summary: 'Begin to sign in through a provider',
        body: Type.Object({
          provider: Type.String({ minLength: 1, maxLength: 63 }),
          return_to: Type.Optional(
            Type.String({ maxLength: 2000, description: 'A path of the console. Anything else is /.' }),
          ),
        }),
        response: { 200: Type.Object({ url: Type.String() }) },
      },
    },
    async (request, reply) => {
      const { provider, return_to = '/' } = request.body;
      await rowOf(db, request.organization.id, provider);
      const at = origin(request);
      const auth = await authOf(request);
      const response = await auth.api.signInSSO({
        body: {
          providerId: provider,
          callbackURL: `${at}${ownPath(return_to)}`,
          errorCallbackURL: `${at}/sign-in`,
        },
        headers: visitorHeaders(request, at),
        asResponse: true,
      });
      const answer = await readAnswer(response, () => invalid('The provider cannot be asked at the moment.'));
      passOn(reply, { ...answer, cookies: answer.cookies.map((cookie) => sentByOthers(cookie, at)) });
      return { url: answer.body.url };
    },
  );

  http.get(
    '/auth/sso/callback/:provider',
    {
      config: open,
      onRequest: onVisit,
      schema: {
        tags,
        summary: 'Where an OpenID Connect provider sends people back to',
        params,
        querystring: Type.Object({
          code: Type.Optional(Type.String()),
          state: Type.Optional(Type.String()),
          error: Type.Optional(Type.String()),
          error_description: Type.Optional(Type.String()),
        }),
      },
    },
    async (request, reply) =>
      complete(request, reply, 'oidc', async () =>
        (await authOf(request)).api.callbackSSO({
          params: { providerId: request.params.provider },
          query: request.query,
          headers: visitorHeaders(request, origin(request)),
          asResponse: true,
        }),
      ),
  );

  http.get(
    '/auth/sso/saml/:provider/metadata/',
    {
      config: open,
      onRequest: onVisit,
      schema: { tags, summary: 'Our metadata, for a SAML provider', params },
    },
    async (request, reply) => {
      const { provider } = request.params;
      if ((await rowOf(db, request.organization.id, provider)).saml_config === null)
        throw notFound('Sign-in provider');
      const response = await (await authOf(request)).api.spMetadata({
        query: { providerId: provider },
        asResponse: true,
      });
      return reply.type('application/samlmetadata+xml').send(await response.text());
    },
  );

  await http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: LARGEST_ANSWER_BYTES },
      (_request, text, done) => done(null, Object.fromEntries(new URLSearchParams(text as string))),
    );
    (scope as unknown as Http).post(
      // As better-auth writes it into the metadata and the requests that it makes.
      '/auth/sso/saml2/sp/acs/:provider',
      {
        config: open,
        onRequest: onArrival,
        schema: {
          tags,
          summary: 'Where a SAML provider sends its answers',
          params,
          body: {
            content: {
              'application/x-www-form-urlencoded': {
                schema: Type.Object({ SAMLResponse: Type.String(), RelayState: Type.String() }),
              },
            },
          },
        },
      },
      async (request, reply) => {
        const { SAMLResponse, RelayState } = request.body as { SAMLResponse: string; RelayState: string };
        return complete(request, reply, 'saml', async () => {
          const auth = await authOf(request);
          const { createAuthCookie } = await auth.$context;
          const { name } = createAuthCookie('relay_state');
          if (!isOwnAnswer(request, name, RelayState)) throw new SsoRefusal('expired');
          return auth.api.acsEndpoint({
            method: 'POST',
            params: { providerId: request.params.provider },
            body: { SAMLResponse, RelayState },
            headers: visitorHeaders(request, origin(request)),
            asResponse: true,
          });
        });
      },
    );
  });

  /** The provider's answer has come: a session, or the sign-in page with a word about why not. */
  async function complete(
    request: FastifyRequest<{ Params: { provider: string } }>,
    reply: FastifyReply,
    method: 'oidc' | 'saml',
    work: () => Promise<Response>,
  ) {
    const { provider } = request.params;
    try {
      const location = await tryFactor(request, method, null, async () => {
        const answer = await readAnswer(await work(), () => new SsoRefusal('provider'));
        const to = new URL(answer.location ?? '/sign-in?error=provider', origin(request));
        const error = to.searchParams.get('error');
        const isBegun =
          error === null &&
          (await finish(request, reply, answer, { method, provider, second_factor: false }));
        if (isBegun) return to;
        throw refusalOf(to.searchParams);
      });
      return reply.redirect(ownPath(`${location.pathname}${location.search}`), 303);
    } catch (error) {
      if (!(error instanceof DomainError)) request.log.error({ err: error, provider }, 'sign-in failed');
      return reply.redirect(`/sign-in?error=${failureOf(error)}`, 303);
    }
  }

  /** Over https, the answer must come to the browser that asked: nobody is signed in by another's hand. */
  function isOwnAnswer(request: FastifyRequest, cookieName: string, relayState: string): boolean {
    if (!origin(request).startsWith('https:')) return true;
    const cookies = (request.headers.cookie ?? '').split(/;\s*/);
    return cookies.some((cookie) => decodeURIComponent(cookie).startsWith(`${cookieName}=${relayState}.`));
  }
}

const failureOf = (error: unknown): Failure => {
  if (error instanceof SsoRefusal) return error.failure;
  return error instanceof DomainError && error.code === 'throttled' ? 'throttled' : 'provider';
};

/** SAML answers are posted from the provider's page, with which a browser sends such a cookie only if it may. */
const sentByOthers = (cookie: string, at: string) =>
  at.startsWith('https:') && cookie.includes('relay_state=')
    ? cookie.replace(/SameSite=Lax/i, 'SameSite=None')
    : cookie;

/** `wanted` where it is a path of our own site; nobody is sent elsewhere. */
function ownPath(wanted: string): string {
  const isPath = /^\/(?![/\\])/.test(wanted) && !/[\\\p{Cc}]/u.test(wanted);
  const here = 'https://gatehouse.invalid';
  return isPath && URL.canParse(wanted, here) && new URL(wanted, here).origin === here ? wanted : '/';
}
