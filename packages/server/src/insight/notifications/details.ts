import type { OrgDb } from '#kit/database.ts';
import type { Detail } from '#log/notices/draft.ts';
import type { DetailOptions, Notices } from '#log/notices/notices.ts';
import { SOURCES } from './sources.ts';
import type { Wait } from './still-waits.ts';

const DETAILS: NonNullable<Notices['details']> = Object.assign({}, ...SOURCES.map(({ details }) => details));

/**
 * Returns what a channel shows about each notification. Those of which the thing no longer waits are missing. Each kind takes the
 * same few statements, however many there are.
 */
export async function detailsOf<T extends Wait>(
  db: OrgDb,
  waits: readonly T[],
  options: DetailOptions,
): Promise<Map<T, Detail[]>> {
  const shown = new Map<T, Detail[]>();
  for (const [read, group] of Map.groupBy(waits, ({ kind }) => DETAILS[kind])) {
    const ids = new Set(group.flatMap(({ about_id }) => about_id ?? []));
    const found = await read?.(db, [...ids], options);
    for (const wait of group) {
      const details = wait.about_id === null || found === undefined ? [] : found.get(wait.about_id);
      if (details !== undefined) shown.set(wait, details);
    }
  }
  return shown;
}
