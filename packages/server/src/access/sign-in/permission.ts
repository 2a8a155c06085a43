import type { Principal, Role } from '../../identity/principal.ts';
import { forbidden } from '../../platform/errors.ts';

/** The roles that may create sign-in links. */
export const LINK_ROLES: Role[] = ['owner', 'admin'];

/** Only owners manage the sign-in of owners. */
export const mayManageSignIn = (caller: { role: Role }, person: { role: Role }): boolean =>
  person.role !== 'owner' || caller.role === 'owner';

/** Throws 403 if someone other than an owner manages the sign-in of an owner. */
export function requireMayManageSignIn(principal: Principal, person: { role: Role }) {
  if (!mayManageSignIn(principal, person)) {
    throw forbidden('Only an owner can manage how an owner signs in.');
  }
}
