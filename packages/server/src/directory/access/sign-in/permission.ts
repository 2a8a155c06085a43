import { forbidden } from '../../../kit/errors.ts';
import type { Principal, Role } from '../../../kit/identity/principal.ts';

/** The roles that may create sign-in links. */
export const LINK_ROLES: Role[] = ['owner', 'admin'];

interface Person {
  id: string;
  role: Role;
}

/**
 * Whether the caller may give a person another way to sign in (D70). Only owners do that for people with a privileged role:
 * an administrator could otherwise act as another one, or as an auditor. Nobody does it for themselves, since a stolen session
 * could then last.
 */
export const mayManageSignIn = (caller: Person, person: Person): boolean =>
  caller.id !== person.id && (person.role === 'member' || caller.role === 'owner');

/** Throws 403 if someone other than an owner sees or ends how an owner is signed in. Neither gives anybody power. */
export function requireMayOversee({ role }: Principal, person: { role: Role }) {
  if (person.role === 'owner' && role !== 'owner')
    throw forbidden('Only an owner can manage how an owner signs in.');
}

/** Throws 403 if the caller may not manage how a person signs in. */
export function requireMayManageSignIn({ userId, role }: Principal, person: Person) {
  if (mayManageSignIn({ id: userId, role }, person)) return;
  throw forbidden(
    userId === person.id
      ? 'You cannot manage your own sign-in here. Use your profile, or ask another administrator.'
      : `Only an owner can manage how an ${person.role === 'admin' ? 'administrator' : person.role} signs in.`,
  );
}
