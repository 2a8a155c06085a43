import type { OrgDb } from '#kit/database.ts';
import type { About } from '#log/notices/draft.ts';
import type { Notices } from '#log/notices/notices.ts';
import type { PersonFacts } from './queries/lookups.ts';
import { SOURCES } from './sources.ts';

interface Item {
  about_type: About['type'] | null;
  about_id: string | null;
}

const VISIBLE: NonNullable<Notices['visible']> = Object.assign({}, ...SOURCES.map(({ visible }) => visible));

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
