import { createHash, randomUUIDv7 } from 'node:crypto';
import { findOrganization } from '../access/organization.ts';
import type { RequestCause } from '../identity/cause.ts';
import type { Principal } from '../identity/principal.ts';
import {
  type DirectoryWrite,
  findSource,
  type PersonSource,
  writeFromDirectory,
} from '../people/directory.ts';
import { deletePerson, type PeopleHook } from '../people/people.ts';
import { draftChange, draftNew, type Profile, type ProfileChange } from '../people/person.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { DomainError, notFound } from '../platform/errors.ts';
import { isUuid } from '../platform/ids.ts';
import { bad, changedMeanwhile, taken } from './errors.ts';
import { applyPatch, readPatch } from './patch.ts';
import * as queries from './queries.ts';
import { CORE_ATTRIBUTES, ENTERPRISE_ATTRIBUTES, EXTRA_LISTS, type UserRow } from './queries.ts';
import { type Element, isObject, type Resource, readResource } from './resource.ts';
import { ENTERPRISE, USER, User } from './schema.ts';

/** Who calls and with what: the same for every SCIM operation. */
export interface Call {
  db: Db;
  principal: Principal;
  cause: RequestCause;
  hooks: readonly PeopleHook[];
  /** The address of the service provider, `.../scim/v2`. */
  base: string;
  /** The versions in If-Match. Null: any. */
  ifMatch: string[] | null;
}

const NAMES = ['formatted', 'middleName', 'honorificPrefix', 'honorificSuffix'];

/** Returns a person as a SCIM user. */
export function userResource(row: UserRow, base: string): Resource {
  const { extra } = row;
  const names = isObject(extra.name) ? extra.name : {};
  const full = `${row.first_name} ${row.last_name}`.trim();
  const name = withoutEmpty({
    ...names,
    formatted: names.formatted ?? full,
    familyName: row.last_name,
    givenName: row.first_name,
  });
  const attributes = (list: readonly string[]) =>
    withoutEmpty(Object.fromEntries(list.map((one) => [one, textOf(row.attributes[one])])));
  const enterprise: Resource = attributes(ENTERPRISE_ATTRIBUTES);
  if (row.manager !== null)
    enterprise.manager = {
      value: row.manager,
      $ref: `${base}/Users/${row.manager}`,
      displayName: row.manager_name ?? '',
    };
  const hasEnterprise = Object.keys(enterprise).length > 0;
  const others = Array.isArray(extra.emails) ? (extra.emails as Element[]) : [];
  const resource: Resource = {
    schemas: hasEnterprise ? [USER, ENTERPRISE] : [USER],
    id: row.id,
    ...(row.external_id === null ? {} : { externalId: row.external_id }),
    userName: row.username,
    ...(Object.keys(name).length === 0 ? {} : { name }),
    ...attributes(CORE_ATTRIBUTES),
    active: row.status === 'active',
    emails: [
      { value: row.email, type: 'work', primary: !others.some(({ primary }) => primary === true) },
      ...others,
    ],
    ...Object.fromEntries(
      EXTRA_LISTS.flatMap((list) => (extra[list] === undefined ? [] : [[list, extra[list]]])),
    ),
    ...(hasEnterprise ? { [ENTERPRISE]: enterprise } : {}),
  };
  const groups = row.groups.map(({ value, display }) => ({
    value,
    $ref: `${base}/Groups/${value}`,
    display,
    type: 'direct',
  }));
  return {
    ...resource,
    ...(groups.length === 0 ? {} : { groups }),
    meta: {
      resourceType: 'User',
      created: row.created_at.toISOString(),
      lastModified: row.changed_at.toISOString(),
      location: `${base}/Users/${row.id}`,
      version: versionOf(row),
    },
  };
}

/** The ETag of a user. Groups are other resources, so their changes do not count. */
function versionOf({
  groups: _,
  manager_name: __,
  changed_at: ___,
  role: ____,
  owned: _____,
  merged_into: ______,
  ...row
}: UserRow) {
  return `W/"${createHash('sha256').update(JSON.stringify(row)).digest('base64url').slice(0, 22)}"`;
}

const withoutEmpty = (object: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined && value !== ''));

/** Attributes that other clients wrote may have any type. SCIM shows those that are text, numbers or booleans. */
const textOf = (value: unknown) =>
  ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;

export async function getUser({ db, principal, base }: Call, id: string): Promise<Resource> {
  return userResource(await existing(db, principal.orgId, id), base);
}

/**
 * Creates a user. A person with the same email comes back if the client deleted them, and is adopted if no provider manages
 * them yet. Nobody else comes back: a username may go to another person. Throws 409 `uniqueness`, with the address of the existing user, for any other person with the same email,
 * username or externalId.
 */
export async function createUser(call: Call, body: unknown): Promise<Resource> {
  const named = new Set<string>();
  const resource = readResource(User, body, named);
  const { orgId } = call.principal;
  const id = await writeFromDirectory(call.db, call.principal, call.cause, call.hooks, async (tx) => {
    const username = userNameOf(resource);
    const email = workEmailOf(resource).value as string;
    const externalId = externalIdOf(resource);
    const alike = await queries.findAlike(tx, orgId, { email, username, externalId });
    const mine = alike.find(
      (one) => one.same_email && one.merged_into === null && (one.deleted || one.owned === null),
    );
    const other = alike.find((one) => one !== mine && isInTheWay(one));
    if (other !== undefined) throw alreadyExists(call, other);
    if (mine === undefined) {
      const change = changeOf(resource, named, undefined);
      return {
        draft: draftNew(randomUUIDv7(), email, change),
        source: sourceOf(resource, named, undefined),
        reason: null,
      };
    }
    named.add('active');
    return write({ ...resource, active: resource.active ?? true }, named, mine);
  });
  return getUser(call, id);
}

/** Replaces what the client may write of a user. Owned attributes that the body lacks are cleared. */
export async function replaceUser(call: Call, id: string, body: unknown): Promise<Resource> {
  const named = new Set<string>();
  const resource = readResource(User, body, named);
  await change(call, id, (row) => {
    for (const field of row.owned ?? []) named.add(attributeOf(field));
    if (resource.active === undefined) named.delete('active');
    userNameOf(resource);
    workEmailOf(resource);
    return { resource, named };
  });
  return getUser(call, id);
}

/** Applies a PATCH (RFC 7644, 3.5.2). */
export async function patchUser(call: Call, id: string, body: unknown): Promise<Resource> {
  const operations = readPatch(body);
  await change(call, id, (row) => {
    const named = new Set<string>();
    const resource = structuredClone(userResource(row, call.base));
    applyPatch(User, resource, operations, named);
    return { resource, named };
  });
  return getUser(call, id);
}

/**
 * Deletes a user for the client: deactivates the person, or deletes them for good if the organization says so and no
 * history names them. For SCIM they no longer exist.
 */
export async function deleteUser(call: Call, id: string): Promise<void> {
  const { db, principal, cause, hooks } = call;
  const { orgId } = principal;
  await writeFromDirectory(db, principal, cause, hooks, async (tx) => {
    const row = await existing(tx, orgId, id);
    requireVersion(call, versionOf(row));
    const source = await findSource(tx, orgId, id);
    return {
      draft: draftChange(profileOf(row), { status: 'deactivated' }),
      source: {
        external_id: null,
        owned: source?.owned ?? [],
        extra: source?.extra ?? {},
        deleted: true,
      },
      reason: 'Deleted by the identity provider',
    };
  });
  const { scim_deletes: forGood } = await findOrganization(db, orgId);
  if (!forGood) return;
  await deletePerson(db, principal, cause, hooks, id).catch((error: unknown) => {
    const isKept = error instanceof DomainError && (error.code === 'conflict' || error.code === 'not_found');
    if (!isKept) throw error;
  });
}

interface Wanted {
  resource: Resource;
  named: Set<string>;
}

async function change(call: Call, id: string, decide: (row: UserRow) => Wanted): Promise<void> {
  const { orgId } = call.principal;
  await writeFromDirectory(call.db, call.principal, call.cause, call.hooks, async (tx) => {
    const row = await existing(tx, orgId, id);
    requireVersion(call, versionOf(row));
    const { resource, named } = decide(row);
    await requireUnique(tx, call, row, resource, named);
    return write(resource, named, row);
  });
}

async function requireUnique(tx: Tx, call: Call, row: UserRow, resource: Resource, named: Set<string>) {
  const sought = {
    email: named.has('emails') ? (workEmailOf(resource).value as string) : row.email,
    username: named.has('userName') ? userNameOf(resource) : row.username,
    externalId: externalIdOf(resource),
  };
  const alike = await queries.findAlike(tx, call.principal.orgId, sought);
  const isNew = (one: (typeof alike)[number]) =>
    (one.same_email && sought.email !== row.email) ||
    (one.same_username && sought.username !== row.username) ||
    (one.external_id !== null && one.external_id === sought.externalId);
  const other = alike.find((one) => one.id !== row.id && isInTheWay(one) && isNew(one));
  if (other !== undefined) throw alreadyExists(call, other);
}

/** Whether a person keeps others from being the same. Of people who are gone for the client, only the email stays taken. */
const isInTheWay = ({ deleted, merged_into, same_email }: queries.Alike) =>
  same_email || (!deleted && merged_into === null);

const alreadyExists = ({ base }: Call, { id, merged_into, same_email, same_username }: queries.Alike) => {
  if (merged_into !== null)
    return taken(
      `The user with this email was merged into another user: ${base}/Users/${merged_into}. Use that user instead.`,
    );
  const what = same_email ? 'email' : same_username ? 'userName' : 'externalId';
  return taken(`A user with this ${what} already exists: ${base}/Users/${id}.`);
};

function write(resource: Resource, named: Set<string>, row: UserRow): DirectoryWrite {
  return {
    draft: draftChange(profileOf(row), changeOf(resource, named, row)),
    source: sourceOf(resource, named, row),
    reason: null,
  };
}

async function existing(db: Db, orgId: string, id: string): Promise<UserRow> {
  const row = isUuid(id) ? await queries.findUser(db, orgId, id) : undefined;
  if (row === undefined) throw notFound('User');
  return row;
}

export function requireVersion({ ifMatch }: Call, version: string) {
  const bare = (tag: string) => tag.replace(/^W\//, '');
  if (ifMatch !== null && !ifMatch.some((one) => bare(one) === bare(version))) throw changedMeanwhile();
}

const profileOf = ({
  created_at: _,
  changed_at: __,
  external_id: ___,
  owned: ____,
  extra: _____,
  manager_name: ______,
  groups: _______,
  ...profile
}: UserRow): Profile => profile;

function userNameOf({ userName }: Resource): string {
  if (typeof userName !== 'string') throw bad('invalidValue', 'userName is required.');
  if (userName.length > 320) throw bad('invalidValue', 'userName has more than 320 characters. Shorten it.');
  return userName;
}

/** Returns the email that becomes the person's: the first of type work, a primary one before others (D50). */
function workEmailOf({ emails }: Resource): Element {
  const list = Array.isArray(emails) ? (emails as Element[]) : [];
  const ofType = (type: string) => list.filter((one) => String(one.type ?? '').toLowerCase() === type);
  for (const some of [ofType('work'), ofType('')]) {
    const email = some.find(({ primary }) => primary === true) ?? some[0];
    if (email === undefined || typeof email.value !== 'string') continue;
    if (!/^[^@\s]+@[^@\s]+$/.test(email.value) || email.value.length > 320)
      throw bad('invalidValue', `${email.value.slice(0, 320)} is not an email address.`);
    return email;
  }
  throw bad('invalidValue', 'A user needs an email of type work.');
}

function externalIdOf({ externalId }: Resource): string | null {
  if (externalId === undefined || externalId === null) return null;
  if (String(externalId).length > 512) throw bad('invalidValue', 'externalId has more than 512 characters.');
  return String(externalId);
}

/** The fields of a person behind the names of readResource and applyPatch. */
function fieldsOf(name: string): string[] {
  switch (name) {
    case 'userName':
      return ['username'];
    case 'name':
      return ['first_name', 'last_name'];
    case 'name.givenName':
      return ['first_name'];
    case 'name.familyName':
      return ['last_name'];
    case 'emails':
      return ['email'];
    case 'active':
      return ['status'];
    case 'ext:manager':
      return ['manager'];
    default: {
      const bare = name.replace(/^ext:/, '');
      const isAttribute = [...CORE_ATTRIBUTES, ...ENTERPRISE_ATTRIBUTES].some((one) => one === bare);
      return isAttribute ? [`attributes.${bare}`] : [];
    }
  }
}

/** The reverse of fieldsOf. */
function attributeOf(field: string): string {
  const names: Record<string, string> = {
    username: 'userName',
    first_name: 'name.givenName',
    last_name: 'name.familyName',
    email: 'emails',
    status: 'active',
    manager: 'ext:manager',
  };
  const bare = field.replace(/^attributes\./, '');
  return names[field] ?? (ENTERPRISE_ATTRIBUTES.some((one) => one === bare) ? `ext:${bare}` : bare);
}

/** Returns the change of the person's record that a resource makes, in the fields that the client named. */
function changeOf(resource: Resource, named: Set<string>, row: UserRow | undefined): ProfileChange {
  const enterprise = isObject(resource[ENTERPRISE]) ? resource[ENTERPRISE] : {};
  const name = isObject(resource.name) ? resource.name : {};
  const change: ProfileChange = {};
  const attributes: Record<string, unknown> = {};
  for (const field of new Set([...named].flatMap(fieldsOf))) {
    switch (field) {
      case 'username':
        change.username = userNameOf(resource);
        break;
      case 'first_name':
        change.first_name = short('name.givenName', name.givenName);
        break;
      case 'last_name':
        change.last_name = short('name.familyName', name.familyName);
        break;
      case 'email':
        change.email = workEmailOf(resource).value as string;
        break;
      case 'status':
        change.status = resource.active === false ? 'deactivated' : 'active';
        break;
      case 'manager':
        change.manager = managerOf(enterprise.manager);
        break;
      default: {
        const bare = field.slice('attributes.'.length);
        const isCore = CORE_ATTRIBUTES.some((one) => one === bare);
        const value = (isCore ? resource[bare] : enterprise[bare]) ?? null;
        // An attribute that another client wrote as a number is not rewritten as text.
        const isUnchanged = row !== undefined && textOf(row.attributes[bare]) === value;
        if (!isUnchanged) attributes[bare] = value;
      }
    }
  }
  return { ...change, attributes };
}

function short(name: string, value: unknown): string {
  const text = String(value ?? '');
  if (text.length > 255) throw bad('invalidValue', `${name} has more than 255 characters. Shorten it.`);
  return text;
}

function managerOf(manager: unknown): string | null {
  const value = isObject(manager) ? manager.value : undefined;
  if (value === undefined) return null;
  if (!isUuid(value)) throw bad('invalidValue', 'manager.value is not the id of a user.');
  return value.toLowerCase();
}

/** Returns what to keep of a resource beside the person's record. */
function sourceOf(resource: Resource, named: Set<string>, row: UserRow | undefined): PersonSource {
  const extra: Record<string, unknown> = {};
  const name = isObject(resource.name) ? resource.name : {};
  const full = `${String(name.givenName ?? '')} ${String(name.familyName ?? '')}`.trim();
  const names = Object.fromEntries(
    NAMES.flatMap((part) =>
      name[part] === undefined || (part === 'formatted' && !isWritten(named, name, full, row))
        ? []
        : [[part, name[part]]],
    ),
  );
  if (Object.keys(names).length > 0) extra.name = names;
  for (const list of EXTRA_LISTS) if (resource[list] !== undefined) extra[list] = resource[list];
  const emails = Array.isArray(resource.emails) ? (resource.emails as Element[]) : [];
  const work = emails.length === 0 ? undefined : workEmailOf(resource);
  const others = emails.filter((email) => email !== work);
  if (others.length > 0) extra.emails = others;
  const owned = new Set([...(row?.owned ?? []), ...[...named].flatMap(fieldsOf)]);
  return { external_id: externalIdOf(resource), owned: [...owned].sort(), extra, deleted: false };
}

/** Whether a client wrote `name.formatted`, and it does not merely follow from the other parts. */
function isWritten(
  named: Set<string>,
  { formatted }: Resource,
  full: string,
  row: UserRow | undefined,
): boolean {
  if (formatted === full) return false;
  if (named.has('name.formatted') || named.has('name')) return true;
  return isObject(row?.extra.name) && row.extra.name.formatted === formatted;
}
