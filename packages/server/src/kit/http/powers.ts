import type { RouteOptions } from 'fastify';

/** Words in the addresses of what people and programs sign in with. */
const CREDENTIALS =
  /\/(api-keys|sign-in-link|sign-in-providers|second-factor|passkeys|provider-links|password|totp)\//;
/** Fields of a body that decide who may do what, who receives a person's sign-in links, or where events go from now on. */
const DECIDING = ['role', 'email', 'password', 'second_factor_roles', 'passkey_roles', 'url'];
/** Fields of a response that let their reader act as somebody, or verify what Gatehouse signs. */
const SECRET = ['key', 'secret', 'backup_codes'];

/**
 * Returns why a route could give its caller power that outlasts a session: it changes credentials or roles, or it shows a
 * secret. Returns undefined if it cannot.
 */
export function powerOf({
  method,
  url,
  schema,
}: Pick<RouteOptions, 'method' | 'url' | 'schema'>): string | undefined {
  if ([method].flat().every((one) => ['GET', 'HEAD', 'OPTIONS'].includes(one))) return undefined;
  const [word] = CREDENTIALS.exec(url) ?? [];
  if (word !== undefined) return `its address contains ${word}`;
  const taken = DECIDING.find((field) => fieldsOf(schema?.body).includes(field));
  if (taken !== undefined) return `its body has ${taken}`;
  const responses = Object.values((schema?.response ?? {}) as Record<string, unknown>);
  const shown = SECRET.find((field) => responses.some((response) => fieldsOf(response).includes(field)));
  return shown === undefined ? undefined : `its response has ${shown}`;
}

/** The names of the fields of a schema, at any depth. */
function fieldsOf(schema: unknown): string[] {
  if (schema === null || typeof schema !== 'object') return [];
  if (Array.isArray(schema)) return schema.flatMap(fieldsOf);
  const { properties = {}, items, anyOf, oneOf, allOf } = schema as Record<string, object | undefined>;
  const inner = [...Object.values(properties), items, anyOf, oneOf, allOf].flatMap(fieldsOf);
  return [...Object.keys(properties), ...inner];
}
