import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { agentFor, isProxied } from '@gatehouse/connector';
import type { AddressRule } from './address-rule.ts';
import type { Method } from './compiled.ts';

export type Outgoing = { method: Method; url: URL; headers: Record<string, string>; content?: string };
export type Incoming = { status: number; headers: IncomingHttpHeaders; text: string };
export type Bounds = {
  /** Milliseconds until the response must be complete. */
  timeout: number;
  bytes: number;
  addresses: AddressRule;
  signal: AbortSignal;
};

/** The response exceeded one of the definition's `limits`. Sending again does not help. */
export class LimitError extends Error {}

/** Makes one request and reads the response, within bounds of time and size. Follows no redirects. */
export async function exchange(
  { method, url, headers, content }: Outgoing,
  bounds: Bounds,
): Promise<Incoming> {
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new Error(`the address must begin with https:// or http://`);
  bounds.addresses.check(url);
  // The proxy resolves the name again, without this rule.
  if (isProxied(url)) await bounds.addresses.checkName(url);
  const deadline = AbortSignal.timeout(bounds.timeout);
  const isSecure = url.protocol === 'https:';
  const length = method === 'GET' ? {} : { 'content-length': String(Buffer.byteLength(content ?? '')) };
  try {
    return await new Promise<Incoming>((resolve, reject) => {
      const request = (isSecure ? httpsRequest : httpRequest)(url, {
        method,
        headers: { ...headers, ...length },
        agent: agentFor(url),
        signal: AbortSignal.any([bounds.signal, deadline]),
        ...(bounds.addresses.lookup ? { lookup: bounds.addresses.lookup } : {}),
      });
      request.once('error', reject);
      request.once('response', (response) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          chunks.push(chunk);
          if (bytes <= bounds.bytes) return;
          reject(
            new LimitError(`the response is larger than ${bounds.bytes / 1_000_000} MB (limits.response_mb)`),
          );
          request.destroy();
        });
        response.once('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        });
        response.once('error', reject);
        response.once('close', () => reject(new Error('the connection broke in the middle of the response')));
      });
      request.end(content);
    });
  } catch (error) {
    bounds.signal.throwIfAborted();
    if (!deadline.aborted) throw error;
    const slow = new LimitError(`no complete response within ${bounds.timeout / 1000} s (limits.timeout)`);
    throw Object.assign(slow, { name: 'TimeoutError' });
  }
}
