/** A person's browser, as far as the demo needs one: it keeps cookies and names the origin of its requests. */
export interface Browser {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body?: unknown): Promise<T>;
}

/** Opens a browser on the console of the organization at `url`. Its calls throw with the service's detail unless they succeed. */
export function openBrowser(url: string, signal: AbortSignal): Browser {
  const { origin } = new URL(url);
  const cookies = new Map<string, string>();
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        origin,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal,
    });
    for (const header of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
      cookies.set(name, value);
    }
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} failed with status ${response.status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };
  return { get: (path) => call('GET', path), post: (path, body) => call('POST', path, body) };
}
