import { withoutReferences } from '#kit/http/components.ts';
import type { TestApp } from './app.ts';

/** An operation of the API, as /openapi.json lists it. */
export interface Operation {
  method: string;
  /** The path below base_url, with `{name}` for each parameter. */
  path: string;
  takesBody: boolean;
  /** Whether only a signed-in person may call it, and no API key. */
  needsSession: boolean;
  /** Whether it changes something with a version. */
  takesVersion: boolean;
  /** The names of query parameters that are ids. */
  idFilters: string[];
}

interface Declared {
  requestBody?: object;
  parameters?: { name: string; in: string; schema: { format?: string } }[];
  security?: object[];
}

/** Returns all operations below base_url, except those for signing in. */
export async function operationsOf({ app }: TestApp): Promise<Operation[]> {
  const document = withoutReferences((await app.http.inject('/openapi.json')).json());
  const { paths } = document as { paths: Record<string, Record<string, Declared>> };
  const below = Object.entries(paths).filter(([path]) => path.startsWith('/org/{org}/api/'));
  return below.flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: path.slice('/org/{org}'.length),
      takesBody: operation.requestBody !== undefined,
      needsSession: !acceptsKey(operation),
      takesVersion: operation.parameters?.some(({ name }) => name === 'If-Match') ?? false,
      idFilters: (operation.parameters ?? [])
        .filter((one) => one.in === 'query' && one.schema.format === 'uuid')
        .map(({ name }) => name),
    })),
  );
}

/** Replaces each parameter of the path with its `valueFor`. */
export const fill = (path: string, valueFor: (name: string) => string) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueFor(name));

/** Without `security`, an operation has the default: it accepts a key or a session. */
const acceptsKey = ({ security }: Declared) =>
  security === undefined || security.some((way) => 'apiKey' in way);
