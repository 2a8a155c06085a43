/** Calls the service beside the connector: what an administrator does in a console, said in requests. */
export interface Api {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body?: unknown): Promise<T>;
  patch<T>(path: string, body: unknown): Promise<T>;
  postCsv<T>(path: string, csv: string): Promise<T>;
}

/** Throws an Error with the service's own sentence for every answer but 2xx. */
export function createApi(url: string, key: string, signal: AbortSignal): Api {
  async function call<T>(method: string, path: string, type?: string, body?: string): Promise<T> {
    const answer = await fetch(url.replace(/\/$/, '') + path, {
      method,
      signal,
      headers: { authorization: `Api-Key ${key}`, ...(type === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
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
