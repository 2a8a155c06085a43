import type { DirectoryWrite } from '#directory/people/directory.ts';
import type { PersonSource } from '#directory/people/facts.ts';
import { draftChange, type Profile, type ProfileChange } from '#directory/people/person.ts';
import { isUuid } from '#kit/ids.ts';
import { isInstant } from '#kit/instants.ts';
import { bad } from '../errors.ts';
import { CORE_ATTRIBUTES, EXTRA_LISTS, type UserRow } from '../queries/scim.ts';
import { type Element, isObject, type Resource } from '../resource.ts';
import { ENTERPRISE } from '../schema.ts';
import { attributeOf, checkedEmailOf, externalIdOf, fieldsOf, userNameOf, workEmailOf } from './fields.ts';
import { textOf } from './resource.ts';
import { type Sent, tryPart } from './sent.ts';

/** Returns the changes that a request makes to an existing person. */
export function writeOf(sent: Sent, row: UserRow): DirectoryWrite {
  const draft = draftChange(profileOf(row), changeOf(sent, row));
  const source = sourceOf(sent, row);
  return {
    draft,
    // An id is replaced, and never removed: it says who somebody is (D63).
    source: { ...source, external_id: source.external_id ?? idOf(row) },
    reason: null,
    ends: sent.ends,
    wasReleased: row.released_id !== null && externalIdOf(sent.resource) === row.released_id,
    ownedBefore: row.owned ?? [],
  };
}

/** Returns the client's id of a person, also of one who was released. */
export const idOf = ({ external_id, released_id }: Pick<UserRow, 'external_id' | 'released_id'>) =>
  external_id ?? released_id;

export const profileOf = ({
  created_at: _,
  changed_at: __,
  external_id: ___,
  owned: ____,
  extra: _____,
  manager_name: ______,
  groups: _______,
  released_id: ________,
  released_key: _________,
  former_id: __________,
  ...profile
}: UserRow): Profile => profile;

/** Returns the changes that a request makes to the person's record, in the fields that the client named. */
export function changeOf(sent: Sent, row: UserRow | undefined): ProfileChange {
  const change: ProfileChange = {};
  const attributes: Record<string, unknown> = {};
  for (const field of new Set([...sent.named].flatMap(fieldsOf)))
    tryPart(sent, attributeOf(field), () => addField(change, attributes, field, { sent, row }));
  return { ...change, attributes };
}

function addField(
  change: ProfileChange,
  attributes: Record<string, unknown>,
  field: string,
  { sent: { resource }, row }: { sent: Sent; row: UserRow | undefined },
): void {
  const enterprise = isObject(resource[ENTERPRISE]) ? resource[ENTERPRISE] : {};
  const name = isObject(resource.name) ? resource.name : {};
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
      change.email = checkedEmailOf(resource, row?.email);
      break;
    case 'status':
      // Without a value, the status stays as it is: an empty one must not bring a leaver back.
      if (resource.active === false) change.status = 'deactivated';
      if (resource.active === true && !isHeldByHand(row)) change.status = 'active';
      break;
    case 'leave_from':
    case 'leave_until':
      change[field] = dayOf(attributeOf(field), resource[attributeOf(field)]);
      break;
    case 'manager':
      change.manager = managerOf(enterprise.manager);
      break;
    default: {
      const bare = field.slice('attributes.'.length);
      const isCore = CORE_ATTRIBUTES.some((one) => one === bare);
      const value = (isCore ? resource[bare] : enterprise[bare]) ?? null;
      // Does not turn a number that another client wrote into text.
      const isUnchanged = row !== undefined && textOf(row.attributes[bare]) === value;
      if (!isUnchanged) attributes[bare] = value;
    }
  }
}

/**
 * Whether somebody here deactivated a person whom the client, for all that it last said, has active. Clients repeat what they said
 * before, with each change of a title, and that must not undo a decision of a person. A client that deactivates the person, or
 * deletes them, has decided again: after that, it can bring them back.
 */
const isHeldByHand = (row: UserRow | undefined) =>
  row !== undefined && row.status === 'deactivated' && row.owned !== null && row.extra.active !== false;

function short(name: string, value: unknown): string {
  const text = String(value ?? '');
  if (text.length > 255) throw bad('invalidValue', `${name} has more than 255 characters. Shorten it.`);
  return text;
}

/** Returns the day of a time as the client wrote it. */
function dayOf(name: string, value: unknown): string | null {
  if (value === undefined) return null;
  if (!isInstant(value)) throw bad('invalidValue', `${name} must be a day, such as "2027-03-01".`);
  return value.slice(0, 10);
}

/** Returns the id of a manager. A reference is read to its end, `.../Users/<id>`. */
function managerOf(manager: unknown): string | null {
  if (!isObject(manager)) return null;
  const value = manager.value ?? /\/Users\/([^/]+)$/.exec(String(manager.$ref ?? ''))?.[1];
  if (!isUuid(value)) throw bad('invalidValue', 'manager.value is not the id of a user.');
  return value.toLowerCase();
}

const NAMES = ['formatted', 'middleName', 'honorificPrefix', 'honorificSuffix'];

/** Returns the data of a resource to keep in addition to the person's record. */
export function sourceOf({ resource, named }: Sent, row: UserRow | undefined): PersonSource {
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
  const active = named.has('active') ? (resource.active ?? row?.extra.active) : row?.extra.active;
  if (typeof active === 'boolean') extra.active = active;
  for (const list of EXTRA_LISTS) if (resource[list] !== undefined) extra[list] = resource[list];
  const emails = Array.isArray(resource.emails) ? (resource.emails as Element[]) : [];
  const work = emails.length === 0 ? undefined : workEmailOf(resource);
  const others = emails.filter((email) => email !== work);
  if (others.length > 0) extra.emails = others;
  const owned = new Set([...(row?.owned ?? []), ...[...named].flatMap(fieldsOf)]);
  return {
    external_id: externalIdOf(resource),
    owned: [...owned].sort(),
    extra,
    deleted: false,
    former_id: null,
  };
}

/**
 * Returns whether the client wrote a `name.formatted` of its own. One that is, or was, the first and last name follows them: clients
 * also send back what they have read.
 */
function isWritten(
  named: Set<string>,
  { formatted }: Resource,
  full: string,
  row: UserRow | undefined,
): boolean {
  if (formatted === full) return false;
  const before = isObject(row?.extra.name) ? row.extra.name.formatted : undefined;
  const isReadBefore =
    before === undefined && formatted === `${row?.first_name ?? ''} ${row?.last_name ?? ''}`.trim();
  if (isReadBefore) return false;
  return named.has('name.formatted') || before === formatted;
}
