import type { DomainError } from '#kit/errors.ts';
import type { CallTx, Principal } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import { leaveGroups } from './groups.ts';
import type { Profile } from './person.ts';
import * as queries from './queries/people.ts';
import { aboutPerson, forgetSignInOf } from './save.ts';
import { personRefusals } from './sentences.ts';

/**
 * Passes the email of a former person to a successor, who is written afterwards (D63). Only an owner may pass on the email of a former
 * owner, administrator or auditor, since that person loses every way to sign in. Throws 403 for anybody else.
 */
export async function passEmailOn(tx: CallTx, former: Profile, successorId: string): Promise<void> {
  const refusal = refusalToPassOn(tx.principal, former);
  if (refusal !== undefined) throw refusal;
  await queries.setSucceeded(tx, former.id, successorId);
}

/** Returns why the caller may not pass on the email of a former person. */
export const refusalToPassOn = ({ role }: Principal, former: Profile): DomainError | undefined =>
  former.role !== 'member' && role !== 'owner'
    ? personRefusals[`email_of_former_${former.role}`]({ email: former.email })
    : undefined;

/**
 * Takes from a former person what may name them by the email that has passed on: every way to sign in, and the groups. Returns the
 * events. The successor must exist.
 */
export async function endFormer(tx: CallTx, former: Profile, successorId: string): Promise<NewEvent[]> {
  const left = await leaveGroups(tx, tx.cause, former.id);
  const succeeded: NewEvent = {
    type: 'person.succeeded',
    ...tx.cause,
    subject: { type: 'platform_user', uuid: former.id },
    payload: { ...aboutPerson(former), successor_id: successorId },
  };
  return [succeeded, ...(await forgetSignInOf(tx, former)), ...left];
}
