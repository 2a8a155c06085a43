import { transaction } from '#kit/database.ts';
import type { Call } from '#kit/identity.ts';
import { recordEvents } from '#log/events/record.ts';
import { cancelTask } from './cancel.ts';
import { planEnds } from './ends.ts';
import { keepTaken } from './given.ts';
import { requireOthersAccounts } from './own-benefit.ts';
import { accountsTakenFrom, endsAmong } from './queries/ends.ts';
import { reasonOf, reasonSentences } from './reason-sentences.ts';

/**
 * Cancels a task for an administrator. 409 if it has ended. Access whose end is canceled stays: the administrator grants it (D73). 403 for
 * a task that takes something away from an account of their own (D76).
 */
export async function cancelManually(call: Call, taskId: string, reason: string | null): Promise<void> {
  await transaction(call, async (tx) => {
    const said = reason ?? reasonSentences.task_canceled_by_admin();
    const events = await cancelTask(tx, taskId, call.cause, said);
    const ends = await endsAmong(tx, [taskId]);
    const kept = await keepTaken(tx, ends, call.principal.userId, reasonOf(said).text);
    const waived = await requireOthersAccounts(tx, await accountsTakenFrom(tx, [taskId]), 'task');
    await recordEvents(tx, [...waived, ...events, ...(await planEnds(tx, kept, call.cause)).events]);
  });
}
