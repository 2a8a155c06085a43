import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { causeSentence, networkCause } from './network-cause.ts';
import { type OutboundProxy, portOf, withoutBrackets } from './outbound-proxy.ts';

/** A tunnel that could not be made, so nothing was sent to the host. The message is one or two sentences. */
export class ProxyError extends Error {
  /** `ERR_PROXY_REFUSED` if another attempt gets the same reply. */
  readonly code: 'ERR_PROXY_REFUSED' | 'ERR_PROXY_FAILED';
  constructor(message: string, code: ProxyError['code']) {
    super(message);
    this.code = code;
  }
}

/** Has the message of the error at the other end. Only the gateway of managed connectors sends it. */
export const REASON_HEADER = 'gatehouse-reason';

const CONNECT_MS = 10_000;

/** Opens a connection to the host through the proxy (RFC 9110, 9.3.6). Throws ProxyError. */
export function openTunnel(
  { url, authorization }: OutboundProxy,
  host: string,
  port: number,
  signal?: AbortSignal,
): Promise<Socket> {
  const bare = withoutBrackets(host);
  const proxyHost = withoutBrackets(url.hostname);
  const target = `${bare.includes(':') ? `[${bare}]` : bare}:${port}`;
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)({
      host: proxyHost,
      port: portOf(url),
      // Node.js would check the certificate of the proxy for the name in the Host header.
      servername: isIP(proxyHost) === 0 ? proxyHost : '',
      method: 'CONNECT',
      path: target,
      headers: {
        host: target,
        ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }),
      },
      agent: false,
      timeout: CONNECT_MS,
      ...(signal === undefined ? {} : { signal }),
    });
    request.once('connect', (response: IncomingMessage, socket: Socket, head: Buffer) => {
      const { statusCode = 0 } = response;
      if (statusCode >= 200 && statusCode < 300) {
        socket.setTimeout(0);
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
        return;
      }
      socket.on('error', () => undefined).destroy();
      reject(refusal(response, target, authorization !== undefined));
    });
    request.once('timeout', () =>
      request.destroy(Object.assign(new Error('no reply'), { code: 'ETIMEDOUT' })),
    );
    request.once('error', (error) => reject(error.name === 'AbortError' ? error : unusable(error)));
    request.end();
  });
}

const PROXY = 'the proxy in GATEHOUSE_PROXY';

function unusable(error: Error): ProxyError {
  const cause = networkCause(error, PROXY) ?? {
    kind: 'closed' as const,
    what: `${PROXY} could not be used (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`,
    advice: 'Check its address',
  };
  return new ProxyError(
    causeSentence(
      /^the name /.test(cause.what)
        ? { ...cause, what: `the name of ${PROXY} could not be resolved` }
        : cause,
    ),
    'ERR_PROXY_FAILED',
  );
}

/** Returns the error of a proxy that made no tunnel. Its own words stay out, except for those of our gateway. */
function refusal(response: IncomingMessage, target: string, hasCredentials: boolean): ProxyError {
  const { statusCode: status = 0, headers } = response;
  const reason = headers[REASON_HEADER];
  if (typeof reason === 'string')
    return new ProxyError(readReason(reason), status >= 500 ? 'ERR_PROXY_FAILED' : 'ERR_PROXY_REFUSED');
  // tinyproxy replies 401 to a wrong password.
  if (status === 407 || status === 401)
    return new ProxyError(
      hasCredentials
        ? `The proxy in GATEHOUSE_PROXY rejected the user and the password (${status}). Correct them in GATEHOUSE_PROXY.`
        : `The proxy in GATEHOUSE_PROXY demands a user and a password (${status}). Add them to GATEHOUSE_PROXY.`,
      'ERR_PROXY_REFUSED',
    );
  return status >= 500 || status === 404
    ? new ProxyError(
        `The proxy in GATEHOUSE_PROXY could not reach ${target} (${status}). Check the address, or list the host in GATEHOUSE_NO_PROXY if this machine reaches it directly.`,
        'ERR_PROXY_FAILED',
      )
    : new ProxyError(
        `The proxy in GATEHOUSE_PROXY refused a connection to ${target} (${status}). Allow it on the proxy, or list the host in GATEHOUSE_NO_PROXY.`,
        'ERR_PROXY_REFUSED',
      );
}

const LONGEST_REASON = 1000;

/** Returns the reason for a header, which holds ASCII only. */
export const writeReason = (reason: string): string => encodeURIComponent(reason.slice(0, LONGEST_REASON));

function readReason(text: string): string {
  try {
    return decodeURIComponent(text).slice(0, LONGEST_REASON);
  } catch {
    return 'The proxy refused the connection.';
  }
}
