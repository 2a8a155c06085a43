import type { OrgDb } from '#kit/database.ts';
import type { KindName } from '#log/notices/kinds.ts';
import type { Notices } from '#log/notices/notices.ts';
import type { PersonFacts } from './queries/lookups.ts';
import { SOURCES } from './sources.ts';

/** Something that waits for a person, or that was about to happen, when its notification was stored. */
export interface Wait {
  kind: KindName;
  dedupe_key: string;
  /** The request, review cycle, task, app, webhook or policy. */
  about_id: string | null;
}

const CHECKS: NonNullable<Notices['waits']> = Object.assign({}, ...SOURCES.map(({ waits }) => waits));
const KEYS: NonNullable<Notices['keys']> = Object.assign({}, ...SOURCES.map(({ keys }) => keys));

/**
 * Returns the notifications of which what they say still waits for the person. Notices of what has happened always do. A digest can
 * have very many: each kind of thing takes the same few statements, however many of them there are.
 */
export async function stillWaiting<T extends Wait>(
  db: OrgDb,
  person: PersonFacts,
  waits: readonly T[],
): Promise<T[]> {
  const over = new Set<T>();
  for (const [check, group] of Map.groupBy(waits, ({ kind }) => CHECKS[kind])) {
    if (check === undefined) continue;
    const ids = new Set(group.flatMap(({ about_id }) => about_id ?? []));
    const waiting = new Set(await check(db, person, [...ids]));
    for (const wait of group) if (wait.about_id !== null && !waiting.has(wait.about_id)) over.add(wait);
  }
  for (const [keys, group] of Map.groupBy(waits, ({ kind }) => KEYS[kind])) {
    if (keys === undefined) continue;
    const holding = new Set(await keys(db));
    for (const wait of group) if (!holding.has(wait.dedupe_key)) over.add(wait);
  }
  return waits.filter((wait) => !over.has(wait));
}
