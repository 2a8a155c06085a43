import { fieldsRead } from '#kit/cel-fields.ts';
import { canName, usesAnyName } from '#kit/cel-texts.ts';
import type { OrgDb } from '#kit/database.ts';
import { isSame } from '#kit/nfc.ts';
import { type Moment, readLog } from '#log/events/follow.ts';
import type { Policy } from './policy.ts';
import type { GroupChange } from './schemas.ts';

interface LoggedChange extends Omit<GroupChange, 'is_named'> {
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
      if (renamed !== undefined && !isSame(renamed.from, renamed.to))
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
 * Returns the newest change of a group that the condition of a policy names, by its former or its new name, or of any group, if the
 * condition compares their names with something else than text. A policy that was changed after that was written for the new name.
 */
export function changeConcerning(
  { condition, updated_at }: Policy,
  changes: readonly LoggedChange[],
): GroupChange | null {
  if (changes.length === 0) return null;
  const read = fieldsRead(condition, ['user']).get('user');
  if (read !== 'all' && read?.has('groups') !== true) return null;
  const isNewer = ({ at }: LoggedChange) => updated_at < at;
  const named = changes.findLast(
    (change) =>
      canName(condition, change.from) ||
      (change.to !== null && isNewer(change) && canName(condition, change.to)),
  );
  const found = named ?? (usesAnyName(condition, 'user', 'groups') ? changes.findLast(isNewer) : undefined);
  if (found === undefined) return null;
  const { at, ...change } = found;
  return { ...change, is_named: found === named };
}
