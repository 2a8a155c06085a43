import { signInRefusals } from '#directory/sign-in/sentences.ts';
import type { OrgTx } from '#kit/database.ts';
import type { DomainError } from '#kit/errors.ts';
import type { CallTx } from '#kit/identity.ts';
import { actsOn } from '#log/events/facts.ts';
import type { NewEvent } from '#log/events/record.ts';
import { keysCreatedBy } from './queries/keys.ts';
import { waiveSecondPerson } from './second-person.ts';

/** How long a person's decisions do not count for those who could have signed in as them (D70). */
const DAYS = 30;

/**
 * Changes by somebody else after which that person may be able to sign in as another one, or chose who decides. Creating a person
 * counts if it gives them a role. A link that Gatehouse emails is not among them, since only the mailbox receives it.
 */
const RESETS = [
  'user.created',
  'password.link_created',
  'factor.removed',
  'provider_link.removed',
  'role.changed',
  'user.updated',
];

/**
 * Throws 403 if one of `beneficiaries` reset the sign-in of the approver in the last 30 days, changed their email or gave them
 * their role, also with an API key that they created and that acts for somebody else now: the approval would be their own decision in
 * the name of another person (D70). The only administrator may, with the event that this returns.
 */
export async function requireIndependentApprover(
  tx: OrgTx & Pick<CallTx, 'cause'>,
  approverId: string,
  beneficiaries: readonly string[],
  now = new Date(),
): Promise<NewEvent[]> {
  const resets = (await actsOf(tx, RESETS, approverId, beneficiaries, now)).filter(isReset);
  return refuseUnlessAlone(tx, resets, beneficiaries, signInRefusals.approver_sign_in_reset({ days: DAYS }));
}

/**
 * Does the same for a deputy: throws 403 if one of `beneficiaries` made them the deputy of the absent approver in the last 30 days,
 * and so chose who decides.
 */
export async function requireIndependentDeputy(
  tx: OrgTx & Pick<CallTx, 'cause'>,
  { deputyId, absentId }: { deputyId: string; absentId: string },
  beneficiaries: readonly string[],
): Promise<NewEvent[]> {
  const acts = await actsOf(tx, ['absence.created', 'absence.updated'], absentId, beneficiaries, new Date());
  return refuseUnlessAlone(
    tx,
    acts.filter(({ payload }) => payload.deputy_id === deputyId),
    beneficiaries,
    signInRefusals.deputy_made_by_beneficiary(),
  );
}

async function actsOf(
  tx: OrgTx,
  types: readonly string[],
  subject: string,
  beneficiaries: readonly string[],
  now: Date,
): Promise<LoggedEvent[]> {
  const keys = await keysCreatedBy(tx, beneficiaries);
  const since = new Date(now.getTime() - DAYS * 86_400_000);
  const bodies = await actsOn(tx, { types, subject, actors: beneficiaries, keys, since });
  return bodies.map((body) => JSON.parse(body) as LoggedEvent);
}

async function refuseUnlessAlone(
  tx: OrgTx & Pick<CallTx, 'cause'>,
  acts: readonly LoggedEvent[],
  beneficiaries: readonly string[],
  refusal: DomainError,
): Promise<NewEvent[]> {
  const [by, ...others] = new Set(acts.map(({ actor }) => actor.uuid));
  if (by === undefined) return [];
  if (others.length > 0 || !beneficiaries.includes(by)) throw refusal;
  return waiveSecondPerson(tx, tx.cause, { act: 'approval', userId: by, refusal });
}

interface LoggedEvent {
  event_type: string;
  actor: { uuid: string };
  payload: { role?: string; deputy_id?: string; changes?: { field: string }[] };
}

function isReset({ event_type, payload }: LoggedEvent): boolean {
  if (event_type === 'user.created') return (payload.role ?? 'member') !== 'member';
  return event_type !== 'user.updated' || payload.changes?.some(({ field }) => field === 'email') === true;
}
