import type { Principal, Role } from '../../identity/principal.ts';
import { forbidden } from '../../platform/errors.ts';

/** Throws 403 if someone other than an owner manages the sign-in of an owner. */
export function requireMayManageSignIn(principal: Principal, person: { role: Role }) {
  if (person.role === 'owner' && principal.role !== 'owner') {
    throw forbidden('Only an owner can manage how an owner signs in.');
  }
}
