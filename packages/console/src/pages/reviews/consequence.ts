import { t } from '@lingui/core/macro';
import { grantWords } from '../../access/grant-words.ts';
import { fromNow, localTime } from '../../kit/text/words.ts';
import { type Cycle, changeableUntil, giverName, type Item } from './item.ts';

function whyNotPossible({ kept_for, kept_by, task }: Item): string {
  if (kept_for !== null) {
    const name = giverName(kept_for);
    const { email } = kept_for.by;
    return t`Not removed: the account would also lose ${name}, which ${email} has decided to keep.`;
  }
  if (kept_by !== null) {
    const name = giverName(kept_by);
    return t`Not removed: the account has it through ${name}, which stays.`;
  }
  return task === null
    ? t`Not possible: this no longer exists in the app. The access may go on under another name.`
    : t`Not possible: the removal was canceled, and the access still exists. See its task.`;
}

function returnWords(at: string, by: Item['restored_by']): string {
  const back = localTime(new Date(at));
  if (by === null) return t`The access was removed and came back on ${back}. No decision gave it back.`;
  const reason = grantWords(by);
  return t`The access was removed and came back on ${back}. Reason: ${reason}.`;
}

/** Returns what follows from the decision, and how long it can be changed. */
export function consequence(cycle: Cycle, item: Item): string | undefined {
  const { decision, task } = item;
  if (decision === null) return undefined;
  const until = changeableUntil(cycle, item);
  const changeable = until === null || until.getTime() > Date.now();
  if (decision === 'keep') {
    if (!changeable) return undefined;
    if (until === null) return t`Can be changed until the review ends.`;
    const end = localTime(until);
    return t`Can be changed until ${end}.`;
  }
  if (item.revocation?.state === 'not_possible') return whyNotPossible(item);
  if (task === null) return t`The access was already removed.`;
  if (item.seen_again_at !== null) return returnWords(item.seen_again_at, item.restored_by);
  if (item.seen_gone === true) return t`A later sync confirmed the removal.`;
  if (task.status === 'completed' && task.confirmed === 'read')
    return t`Removed. The connector read the account back.`;
  if (task.status === 'completed') return t`Removed. The next sync of the app confirms it.`;
  if (task.status === 'failed') return t`The removal failed. See its task.`;
  if (task.status === 'cancelled' || task.status === 'preempted')
    return t`The removal was canceled. See its task.`;
  if (!changeable || until === null) return t`The removal is in progress.`;
  const when = fromNow(until);
  return t`Removed ${when}. Can be changed until then.`;
}
