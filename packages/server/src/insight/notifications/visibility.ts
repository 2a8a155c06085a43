import { ticketsVisibleTo } from '../../decisions/requests/visibility-facts.ts';
import { cyclesVisibleTo } from '../../decisions/reviews/cycles.ts';
import type { OrgDb } from '../../kit/database/organization.ts';
import { tasksVisibleTo } from '../../work/fulfillment/facts.ts';
import type { About } from './draft.ts';
import { appsOwnedBy, type PersonFacts } from './queries/lookups.ts';

interface Item {
  about_type: About['type'] | null;
  about_id: string | null;
}

/** Returns those of the things that a member may see. Members see no others than these. */
const VISIBLE: Partial<
  Record<About['type'], (db: OrgDb, ids: readonly string[], memberId: string) => Promise<ReadonlySet<string>>>
> = {
  ticket: ticketsVisibleTo,
  task: tasksVisibleTo,
  cycle: cyclesVisibleTo,
  app: appsOwnedBy,
};

/** Returns the notifications that a person may read now, with the same few statements for many as for one. */
export async function readableBy<T extends Item>(
  db: OrgDb,
  { id, role }: PersonFacts,
  items: readonly T[],
): Promise<T[]> {
  if (role !== 'member') return [...items];
  const visible = new Map<About['type'] | null, ReadonlySet<string>>();
  for (const [type, group] of Map.groupBy(items, ({ about_type }) => about_type)) {
    const ids = new Set(group.flatMap(({ about_id }) => about_id ?? []));
    const found = type === null ? undefined : await VISIBLE[type]?.(db, [...ids], id);
    if (found !== undefined) visible.set(type, found);
  }
  return items.filter(
    ({ about_type: type, about_id }) =>
      type === null || (about_id !== null && visible.get(type)?.has(about_id) === true),
  );
}
