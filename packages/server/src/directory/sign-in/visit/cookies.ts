/** The cookies of sign-in. All belong to one organization, and scripts cannot read them. */

export interface Cookie {
  name: string;
  value: string;
}

/** The address to which cookies belong. */
interface Place {
  origin: string;
  organization: { slug: string };
}

/** Returns the cookies that the browser sent, in its order. */
export const cookiesOf = ({ cookie }: { cookie: string | undefined }): Cookie[] =>
  (cookie ?? '').split(/;\s*/).flatMap((pair) => {
    const at = pair.indexOf('=');
    return at > 0 ? [{ name: pair.slice(0, at), value: pair.slice(at + 1) }] : [];
  });

export const isSecure = (origin: string) => origin.startsWith('https:');

/** Returns a cookie's name at this origin. Over https, its prefix keeps sites without TLS from setting it. */
export const cookieName = (origin: string, name: string) =>
  `${isSecure(origin) ? '__Secure-' : ''}gatehouse.${name}`;

interface Life {
  seconds: number;
  /** The browser also sends it with forms that other sites post. Browsers allow that over https only. */
  crossSite?: boolean;
  /** The path below the organization's address. */
  below?: string;
}

/** Returns a Set-Cookie header. */
export function setCookie(
  { origin, organization }: Place,
  { name, value }: Cookie,
  { seconds, crossSite = false, below = '' }: Life,
): string {
  const sameSite = crossSite && isSecure(origin) ? 'None' : 'Lax';
  const secure = isSecure(origin) ? '; Secure' : '';
  return `${name}=${value}; Path=/org/${organization.slug}${below}; Max-Age=${seconds}; HttpOnly${secure}; SameSite=${sameSite}`;
}

/** Returns a Set-Cookie header that removes a cookie. */
export const removeCookie = (place: Place, name: string, life: Omit<Life, 'seconds'> = {}): string =>
  setCookie(place, { name, value: '' }, { ...life, seconds: 0 });

/** Returns the value that a Set-Cookie header of better-auth gives to a cookie. */
export const valueIn = (headers: readonly string[], name: string): string | undefined =>
  headers
    .findLast((header) => header.startsWith(`${name}=`))
    ?.slice(name.length + 1)
    .split(';')[0];
