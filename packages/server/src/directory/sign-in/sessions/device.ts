import { isIPv6 } from 'node:net';

export interface SignIn {
  user_agent: string | null;
  ip: string | null;
}

/**
 * Whether a sign-in comes from a browser or a network that the person has not signed in from. A new version is the same browser;
 * the network is the first half of an IPv4 address, or the first 48 bits of an IPv6 address.
 */
export function isNewDevice(signIn: SignIn, earlier: readonly SignIn[]): boolean {
  // Nothing to compare the first sign-in with.
  if (earlier.length === 0) return false;
  const isKnown = (of: (one: SignIn) => string) => earlier.some((one) => of(one) === of(signIn));
  return !(isKnown(browserOf) && isKnown(networkOf));
}

const browserOf = ({ user_agent }: SignIn) => (user_agent ?? '').replace(/\d+([._]\d+)*/g, '');

function networkOf({ ip }: SignIn): string {
  if (ip === null) return '';
  const parts = isIPv6(ip) ? ip.split(':').slice(0, 3) : ip.split('.').slice(0, 2);
  return parts.join('.');
}
