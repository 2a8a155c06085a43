import { recordMeans } from '#directory/means/means.ts';
import type { CallTx } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import { absenceUpdated } from './absence-events.ts';
import * as queries from './queries/absences.ts';
import type { Absence } from './schemas.ts';

/**
 * Names another deputy in the place of one who leaves, in the absences of others that are not over. Nobody is their own deputy. The caller
 * holds lockLeaver, and records the events. Null: only counts the absences.
 */
export async function handOverDeputies(
  tx: CallTx,
  fromId: string,
  toId: string | null,
): Promise<{ found: number; moved: number; events: NewEvent[] }> {
  const found = await queries.lockAbsencesOfDeputy(tx, fromId);
  const events: NewEvent[] = [];
  for (const { id, user_id } of toId === null ? [] : found) {
    if (user_id === toId) continue;
    const before = (await queries.findAbsence(tx, user_id, id)) as Absence;
    await queries.setDeputy(tx, id, toId as string);
    const after = (await queries.findAbsence(tx, user_id, id)) as Absence;
    events.push(...absenceUpdated({ id: user_id }, tx.cause, before, after));
  }
  if (toId !== null && events.length > 0) await recordMeans(tx, 'deputy', toId);
  return { found: found.length, moved: events.length, events };
}
