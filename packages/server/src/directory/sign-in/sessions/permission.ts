import type { OrgDb } from '#kit/database.ts';
import type { Call, Principal, Role } from '#kit/identity.ts';
import { formerlyPrivileged } from '#log/events/facts.ts';
import { signInRefusals } from '../sentences.ts';

/** The roles that may create sign-in links. */
export const LINK_ROLES: Role[] = ['owner', 'admin'];

interface Person {
  id: string;
  role: Role;
}

/**
 * Whether the caller may give a person another way to sign in (D70). Only owners do that for people with a privileged role:
 * an administrator could otherwise act as another one, or as an auditor. The same for people who had such a role, because an
 * administrator's SCIM key can take a role that a group gives, and give it back. Nobody does it for themselves, since a stolen
 * session could then last.
 */
export async function mayManageSignIn(db: OrgDb, caller: Person, person: Person): Promise<boolean> {
  if (caller.id === person.id) return false;
  if (caller.role === 'owner') return true;
  return person.role === 'member' && (await formerlyPrivileged(db, [person.id])).length === 0;
}

/** Throws 403 if someone other than an owner sees or ends how an owner is signed in. Neither gives anybody power. */
export function requireMayOversee({ role }: Principal, person: { role: Role }) {
  if (person.role === 'owner' && role !== 'owner') throw signInRefusals.owner_manages_owner_sign_in();
}

/** Throws 403 if the caller may not manage how a person signs in. */
export async function requireMayManageSignIn(call: Call, person: Person): Promise<void> {
  const { userId, role } = call.principal;
  if (await mayManageSignIn(call, { id: userId, role }, person)) return;
  throw userId === person.id
    ? signInRefusals.own_sign_in()
    : signInRefusals[`owner_manages_${person.role}_sign_in`]();
}
