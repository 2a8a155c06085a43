import { mayHaveEmail } from '#kit/identity.ts';
import { bad } from '../errors.ts';
import { CORE_ATTRIBUTES, ENTERPRISE_ATTRIBUTES } from '../queries/scim.ts';
import type { Element, Resource } from '../resource.ts';
import { ENTERPRISE, placeOf, User } from '../schema.ts';

export function userNameOf({ userName }: Resource): string {
  if (typeof userName !== 'string') throw bad('invalidValue', 'userName is required.');
  if (userName.length > 320) throw bad('invalidValue', 'userName has more than 320 characters. Shorten it.');
  return userName;
}

/** Finds the email for the person's record: the primary or else the first one of type work (D50). Does not check it. */
export function workEmailOf({ emails }: Resource): Element {
  const list = Array.isArray(emails) ? (emails as Element[]) : [];
  const ofType = (type: string) => list.filter((one) => String(one.type ?? '').toLowerCase() === type);
  for (const some of [ofType('work'), ofType('')]) {
    const email = some.find(({ primary }) => primary === true) ?? some[0];
    if (email === undefined || typeof email.value !== 'string') continue;
    return email;
  }
  throw bad('invalidValue', 'A user needs an email of type work.');
}

/** Returns the same email as text. Throws 400 if it is not valid and differs from the stored one. */
export function checkedEmailOf(resource: Resource, stored: string | undefined): string {
  const email = workEmailOf(resource).value as string;
  if (email.length > 320 || !mayHaveEmail(email, stored))
    throw bad('invalidValue', `${email.slice(0, 320)} is not an email address.`);
  return email;
}

export function externalIdOf({ externalId }: Resource): string | null {
  if (externalId === undefined || externalId === null) return null;
  if (String(externalId).length > 512)
    throw bad('invalidValue', 'externalId has more than 512 characters. Shorten it.');
  return String(externalId);
}

/** Returns the fields of a person that an attribute sets, by the name that readResource and applyPatch give it. */
export function fieldsOf(name: string): string[] {
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
    case 'leaveFrom':
      return ['leave_from'];
    case 'leaveUntil':
      return ['leave_until'];
    default: {
      const bare = name.replace(/^ext:/, '');
      const isAttribute = [...CORE_ATTRIBUTES, ...ENTERPRISE_ATTRIBUTES].some((one) => one === bare);
      return isAttribute ? [`attributes.${bare}`] : [];
    }
  }
}

/** Returns the attribute that sets a field. The reverse of fieldsOf. */
export function attributeOf(field: string): string {
  const names: Record<string, string> = {
    username: 'userName',
    first_name: 'name.givenName',
    last_name: 'name.familyName',
    email: 'emails',
    status: 'active',
    manager: 'ext:manager',
    leave_from: 'leaveFrom',
    leave_until: 'leaveUntil',
  };
  const bare = field.replace(/^attributes\./, '');
  return names[field] ?? (ENTERPRISE_ATTRIBUTES.some((one) => one === bare) ? `ext:${bare}` : bare);
}

/** Parts of a request that are not attributes. */
const PARTS = ['Operations', 'schemas', 'value', 'extension'];

/** Returns the attribute that a part of a request is about, as the schemas spell it. Clients can make up names: those are `unknown`. */
export function attributeName(part: string): string {
  if (PARTS.includes(part)) return part;
  const bare = part.split('[')[0]?.trim() ?? '';
  const name = bare.startsWith('ext:') ? `${ENTERPRISE}:${bare.slice(4)}` : bare;
  const { attribute, sub } = placeOf(User, name) ?? placeOf(User, `${ENTERPRISE}:${name}`) ?? {};
  if (attribute === undefined) return 'unknown';
  return sub === undefined || attribute.multiValued ? attribute.name : `${attribute.name}.${sub.name}`;
}
