import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '#kit/errors.ts';
import { replyToError } from '#kit/http.ts';
import type { SignInContext } from '../../auth/context.ts';
import { setCookies } from '../../auth/routes/tools.ts';
import { type Failure, failureOf } from '../../protocols/sso-failure.ts';
import type { SsoResult } from '../sso-flow.ts';

/** Redirects a person whose provider has sent them back: to the console, or to the sign-in page with a failure's code. */
export async function redirectAfterSso(
  request: FastifyRequest,
  reply: FastifyReply,
  context: SignInContext,
  work: () => Promise<SsoResult>,
) {
  try {
    const { location, cookies } = await work();
    setCookies(reply, cookies);
    return reply.redirect(location, 303);
  } catch (error) {
    const { org, provider } = request.params as { org: string; provider?: string };
    if (!(error instanceof DomainError)) request.log.error({ err: error, provider }, 'Sign-in failed');
    return reply.redirect(signInPage(context, org, failureOf(error)), 303);
  }
}

/**
 * Returns an error handler for addresses that people open in a browser: a request that no handler sees, such as one with a malformed
 * response of a provider, leads to the sign-in page. Programs get the usual error.
 */
export const pageOfError =
  (context: SignInContext) => (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const isBrowser = (request.headers.accept ?? '').includes('text/html');
    // The limit of requests comes before the organization, without which there is no sign-in page.
    const isThrottled = error instanceof DomainError && error.code === 'throttled';
    if (!isBrowser || !(request.organization || isThrottled)) return replyToError(error, request, reply);
    const { org } = request.params as { org: string };
    if (!(error instanceof DomainError) && !isRefusedByFastify(error))
      request.log.error({ err: error }, 'Sign-in failed');
    const failure = error instanceof DomainError ? failureOf(error) : 'malformed';
    return reply.redirect(signInPage(context, org, failure), 303);
  };

const isRefusedByFastify = (error: unknown) =>
  error instanceof Error && 'statusCode' in error && Number(error.statusCode) < 500;

const signInPage = ({ consolePath }: SignInContext, org: string, failure: Failure) =>
  `${consolePath(org)}/sign-in?error=${failure}`;
