import { call, type Operation, type Resource, read, type Scim, ScimError } from './client.ts';

/** Changes a resource, with PUT if the server does not support PATCH (RFC 7644, 3.5). */
export async function patch(
  scim: Scim,
  type: 'Users' | 'Groups',
  id: string,
  operations: Operation[],
): Promise<void> {
  try {
    await call(scim, 'PATCH', `/${type}/${encodeURIComponent(id)}`, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: operations,
    });
  } catch (error) {
    if (!isUnsupported(error)) throw error;
    const now = await read(scim, type, id);
    if (now === null) throw error;
    await replace(scim, type, changed(now, type, operations, error), error);
  }
}

/** Whether the server has no such method. A page of HTML with 404 is from a framework, which knows no route for it. */
export const isUnsupported = (error: unknown): error is ScimError =>
  error instanceof ScimError &&
  (error.status === 405 || error.status === 501 || (error.status === 404 && error.isHtml));

/** Replaces a resource. Its version protects changes that somebody else makes at the same time, if the server has versions. */
async function replace(
  scim: Scim,
  type: 'Users' | 'Groups',
  { meta, ...resource }: Resource,
  because: ScimError,
): Promise<void> {
  const path = `/${type}/${encodeURIComponent(resource.id)}`;
  const { version } = (meta ?? {}) as { version?: unknown };
  const headers = typeof version === 'string' ? { 'if-match': version } : {};
  // The server itself keeps the groups of a user, and meta.
  await call(scim, 'PUT', path, { ...resource, groups: undefined }, headers).catch((error: unknown) => {
    if (!isUnsupported(error)) throw error;
    throw unsupported(because, `nor PUT (${error.status})`, path);
  });
}

const unsupported = ({ status, path }: ScimError, other: string, of = path) =>
  new ScimError(501, `the SCIM server supports neither PATCH (${status}) ${other} for ${of}`, { path: of });

/** Returns a resource after operations of a PATCH. Throws if the resource does not show what a PUT would replace. */
function changed(
  now: Resource,
  type: 'Users' | 'Groups',
  operations: Operation[],
  because: ScimError,
): Resource {
  if (type === 'Groups' && !Array.isArray(now.members))
    throw unsupported(because, 'nor lists the members of the group, which a PUT would remove,');
  const after: Resource = structuredClone(now);
  for (const { op, path, value } of operations) {
    const [, name = '', part, chosen] = /^(\w+)(?:\.(\w+))?(?:\[value eq (".*")\])?$/.exec(path) ?? [];
    const list = Array.isArray(after[name]) ? (after[name] as { value?: string }[]) : [];
    if (chosen !== undefined) after[name] = list.filter((each) => each.value !== JSON.parse(chosen));
    else if (part !== undefined) after[name] = { ...(after[name] as object | undefined), [part]: value };
    else after[name] = op === 'add' ? [...list, ...(value as object[])] : value;
  }
  return after;
}
