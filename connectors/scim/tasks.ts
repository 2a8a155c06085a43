import {
  afterUndo,
  type Changes,
  type Grants,
  generatePassword,
  giverBelow,
  leavingBehind,
  reason,
  settled,
  type TaskAccount,
  type TaskContext,
  TaskError,
} from '@gatehouse/connector';
import {
  call,
  type Operation,
  quoted,
  type Resource,
  read,
  resources,
  type Scim,
  ScimError,
  send,
  text,
} from './client.ts';
import { hasMember, membersOf } from './members.ts';
import { groupsNamedBy, readDirect, rememberNamed } from './memberships.ts';
import { isUnsupported, patch } from './patch.ts';
import { isActive, isSameName } from './users.ts';

type Slugs = 'group' | 'entitlement';

export async function createUser(
  scim: Scim,
  account: TaskAccount,
  memberships: Grants<Slugs>,
  { isKnown = () => false, signal }: Partial<Pick<TaskContext, 'isKnown' | 'signal'>> = {},
) {
  const wanted = account.username || account.email;
  if (!wanted) throw new TaskError('INTERNAL_ERROR', 'the task names neither a username nor an email');
  const password = scim.deliverTo && (await keepsPasswords(scim)) ? generatePassword() : undefined;
  const { status, body } = await send(scim, 'POST', '/Users', userOf(account, password));
  const created = body as Resource | undefined;
  if (!text(created?.id)) throw new Error('the SCIM server returned no id for the new user');
  const { id, userName } = created as Resource;
  if (userName !== undefined && !isSameName(userName, wanted))
    throw new TaskError(
      'INTERNAL_ERROR',
      `the SCIM server returned the user ${userName} (${id}) for ${wanted}`,
    );
  if (isKnown(id) || isOld(created as Resource))
    throw new TaskError('ACCOUNT_ALREADY_EXISTS', `the user ${wanted} already exists with the id ${id}`);
  try {
    await settled(() => grant(scim, id, memberships), { isUnsettled, signal, seconds: scim.settle });
  } catch (error) {
    if (isUnsettled(error))
      throw new TaskError('INTERNAL_ERROR', `${reason(error)}; the user ${id} was created and stays`);
    if (status !== 201)
      throw leavingBehind(error, `the user ${id} stays, because the server returned ${status}, not 201`);
    throw await afterUndo(error, id, () => call(scim, 'DELETE', `/Users/${encodeURIComponent(id)}`));
  }
  return { id, ...(password ? { password } : {}) };
}

const userOf = ({ username, email, first_name, last_name }: TaskAccount, password?: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: username || email,
  active: true,
  ...(first_name || last_name
    ? { name: { givenName: first_name ?? undefined, familyName: last_name ?? undefined } }
    : {}),
  ...(email ? { emails: [{ value: email, type: 'work', primary: true }] } : {}),
  ...(password ? { password } : {}),
});

/** The server may not find a user everywhere who was just created. */
const isUnsettled = (error: unknown) => error instanceof ScimError && error.status === 404;

/** True if the user existed before this task. A day leaves room for wrong clocks and time zones. */
function isOld({ meta }: Resource): boolean {
  const created = Date.parse((meta as { created?: string } | undefined)?.created ?? '');
  return created < Date.now() - 24 * 60 * 60 * 1000;
}

export async function updateUser(
  scim: Scim,
  account: TaskAccount,
  { group, entitlement }: Changes<Slugs>,
): Promise<void> {
  const user = await read(scim, 'Users', account.id);
  if (user === null) throw new TaskError('ACCOUNT_NOT_FOUND', `no user has the id ${account.id}`);
  rememberNamed(scim, user, group?.removed ?? []);
  const names: Operation[] = [];
  if (account.first_name) names.push({ op: 'replace', path: 'name.givenName', value: account.first_name });
  if (account.last_name) names.push({ op: 'replace', path: 'name.familyName', value: account.last_name });
  if (names.length > 0) await patch(scim, 'Users', account.id, names);
  for (const { id } of group?.removed ?? []) {
    await removeMember(scim, id, account.id);
    await refuseGiven(scim, id, account.id);
  }
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
    if (error instanceof ScimError && (error.isHtml || saysNothing.includes(error.status))) return true;
    throw error;
  }
}

/** Statuses of a server that does not show what it supports, to anybody or to this token. */
const saysNothing = [400, 403, 404, 405, 406, 501];

/** Removes the user from its groups first, because not every server does. */
export async function deleteUser(scim: Scim, id: string): Promise<void> {
  if (!(await read(scim, 'Users', id))) throw new TaskError('ACCOUNT_NOT_FOUND', `no user has the id ${id}`);
  for await (const group of resources(scim, 'Groups')) {
    if (hasMember(group, id))
      await removeMember(scim, group.id, id).catch((error: unknown) => {
        // Somebody who is gone has no access through a group.
        if (!isUnsupported(error)) throw error;
      });
  }
  await call(scim, 'DELETE', `/Users/${encodeURIComponent(id)}`);
}

export async function setActive(scim: Scim, id: string, active: boolean): Promise<void> {
  await patch(scim, 'Users', id, [{ op: 'replace', path: 'active', value: active }]);
  const after = await read(scim, 'Users', id);
  if (after && isActive(after.active) !== active)
    throw new ScimError(
      500,
      `the SCIM server accepted the change, but the user ${id} is still ${active ? 'inactive' : 'active'}`,
    );
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
    if (!hasMember(found, user))
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
  return wanted.filter(({ value }) => !now || !hasEntitlement(now, value));
}

/** A group without `members` may have the user nevertheless. Then the user's `groups` show whether the removal worked, if the server has them. */
async function removeMember(scim: Scim, group: string, user: string): Promise<void> {
  const found = await read(scim, 'Groups', group);
  if (!found) return;
  if (membersOf(found) !== undefined) {
    if (!hasMember(found, user)) return;
    await removeValue(scim, 'Groups', group, 'members', user);
    const after = await read(scim, 'Groups', group);
    if (after && hasMember(after, user)) throw notCarriedOut('members');
    return;
  }
  const isIn = async () => groupsNamedBy((await read(scim, 'Users', user)) ?? { id: user })?.includes(group);
  if ((await isIn()) === false) return;
  try {
    await removeValue(scim, 'Groups', group, 'members', user);
  } catch (error) {
    if (!(error instanceof ScimError && error.scimType === 'noTarget')) throw error;
  }
  if (await isIn()) throw notCarriedOut('members');
}

/** A membership that a group in the group gives remains, and only the other membership can end it. */
async function refuseGiven(scim: Scim, group: string, user: string): Promise<void> {
  const giver = await giverBelow(group, user, (id) => readDirect(scim, id));
  if (giver !== undefined)
    throw new TaskError(
      'INTERNAL_ERROR',
      `the user ${user} is in the group ${group} through the group ${giver}; remove the user from that group instead`,
    );
}

/**
 * If a server rejects a value in the path (as `@better-auth/scim` does), replaces the whole list instead. That can undo a
 * concurrent grant, so it is the last resort.
 */
async function removeEntitlement(scim: Scim, user: string, value: string): Promise<void> {
  const found = await read(scim, 'Users', user);
  if (!found || !hasEntitlement(found, value)) return;
  try {
    await removeValue(scim, 'Users', user, 'entitlements', value);
    const after = await read(scim, 'Users', user);
    if (after && hasEntitlement(after, value)) throw notCarriedOut('entitlements');
  } catch (error) {
    if (!(error instanceof ScimError && error.scimType === 'invalidPath')) throw error;
    const others = (found.entitlements as { value?: string }[]).filter((each) => each.value !== value);
    await patch(scim, 'Users', user, [{ op: 'replace', path: 'entitlements', value: others }]);
  }
}

/** Removes a value by path (RFC 7644). Some servers accept the request and do nothing. */
const removeValue = (scim: Scim, type: 'Users' | 'Groups', id: string, path: string, value: string) =>
  patch(scim, type, id, [{ op: 'remove', path: `${path}[value eq ${quoted(value)}]` }]);

const notCarriedOut = (path: string) =>
  new ScimError(500, `the SCIM server accepted the removal from ${path} but did not carry it out`);

function hasEntitlement({ entitlements }: Resource, value: string): boolean {
  return (
    Array.isArray(entitlements) && entitlements.some((each) => (each as { value?: string }).value === value)
  );
}
