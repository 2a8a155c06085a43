import { fieldsRead } from '../../kit/cel-fields.ts';
import { canName } from '../../kit/cel-texts.ts';
import type { OrgDb } from '../../kit/database/organization.ts';
import { type Moment, readLog } from '../../log/events/follow.ts';
import type { Policy } from './policy.ts';

/** A group of people that was renamed or deleted. A policy whose condition names it is held for that reason (D65). */
export interface GroupChange {
  kind: 'group_renamed' | 'group_deleted';
  group_id: string;
  from: string;
  /** The new name. Null if the group was deleted. */
  to: string | null;
}

interface LoggedChange extends GroupChange {
  at: Date;
}

const AT_ONCE = 1000;

/** Reads the groups that were renamed or deleted in a stretch of the log. */
export async function groupChanges(
  db: OrgDb,
  { after, to }: { after: Moment; to?: Moment },
): Promise<LoggedChange[]> {
  const found: LoggedChange[] = [];
  for (let place = after; ; ) {
    const range = to === undefined ? { after: place } : { after: place, to };
    const types = ['person_group.updated', 'person_group.deleted'] as const;
    const { entries, next, hasMore } = await readLog(db, range, types, AT_ONCE);
    for (const { type, payload, at } of entries) {
      const { group_id, name, changes = [] } = payload as unknown as Payload;
      if (type === 'person_group.deleted') {
        found.push({ kind: 'group_deleted', group_id, from: name, to: null, at });
        continue;
      }
      const renamed = changes.find(({ field }) => field === 'display_name');
      if (renamed !== undefined)
        found.push({ kind: 'group_renamed', group_id, from: renamed.from, to: renamed.to, at });
    }
    if (!hasMore) return found;
    place = next;
  }
}

interface Payload {
  group_id: string;
  name: string;
  changes?: { field: string; from: string; to: string }[];
}

/**
 * Returns the newest change of a group that the condition of a policy names, by its former or its new name. A policy that was changed
 * after that may name the group by its new name.
 */
export function changeNamedBy(
  { condition, updated_at }: Policy,
  changes: readonly LoggedChange[],
): GroupChange | null {
  if (changes.length === 0) return null;
  const read = fieldsRead(condition, ['user']).get('user');
  if (read !== 'all' && read?.has('groups') !== true) return null;
  const found = changes.findLast(
    ({ from, to, at }) =>
      canName(condition, from) || (to !== null && updated_at < at && canName(condition, to)),
  );
  if (found === undefined) return null;
  const { at, ...change } = found;
  return change;
}
