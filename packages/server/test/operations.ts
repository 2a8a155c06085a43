import type { TestApp } from './app.ts';

/** An operation of the API, as /openapi.json lists it. */
export interface Operation {
  method: string;
  /** The path below base_url, with `{name}` for each parameter. */
  path: string;
  takesBody: boolean;
  /** Whether only a signed-in person may call it, and no API key. */
  needsSession: boolean;
}

/** Returns all operations below base_url, except those for signing in. */
export async function operationsOf({ app }: TestApp): Promise<Operation[]> {
  const { paths } = (await app.http.inject('/openapi.json')).json<{ paths: Record<string, object> }>();
  const below = Object.entries(paths).filter(([path]) => path.startsWith('/org/{org}/api/'));
  return below.flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: path.slice('/org/{org}'.length),
      takesBody: 'requestBody' in (operation as object),
      needsSession: !acceptsKey(operation),
    })),
  );
}

/** Replaces each parameter of the path with its `valueFor`. */
export const fill = (path: string, valueFor: (name: string) => string) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueFor(name));

/** Without `security`, an operation has the default: it accepts a key or a session. */
const acceptsKey = ({ security }: { security?: object[] }) =>
  security === undefined || security.some((way) => 'apiKey' in way);
