import type { OrgTx } from '../../../kit/database/organization.ts';
import { forbidden } from '../../../kit/errors.ts';
import type { CallTx } from '../../../kit/identity/call.ts';
import { actsOn } from '../../../log/events/follow.ts';
import type { NewEvent } from '../../../log/events/record.ts';
import { waiveSecondPerson } from '../second-person.ts';

/** How long a person's decisions do not count for those who could have signed in as them (D70). */
const DAYS = 30;

/**
 * Changes by somebody else after which that person may be able to sign in as another one, or chose who decides. A link that
 * Gatehouse emails is not among them, since only the mailbox receives it.
 */
const RESETS = [
  'password.link_created',
  'factor.removed',
  'provider_link.removed',
  'role.changed',
  'user.updated',
];

/**
 * Throws 403 if one of `beneficiaries` reset the sign-in of the approver in the last 30 days, changed their email or gave them
 * their role: the approval would be their own decision in the name of another person (D70). The only administrator may, with the event that
 * this returns (D70).
 */
export async function requireIndependentApprover(
  tx: OrgTx & Pick<CallTx, 'cause'>,
  approverId: string,
  beneficiaries: readonly string[],
  now = new Date(),
): Promise<NewEvent[]> {
  const bodies = await actsOn(tx, {
    types: RESETS,
    subject: approverId,
    actors: beneficiaries,
    since: new Date(now.getTime() - DAYS * 86_400_000),
  });
  const resets = bodies.map((body) => JSON.parse(body) as LoggedEvent).filter(isReset);
  const [by, ...others] = new Set(resets.map(({ actor }) => actor.uuid));
  if (by === undefined) return [];
  const refusal = forbidden(
    `The person who asked for this access reset how you sign in, or changed your email or role, in the last ${DAYS} days. Another approver must decide this request.`,
  );
  if (others.length > 0) throw refusal;
  return waiveSecondPerson(tx, tx.cause, { act: 'approval', userId: by, refusal });
}

interface LoggedEvent {
  event_type: string;
  actor: { uuid: string };
  payload: { changes?: { field: string }[] };
}

const isReset = ({ event_type, payload }: LoggedEvent) =>
  event_type !== 'user.updated' || payload.changes?.some(({ field }) => field === 'email') === true;
