import { ask, base } from './base.ts';

/** The sign-in API, below base_url and beside /api/. A failure is an ApiError. */
export async function auth<T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<T> {
  const response = await ask(
    new Request(`${base}/auth/${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    }),
  );
  return response.status === 204 ? (undefined as T) : ((await response.json()) as T);
}
