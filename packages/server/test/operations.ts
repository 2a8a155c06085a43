import type { TestApp } from './app.ts';

/** One thing that the service can be asked to do, as /openapi.json names it. */
export interface Operation {
  method: string;
  /** Below base_url, with `{name}` for each parameter. */
  path: string;
  takesBody: boolean;
}

/** Every operation below base_url that takes a key: not those of signing in, which come before, or are for people. */
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

/** The path with `valueFor` in the place of each parameter. */
export const fill = (path: string, valueFor: (name: string) => string) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueFor(name));
