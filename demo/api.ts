/** The requests that an administrator makes, in place of the console. */
export interface Api {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body?: unknown): Promise<T>;
  patch<T>(path: string, body: unknown): Promise<T>;
  postCsv<T>(path: string, csv: string): Promise<T>;
}

/** Returns a client that throws an Error with the response body for every status except 2xx. */
export function createApi(url: string, key: string, signal: AbortSignal): Api {
  async function call<T>(method: string, path: string, type?: string, body?: string): Promise<T> {
    const response = await fetch(url.replace(/\/$/, '') + path, {
      method,
      signal,
      headers: { authorization: `Api-Key ${key}`, ...(type === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
  const json = 'application/json';
  return {
    get: (path) => call('GET', path),
    post: (path, body) =>
      body === undefined ? call('POST', path) : call('POST', path, json, JSON.stringify(body)),
    patch: (path, body) => call('PATCH', path, json, JSON.stringify(body)),
    postCsv: (path, csv) => call('POST', path, 'text/csv', csv),
  };
}
