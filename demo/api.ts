import { createService, silent } from '@gatehouse/connector';

/** The calls that an administrator makes, with JSON or CSV bodies. */
export interface Api {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body?: unknown): Promise<T>;
  patch<T>(path: string, body: unknown): Promise<T>;
  delete(path: string): Promise<void>;
  postCsv<T>(path: string, csv: string): Promise<T>;
}

/** Returns a client for the organization at `url`. Throws with the service's detail for every status but 2xx. */
export function createApi(url: string, key: string, signal: AbortSignal): Api {
  const { http } = createService({ url, key, log: silent, signal });
  const call = async <T>(...request: Parameters<typeof http>) => (await http(...request)).body as T;
  return {
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, { body, repeatable: false }),
    patch: (path, body) => call('PATCH', path, { body, repeatable: false }),
    delete: (path) => call('DELETE', path, { repeatable: false }),
    postCsv: (path, body) => call('POST', path, { body, contentType: 'text/csv', repeatable: false }),
  };
}
