import { createHmac, timingSafeEqual } from 'node:crypto';
import { cookieName, cookiesOf, setCookie } from './cookies.ts';
import type { ProviderError } from './provider-error.ts';
import type { Visit } from './visit.ts';

/**
 * The report of a provider, on its way to the sign-in page. It travels in a signed cookie, since anyone can write an address
 * that shows their own words there.
 */

const SECONDS = 5 * 60;
const LARGEST_BYTES = 3000;

export interface FailureNotice {
  /** The code that the address of the sign-in page has. */
  failure: string;
  /** The name of the provider. */
  provider: string;
  error: string;
  words: string | null;
}

const nameAt = (origin: string) => cookieName(origin, 'sign_in_failure');
const sign = (secret: string, text: string) =>
  createHmac('sha256', secret).update(`sign-in-failure:${text}`).digest('base64url');

/** Returns the Set-Cookie header with a provider's error. */
export function noticeCookie(
  visit: Visit,
  failure: string,
  provider: string,
  { code, words }: ProviderError,
): string {
  const notice: FailureNotice = { failure, provider, error: code, words };
  const until = Date.now() + SECONDS * 1000;
  const text = Buffer.from(JSON.stringify({ ...notice, until })).toString('base64url');
  const value = `${text}.${sign(visit.organization.sign_in_secret, text)}`;
  return setCookie(visit, { name: nameAt(visit.origin), value }, { seconds: SECONDS, below: '/auth' });
}

/** Returns the error that a provider has reported in this browser, or null. */
export function noticeOf(visit: Visit): FailureNotice | null {
  const name = nameAt(visit.origin);
  const cookie = cookiesOf(visit).find((one) => one.name === name && one.value.length <= LARGEST_BYTES);
  const [text = '', signature = ''] = cookie?.value.split('.') ?? [];
  const [expected, given] = [sign(visit.organization.sign_in_secret, text), signature].map((one) =>
    Buffer.from(one),
  ) as [Buffer, Buffer];
  if (text === '' || expected.length !== given.length || !timingSafeEqual(expected, given)) return null;
  const { until, ...notice } = JSON.parse(Buffer.from(text, 'base64url').toString()) as FailureNotice & {
    until: number;
  };
  return until > Date.now() ? notice : null;
}
