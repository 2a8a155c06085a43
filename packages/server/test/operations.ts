import type { TestApp } from './app.ts';

/** An operation of the API, as /openapi.json lists it. */
export interface Operation {
  method: string;
  /** The path below base_url, with `{name}` for each parameter. */
  path: string;
  takesBody: boolean;
}

/** Returns all operations below base_url that accept a key, so none of those for signing in. */
export async function operationsOf({ app }: TestApp): Promise<Operation[]> {
  const { paths } = (await app.http.inject('/openapi.json')).json<{ paths: Record<string, object> }>();
  const below = Object.entries(paths).filter(([path]) => path.startsWith('/org/{org}/api/'));
  return below.flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: path.slice('/org/{org}'.length),
      takesBody: 'requestBody' in (operation as object),
    })),
  );
}

/** Replaces each parameter of the path with its `valueFor`. */
export const fill = (path: string, valueFor: (name: string) => string) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueFor(name));
