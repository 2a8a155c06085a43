import type { OrgDb, OrgTx } from '#kit/database.ts';
import type { DomainError } from '#kit/errors.ts';
import type { CallTx, RequestCause } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import type { Because } from './acting.ts';
import { type Hands, handsOf } from './hands.ts';
import { recentAdministrators } from './queries/means.ts';

/** An act that needs a second person (D76). */
export type SharedAct = 'task' | 'restore' | 'approval' | 'correlation' | 'review' | 'link' | 'policy';

/** An act that gives or leaves access to people. */
interface Act {
  act: SharedAct;
  /** Those who get or keep access, asked for it, or filed the request. */
  beneficiaries: readonly string[];
  /** The hands behind the act, if they are known. */
  hands?: Hands;
  /** The refusal for a beneficiary who is behind the act. */
  refuse: (because: Because) => DomainError;
}

/**
 * Throws the refusal if one of the beneficiaries is among the hands behind a call: they would give themselves access. The only administrator
 * may, with the event that this returns.
 */
export async function requireOtherHands(
  tx: OrgTx & Pick<CallTx, 'principal' | 'cause'>,
  { act, beneficiaries, hands, refuse }: Act,
): Promise<NewEvent[]> {
  const behind = hands ?? (await handsOf(tx, tx.principal));
  const concerned = [...new Set(beneficiaries)].filter((id) => behind.has(id));
  const [first] = concerned;
  if (first === undefined) return [];
  const refusal = refuse(behind.get(first) ?? 'self');
  if (concerned.length > 1) throw refusal;
  return waiveSecondPerson(tx, tx.cause, { act, userId: first, refusal });
}

/**
 * Admits an act that needs a second person where there is none: beside `userId`, there has been no other active owner or administrator for
 * 30 days. Returns the event that says so. Throws `refusal` if there is somebody else to ask.
 */
export async function waiveSecondPerson(
  tx: OrgTx,
  cause: RequestCause,
  { act, userId, refusal }: { act: SharedAct; userId: string; refusal: DomainError },
): Promise<NewEvent[]> {
  const only = await onlyAdministrator(tx);
  if (only?.id !== userId) throw refusal;
  return [secondPersonWaived(cause, act, only)];
}

interface Administrator {
  id: string;
  email: string;
}

/** Returns the owner or administrator beside whom there has been no other one for 30 days, if there is one. */
export async function onlyAdministrator(db: OrgDb): Promise<Administrator | undefined> {
  const [only, ...others] = await recentAdministrators(db);
  return others.length > 0 || only?.email == null ? undefined : { id: only.id, email: only.email };
}

/** The event of an act for which there was no second person. */
export const secondPersonWaived = (
  { actor, source }: RequestCause,
  act: SharedAct,
  { id, email }: Administrator,
): NewEvent => ({
  type: 'second_person.waived',
  actor,
  subject: { type: 'platform_user', uuid: id },
  source,
  payload: { user_id: id, email, act },
});
