/** Returns where to go after sign-in: always an address of this console, never another origin. */
export function returnAddress(wanted: string | undefined): string {
  if (wanted === undefined || !wanted.startsWith('/')) return '/';
  const url = new URL(wanted, location.origin);
  return url.origin === location.origin ? url.pathname + url.search : '/';
}
