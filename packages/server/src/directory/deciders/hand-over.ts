import type { OrgDb, OrgTx } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import { isUuid } from '#kit/ids.ts';
import { findNominees, type Nominee } from './queries/people.ts';
import { deciderRefusals } from './sentences.ts';

/**
 * Throws 404 or 409 unless a question can be handed over to all of these people. It concerns the people in `concerned`, and those in
 * `spoken` count already, or have a seat that stays theirs (`seated`, D76).
 */
export async function requireNominees(
  tx: OrgTx,
  ids: readonly string[],
  {
    concerned,
    spoken = [],
    seated = [],
  }: { concerned: readonly (string | null)[]; spoken?: readonly string[]; seated?: readonly string[] },
): Promise<void> {
  const found = new Map((await findNominees(tx, ids)).map((one) => [one.id, one]));
  for (const id of ids) {
    const person = found.get(id);
    if (person === undefined) throw notFound('Person');
    const { email, status, role } = person;
    if (status !== 'active') throw deciderRefusals.decider_deactivated({ email });
    if (role === 'auditor') throw deciderRefusals.decider_is_auditor({ email });
    if (concerned.includes(id)) throw deciderRefusals.decider_is_concerned({ email });
    if (spoken.includes(id)) throw deciderRefusals.decider_has_decided({ email });
    if (seated.includes(id)) throw deciderRefusals.decider_has_seat({ email });
  }
}

/** Throws 404 for a person who does not exist. */
export async function nomineeOf(db: OrgDb, id: string): Promise<Nominee> {
  const [person] = isUuid(id) ? await findNominees(db, [id]) : [];
  if (person === undefined) throw notFound('Person');
  return person;
}
