import type { Answer, TestApp } from './app.ts';
import { ORG } from './organization.ts';

/** Calls a service in another process, as `call` of a test app calls the service in this one. */
export function remote(url: string, firstKey: string): Pick<TestApp, 'call'> {
  return {
    call: async (method, path, body, { key = firstKey, headers = {}, org = ORG } = {}): Promise<Answer> => {
      const reply = await fetch(`${url}/org/${org}${path}`, {
        method,
        headers: {
          ...(key === null ? {} : { authorization: `Api-Key ${key}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await reply.text();
      const isJson = text !== '' && String(reply.headers.get('content-type')).includes('json');
      return {
        status: reply.status,
        headers: Object.fromEntries(reply.headers),
        body: isJson ? JSON.parse(text) : text,
      };
    },
  };
}
