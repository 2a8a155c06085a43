import type { OrgTx } from '#kit/database.ts';
import type { DomainError } from '#kit/errors.ts';
import { findAdministrators, type RequestCause } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';

/** An act that needs a second person (D70). */
export type SharedAct = 'task' | 'restore' | 'approval' | 'correlation';

/**
 * Admits an act that needs a second person where there is none: `userId` is the only owner or administrator (D70). Returns the event that
 * says so. Throws `refusal` if there is somebody else to ask.
 */
export async function waiveSecondPerson(
  tx: OrgTx,
  { actor, source }: RequestCause,
  { act, userId, refusal }: { act: SharedAct; userId: string; refusal: DomainError },
): Promise<NewEvent[]> {
  const [only, ...others] = await findAdministrators(tx);
  if (only?.id !== userId || others.length > 0) throw refusal;
  return [
    {
      type: 'second_person.waived',
      actor,
      subject: { type: 'platform_user', uuid: only.id },
      source,
      payload: { user_id: only.id, email: only.email, act },
    },
  ];
}
