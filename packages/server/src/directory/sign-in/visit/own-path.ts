/** Returns `path` if it is a path of our own site, and the console's first page otherwise: sign-in redirects nowhere else. */
export function ownPath(path: string, home: string): string {
  const isPath = /^\/(?![/\\])/.test(path) && !/[\\\p{Cc}]/u.test(path);
  const here = 'https://gatehouse.invalid';
  return isPath && URL.canParse(path, here) && new URL(path, here).origin === here ? path : `${home}/`;
}

/** Returns the path of an address, if it is one of our own site, and the console's first page otherwise. */
export function ownAddress(address: string, origin: string, home: string): string {
  if (!URL.canParse(address)) return ownPath(address, home);
  const url = new URL(address);
  const isOwn = url.origin === new URL(origin).origin && url.username === '' && url.password === '';
  return isOwn ? ownPath(`${url.pathname}${url.search}`, home) : `${home}/`;
}
