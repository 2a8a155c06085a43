import {
  type Changes,
  type Grants,
  generatePassword,
  type TaskAccount,
  TaskError,
} from '@gatehouse/connector';
import {
  call,
  type Operation,
  patch,
  quoted,
  type Resource,
  read,
  resources,
  type Scim,
  ScimError,
} from './client.ts';

type Slugs = 'group' | 'entitlement';

export async function createUser(scim: Scim, account: TaskAccount, memberships: Grants<Slugs>) {
  const { username, email, first_name, last_name } = account;
  const password = scim.deliverTo && (await keepsPasswords(scim)) ? generatePassword() : undefined;
  const created = (await call(scim, 'POST', '/Users', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: username || email,
    active: true,
    ...(first_name || last_name
      ? { name: { givenName: first_name ?? undefined, familyName: last_name ?? undefined } }
      : {}),
    ...(email ? { emails: [{ value: email, type: 'work', primary: true }] } : {}),
    ...(password ? { password } : {}),
  })) as Resource;
  try {
    await grant(scim, created.id, memberships);
  } catch (error) {
    await call(scim, 'DELETE', `/Users/${encodeURIComponent(created.id)}`);
    throw error;
  }
  return { id: created.id, ...(password ? { password } : {}) };
}

export async function updateUser(
  scim: Scim,
  account: TaskAccount,
  { group, entitlement }: Changes<Slugs>,
): Promise<void> {
  if (!(await read(scim, 'Users', account.id)))
    throw new TaskError('ACCOUNT_NOT_FOUND', `no user has the id ${account.id}`);
  const names: Operation[] = [];
  if (account.first_name) names.push({ op: 'replace', path: 'name.givenName', value: account.first_name });
  if (account.last_name) names.push({ op: 'replace', path: 'name.familyName', value: account.last_name });
  if (names.length > 0) await patch(scim, 'Users', account.id, names);
  for (const { id } of group?.removed ?? []) await removeMember(scim, id, account.id);
  for (const { id } of entitlement?.removed ?? []) await removeEntitlement(scim, account.id, id);
  await grant(scim, account.id, { group: group?.added ?? [], entitlement: entitlement?.added ?? [] });
}

/**
 * A server without passwords may ignore one silently, and a person would receive a password that does not work. The
 * connector sends none if the server declares that it does not change passwords (RFC 7643, 5).
 */
async function keepsPasswords(scim: Scim): Promise<boolean> {
  try {
    const said = (await call(scim, 'GET', '/ServiceProviderConfig')) as {
      changePassword?: { supported?: boolean };
    };
    return said?.changePassword?.supported !== false;
  } catch (error) {
    if (error instanceof ScimError && error.status === 404) return true;
    throw error;
  }
}

/** Removes the user from its groups first, because not every server does. */
export async function deleteUser(scim: Scim, id: string): Promise<void> {
  if (!(await read(scim, 'Users', id))) throw new TaskError('ACCOUNT_NOT_FOUND', `no user has the id ${id}`);
  for await (const group of resources(scim, 'Groups')) {
    if (hasValue(group, 'members', id)) await removeMember(scim, group.id, id);
  }
  await call(scim, 'DELETE', `/Users/${encodeURIComponent(id)}`);
}

export async function setActive(scim: Scim, id: string, active: boolean): Promise<void> {
  await patch(scim, 'Users', id, [{ op: 'replace', path: 'active', value: active }]);
}

export async function resetPassword(scim: Scim, id: string): Promise<{ password: string }> {
  if (!scim.deliverTo)
    throw new TaskError('INTERNAL_ERROR', 'set deliverTo: no program is configured to receive new passwords');
  const password = generatePassword();
  await patch(scim, 'Users', id, [{ op: 'replace', path: 'password', value: password }]);
  return { password };
}

async function grant(
  scim: Scim,
  user: string,
  { group = [], entitlement = [] }: Grants<Slugs>,
): Promise<void> {
  for (const { id } of group) {
    const found = await read(scim, 'Groups', id);
    if (!found) throw new TaskError('INTERNAL_ERROR', `no group has the id ${id}`);
    if (!hasValue(found, 'members', user))
      await patch(scim, 'Groups', id, [{ op: 'add', path: 'members', value: [{ value: user }] }]);
  }
  if (entitlement.length === 0) return;
  const value = entitlement.map(({ id, name }) => ({ value: id, display: name ?? id }));
  const missing = await lacking(scim, user, value);
  if (missing.length > 0)
    await patch(scim, 'Users', user, [{ op: 'add', path: 'entitlements', value: missing }]);
}

async function lacking(scim: Scim, user: string, wanted: { value: string; display: string }[]) {
  const now = await read(scim, 'Users', user);
  return wanted.filter(({ value }) => !now || !hasValue(now, 'entitlements', value));
}

async function removeMember(scim: Scim, group: string, user: string): Promise<void> {
  const found = await read(scim, 'Groups', group);
  if (!found || !hasValue(found, 'members', user)) return;
  await remove(scim, 'Groups', group, 'members', user);
}

/**
 * If a server rejects a value in the path (as `@better-auth/scim` does), replaces the whole list instead. That can undo a
 * concurrent grant, so it is the last resort.
 */
async function removeEntitlement(scim: Scim, user: string, value: string): Promise<void> {
  const found = await read(scim, 'Users', user);
  if (!found || !hasValue(found, 'entitlements', value)) return;
  try {
    await remove(scim, 'Users', user, 'entitlements', value);
  } catch (error) {
    if (!(error instanceof ScimError && error.scimType === 'invalidPath')) throw error;
    const others = (found.entitlements as { value?: string }[]).filter((each) => each.value !== value);
    await patch(scim, 'Users', user, [{ op: 'replace', path: 'entitlements', value: others }]);
  }
}

/** Removes a value by path (RFC 7644) and verifies the result, because some servers accept the request and do nothing. */
async function remove(
  scim: Scim,
  type: 'Users' | 'Groups',
  id: string,
  path: string,
  value: string,
): Promise<void> {
  await patch(scim, type, id, [{ op: 'remove', path: `${path}[value eq ${quoted(value)}]` }]);
  const after = await read(scim, type, id);
  if (after && hasValue(after, path, value))
    throw new ScimError(500, `the SCIM server accepted the removal from ${path} but did not carry it out`);
}

function hasValue(resource: Resource, name: string, value: string): boolean {
  const list = resource[name];
  return Array.isArray(list) && list.some((each) => (each as { value?: string }).value === value);
}
