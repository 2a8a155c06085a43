import type { FastifyReply, FastifyRequest } from 'fastify';

/** Every response carries these: nobody may embed it in a page, or guess another content type. */
const FOR_ALL = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
};

/** JSON and errors need nothing of a browser. */
const FOR_DATA = {
  ...FOR_ALL,
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};

/** The reference page at /docs has scripts and styles of its own files, and styles in elements. */
const FOR_REFERENCE = {
  ...FOR_ALL,
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // Its own (reference.ts), and that of the library with which Swagger UI cleans the HTML of descriptions.
    'trusted-types default dompurify',
  ].join('; '),
};

/** Responses of an organization contain personal data. Neither browsers nor proxies may store them. */
const FOR_ORGANIZATION = { ...FOR_DATA, 'Cache-Control': 'no-store' };

const A_YEAR_SECONDS = 365 * 24 * 3600;

/** The headers of the response to a request that is not valid HTTP, which no hook sees. */
export const RAW_HEADERS = Object.entries(FOR_DATA)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

/** Sets the security headers of a response. A route can replace them, as the console's page does. */
export function setSecurityHeaders(request: FastifyRequest, reply: FastifyReply, isPublicOverTls: boolean) {
  reply.headers(headersFor(request.url));
  if (isPublicOverTls || request.protocol === 'https')
    reply.header('Strict-Transport-Security', `max-age=${A_YEAR_SECONDS}`);
}

function headersFor(url: string) {
  if (url.startsWith('/org/')) return FOR_ORGANIZATION;
  return url.startsWith('/docs') ? FOR_REFERENCE : FOR_DATA;
}
