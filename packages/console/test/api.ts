// biome-ignore lint/suspicious/noExplicitAny: each test asserts what it expects of a body.
type Body = any;

/** The public API under base_url, for a signed-in person or an API key. Throws the response text unless the status is 2xx. */
export interface Api {
  get(path: string): Promise<Body>;
  post(path: string, body?: unknown): Promise<Body>;
  put(path: string, body: unknown): Promise<Body>;
  patch(path: string, body: unknown): Promise<Body>;
  delete(path: string): Promise<Body>;
  postCsv(path: string, csv: string): Promise<Body>;
  postFile(path: string, content: string): Promise<Body>;
}

export const apiWithKey = (base: string, key: string): Api =>
  apiWith(base, { authorization: `Api-Key ${key}` });

/** Signs in as a browser does, and uses the session cookie. */
export async function apiSignedIn(base: string, email: string, password: string): Promise<Api> {
  const { origin } = new URL(base);
  const response = await fetch(`${base}/auth/sign-in/`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  if (!response.ok) throw new Error(`${email} cannot sign in: ${response.status} ${await response.text()}`);
  const cookie = response.headers
    .getSetCookie()
    .map((header) => header.split(';')[0])
    .join('; ');
  return apiWith(base, { origin, cookie });
}

function apiWith(base: string, headers: Record<string, string>): Api {
  async function call(method: string, path: string, type?: string, body?: string): Promise<Body> {
    const response = await fetch(base + path, {
      method,
      headers: { ...headers, ...(type === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }
  const send = (method: string) => (path: string, body?: unknown) =>
    body === undefined ? call(method, path) : call(method, path, 'application/json', JSON.stringify(body));
  return {
    get: (path) => call('GET', path),
    post: send('POST'),
    put: send('PUT'),
    patch: send('PATCH'),
    delete: (path) => call('DELETE', path),
    postCsv: (path, csv) => call('POST', path, 'text/csv', csv),
    postFile: (path, content) => call('POST', path, 'application/octet-stream', content),
  };
}

/** Below the time limits of tests and hooks, so that the message names what did not happen. */
const PATIENCE_MS = 50_000;

/** Repeats a read until the condition holds. */
export async function until<T>(read: () => Promise<T>, holds: (seen: T) => boolean): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const seen = await read();
    if (holds(seen)) return seen;
    if (performance.now() > end)
      throw new Error(`${read} never satisfied ${holds}. It last returned ${JSON.stringify(seen)}`);
    await new Promise((wake) => setTimeout(wake, 50));
  }
}
