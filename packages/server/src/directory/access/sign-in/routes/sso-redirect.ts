import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../../../kit/errors.ts';
import type { SignInContext } from '../context.ts';
import type { SsoResult } from '../sso.ts';
import { failureOf } from '../sso-failure.ts';
import { setCookies } from './tools.ts';

/** Redirects a person whose provider has sent them back: to the console, or to the sign-in page with a failure's code. */
export async function redirectAfterSso(
  request: FastifyRequest,
  reply: FastifyReply,
  { consolePath }: SignInContext,
  work: () => Promise<SsoResult>,
) {
  try {
    const { location, cookies } = await work();
    setCookies(reply, cookies);
    return reply.redirect(location, 303);
  } catch (error) {
    const { org, provider } = request.params as { org: string; provider: string };
    if (!(error instanceof DomainError)) request.log.error({ err: error, provider }, 'Sign-in failed');
    return reply.redirect(`${consolePath(org)}/sign-in?error=${failureOf(error)}`, 303);
  }
}
