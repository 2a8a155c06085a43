import { Agent, request } from 'node:http';

export interface Reply {
  status: number;
  text: string;
  /** Seconds until the request may be sent again. */
  wait: number;
}

/** Sends requests as one organization, over as many connections as there are requests. A text is sent as it is, anything else as JSON. */
export interface Caller {
  /** The base_url of the organization. */
  base: string;
  key: string;
  exchange(method: string, path: string, body?: unknown, type?: string): Promise<Reply>;
  /** Returns the body. Throws for every status except 2xx. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
}

const agent = new Agent({ keepAlive: true });

/** `base` is the base_url of the organization. */
export function callerOf(base: string, key: string): Caller {
  const exchange = (method: string, path: string, body?: unknown, type = 'application/json') =>
    new Promise<Reply>((resolve, reject) => {
      const text = body === undefined || typeof body === 'string' ? (body ?? '') : JSON.stringify(body);
      const headers = {
        authorization: `Api-Key ${key}`,
        ...(body === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(text) }),
      };
      request(base + path, { agent, method, headers })
        .on('response', (reply) => {
          const pieces: Buffer[] = [];
          reply
            .on('data', (piece: Buffer) => pieces.push(piece))
            .on('end', () =>
              resolve({
                status: reply.statusCode ?? 0,
                text: Buffer.concat(pieces).toString(),
                wait: Number(reply.headers['retry-after'] ?? 1),
              }),
            );
        })
        .on('error', reject)
        .end(text);
    });
  return {
    base,
    key,
    exchange,
    call: async <T>(method: string, path: string, body?: unknown) => {
      const { status, text } = await exchange(method, path, body);
      if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
      return (text === '' ? undefined : JSON.parse(text)) as T;
    },
  };
}
