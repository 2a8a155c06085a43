// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body, and fails if that is not so.
type Body = any;

/** The public API below base_url, as somebody or with a key. Throws the service's own sentence for all but 2xx. */
export interface Api {
  get(path: string): Promise<Body>;
  post(path: string, body?: unknown): Promise<Body>;
  put(path: string, body: unknown): Promise<Body>;
  patch(path: string, body: unknown): Promise<Body>;
  delete(path: string): Promise<Body>;
  postCsv(path: string, csv: string): Promise<Body>;
}

export const apiWithKey = (base: string, key: string): Api =>
  apiWith(base, { authorization: `Api-Key ${key}` });

/** Signs in as a browser does, and goes on with its cookie. */
export async function apiSignedIn(base: string, email: string, password: string): Promise<Api> {
  const { origin } = new URL(base);
  const answer = await fetch(`${base}/auth/sign-in/`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  if (!answer.ok) throw new Error(`${email} cannot sign in: ${answer.status} ${await answer.text()}`);
  const cookie = answer.headers
    .getSetCookie()
    .map((header) => header.split(';')[0])
    .join('; ');
  return apiWith(base, { origin, cookie });
}

function apiWith(base: string, headers: Record<string, string>): Api {
  async function call(method: string, path: string, type?: string, body?: string): Promise<Body> {
    const answer = await fetch(base + path, {
      method,
      headers: { ...headers, ...(type === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
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
  };
}

/** Asks again until it holds; a test's own time limit is what ends it otherwise. */
export async function until<T>(look: () => Promise<T>, holds: (seen: T) => boolean): Promise<T> {
  for (;;) {
    const seen = await look();
    if (holds(seen)) return seen;
    await new Promise((wake) => setTimeout(wake, 50));
  }
}
